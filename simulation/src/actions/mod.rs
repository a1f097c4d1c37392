//! What TPPs, customers and workers do, each as a future that waits at the gate before every call of a port.

use crate::intents::{IntendedRequest, SentRequest};
use crate::world::Node;
mod upload;
mod vrp;

pub(crate) use vrp::{delete, revoke};

use lombard_corebank::payments::{OutcomeError, force_outcome};
use lombard_domain::account::AccountStatus;
use lombard_domain::consent::{Consent, ConsentState, Submitted};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::order::{Order, OrderDraft, OrderView, PaymentConsentRequest, PaymentDraft, RejectionReason};
use lombard_domain::refusal::{Fault, FaultCode, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::controls::OrderOutcome;
use lombard_ports::store::{Owned, Transaction};
use lombard_service::Failure;
use lombard_service::consents::{AuthoriseError, AuthorisedSelection, authorise_consent_in, reject_consent_in};
use lombard_service::payments::approvals::{self, ApprovalDecision};
use lombard_service::payments::consents;
use lombard_service::payments::orders::{self, OrderSubmission};
use lombard_service::payments::{execution, expiry, files};
use std::pin::Pin;

/// Something that is being done.
pub(crate) type RunningAction = Pin<Box<dyn Future<Output = ActionResult>>>;

/// What came of it.
#[derive(Debug)]
pub(crate) enum ActionResult {
    /// A TPP was answered.
    Answered(Box<Result<MadeResource, Failure>>),
    /// A customer decided on a consent; or on none, for nothing fitted.
    Decided(Result<Option<Box<Consent>>, Failure>),
    /// A customer said something to an order; or to none, for none waited.
    Countersigned(Result<Option<Box<Order>>, Failure>),
    /// Somebody else came to an end.
    Ended(Result<(), Failure>),
}

impl ActionResult {
    /// Why it did not succeed.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Answered(answer) => answer.as_ref().as_ref().err(),
            Self::Decided(decided) => decided.as_ref().err(),
            Self::Countersigned(said) => said.as_ref().err(),
            Self::Ended(ended) => ended.as_ref().err(),
        }
    }
}

/// What a TPP was answered with.
#[derive(Debug)]
pub(crate) enum MadeResource {
    /// A consent.
    Consent(Box<Consent>),
    /// An order.
    Order(Box<OrderView>),
    /// That the file was taken.
    File,
}

const VERSION: Version = Version::V3_1;

fn submitted() -> Submitted {
    Submitted { version: VERSION, json: "{}".to_owned() }
}

fn difference() -> Fault {
    Fault::new(FaultCode::ConsentMismatch, "The simulation says so.")
}

/// A request is sent; with an order comes the consent of its token.
pub(crate) fn send(node: &Node, request: SentRequest, bound: Option<Consent>) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let once = request.once();
        let answer = match (request.asked, bound) {
            (IntendedRequest::Consent(terms), _) => {
                let draft = PaymentDraft { terms: *terms, submitted: submitted() };
                consents::create_payment_consent(&context, &request.client, draft, once)
                    .await
                    .map(|made| MadeResource::Consent(Box::new(made)))
            }
            (IntendedRequest::File { consent, sent }, _) => {
                upload::send(&context, &request.client, &consent, &sent, once).await.map(|()| MadeResource::File)
            }
            (IntendedRequest::Order { consent, differing, payment }, Some(bound)) => {
                let draft = OrderDraft { consent, submitted: submitted(), payment };
                let differences = differing.then(difference).into_iter().collect();
                let ordered = OrderSubmission {
                    product: request.product,
                    through: VERSION,
                    draft,
                    customer_address: None,
                    differences,
                };
                orders::create_order(&context, &bound, ordered, once)
                    .await
                    .map(|order| MadeResource::Order(Box::new(order)))
            }
            (IntendedRequest::Order { .. }, None) => Err(Refusal::from_kind(RefusalKind::AccessEnded).into()),
        };
        ActionResult::Answered(Box::new(answer))
    })
}

/// A customer looks at a consent and agrees with the account of this place in their list, or refuses.
pub(crate) fn decide(node: &Node, consent: Consent, psu: PsuId, account: Option<usize>) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let decided = async {
            let chosen = match (consent.terms.payment(), account) {
                (Some(payment), Some(place)) => {
                    let payers = consents::list_payer_accounts(&context, &psu, payment).await?;
                    let count = payers.len().max(1);
                    let Some(payer) = payers.get(place.checked_rem(count).unwrap_or(0)) else { return Ok(None) };
                    consents::select_payer(&context, &psu, payment, &payer.account.id).await?
                }
                _ => None,
            };
            let (inside, store) = (context.clone(), context.store.clone());
            let settle = move |tx: &mut dyn Transaction| settle(tx, &inside, &consent, &psu, chosen.as_ref());
            store.write(settle).await.map(|decided| Some(Box::new(decided)))
        };
        ActionResult::Decided(decided.await)
    })
}

fn settle(
    tx: &mut dyn Transaction,
    context: &lombard_service::Context,
    consent: &Consent,
    psu: &PsuId,
    chosen: Option<&AuthorisedSelection>,
) -> Result<Consent, Failure> {
    let Owned::Mine(locked) = tx.consent_for_update(&consent.client, &consent.id)? else {
        // Its TPP has deleted it.
        return Err(Refusal::from_kind(RefusalKind::NotFound).into());
    };
    match chosen {
        None => reject_consent_in(tx, context, &locked).map_err(Failure::from),
        Some(chosen) => match authorise_consent_in(tx, context, &locked, psu, chosen) {
            Ok(agreed) => Ok(agreed),
            // Somebody else was faster, or it is too late.
            Err(AuthoriseError::NotAuthorisable(_)) => Err(Refusal::from_kind(RefusalKind::ConsentState).into()),
            Err(AuthoriseError::Store(error)) => Err(error.into()),
        },
    }
}

/// A customer says something to an order that several must agree to.
pub(crate) fn countersign(node: &Node, psu: PsuId, order: OrderId, say: ApprovalDecision) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let said = approvals::record_approval_decision(&context, &psu, &order, say).await;
        ActionResult::Countersigned(said.map(|order| Some(Box::new(order))))
    })
}

/// A customer looks at what waits for them, and says yes or no to the first of it.
pub(crate) fn look(node: &Node, psu: PsuId, what: ApprovalDecision) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let looked = async {
            let waiting = approvals::list_pending_approvals(&context, &psu).await?;
            match waiting.first() {
                Some(first) => approvals::record_approval_decision(&context, &psu, &first.order.id, what)
                    .await
                    .map(Box::new)
                    .map(Some),
                None => Ok(None),
            }
        };
        ActionResult::Countersigned(looked.await)
    })
}

/// Whether there is money for a consent.
pub(crate) fn funds(node: &Node, consent: Consent) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let told = match consent.terms.payment().and_then(|payment| payment.terms.instruction.vrp()) {
            Some(terms) => vrp::funds(&context, &consent, terms.controls.individual).await,
            None => consents::confirm_payment_funds(&context, &consent).await.map(drop),
        };
        ActionResult::Ended(told)
    })
}

/// What a worker of a node does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WorkerKind {
    /// Orders are given to the bank.
    Submit,
    /// The bank's news are heard.
    ApplyUpdates,
    /// The bank does what is due.
    RunDue,
    /// Undecided consents are rejected.
    Reject,
    /// Orders nobody agrees to in time are ended.
    LapseOrders,
    /// Files that nobody took are removed.
    RemoveUploads,
    /// The node hears where the bank's clock was moved to.
    Follow,
}

impl WorkerKind {
    /// All of it.
    pub(crate) const ALL: [Self; 7] = [
        Self::Follow,
        Self::Submit,
        Self::ApplyUpdates,
        Self::RunDue,
        Self::Reject,
        Self::LapseOrders,
        Self::RemoveUploads,
    ];

    /// One activation. Returns how much was done.
    ///
    /// # Errors
    /// Whatever failed.
    pub(crate) async fn activate(self, node: &Node) -> Result<usize, Failure> {
        match self {
            Self::Submit => execution::submit_orders(&node.context).await,
            Self::ApplyUpdates => execution::apply_status_updates(&node.context).await,
            Self::RunDue => {
                Ok(node.scheduler.run_due().await.map(|done| usize::try_from(done).unwrap_or(usize::MAX))?)
            }
            Self::Reject => expiry::reject_undecided_consents(&node.context).await,
            Self::LapseOrders => expiry::lapse_orders(&node.context).await,
            Self::RemoveUploads => Ok(files::remove_abandoned_uploads(&node.context)
                .await
                .map(|gone| usize::try_from(gone).unwrap_or(usize::MAX))?),
            Self::Follow => Ok(node.clock.adopt_stored_offset().await.map(|()| 0)?),
        }
    }
}

/// A worker is activated.
pub(crate) fn work(node: &Node, work: WorkerKind) -> RunningAction {
    let node = node.clone();
    Box::pin(async move { ActionResult::Ended(work.activate(&node).await.map(drop)) })
}

/// What somebody outside may decide about an order.
pub(crate) const OUTCOMES: [OrderOutcome; 5] = [
    OrderOutcome::Settled,
    OrderOutcome::Credited,
    OrderOutcome::WithoutPosting,
    OrderOutcome::Rejected(RejectionReason::RefusedByScheme),
    OrderOutcome::Cancelled,
];

/// Somebody outside decides about an order at the bank.
pub(crate) fn bring_about(node: &Node, order: OrderId, what: OrderOutcome) -> RunningAction {
    let (accounts, clocks, market) = (node.accounts.clone(), node.context.clocks.clone(), node.market.clone());
    Box::pin(async move {
        let brought = accounts.write(move |tx| match force_outcome(tx, &order, what, &clocks, &market) {
            Ok(()) => Ok(()),
            Err(OutcomeError::Unknown | OutcomeError::Impossible(_)) => {
                Err(Failure::from(Refusal::from_kind(RefusalKind::ConsentState)))
            }
            Err(OutcomeError::Storage(error)) => Err(error.into()),
        });
        ActionResult::Ended(brought.await)
    })
}

/// An account is closed for a while, or opened again.
pub(crate) fn turn(node: &Node, account: &'static str) -> RunningAction {
    let store = node.accounts.clone();
    Box::pin(async move {
        let turned = store.write(move |tx| {
            let Some(mut record) = tx.bank_accounts(&[BankAccountId::from(account)])?.pop() else { return Ok(()) };
            let is_open = record.account.status == AccountStatus::Enabled;
            record.account.status = if is_open { AccountStatus::Disabled } else { AccountStatus::Enabled };
            Ok::<_, Failure>(tx.bank_account_update(&record)?)
        });
        ActionResult::Ended(turned.await)
    })
}

/// Whether nothing can become of a consent any more. What was ended at the bank may be given again.
pub(crate) const fn is_final(consent: &Consent) -> bool {
    match consent.state {
        ConsentState::AwaitingUpload
        | ConsentState::AwaitingAuthorisation
        | ConsentState::Authorised
        | ConsentState::Revoked(_) => consent.deleted_at.is_some(),
        ConsentState::Rejected | ConsentState::Consumed => true,
    }
}

/// Whether terms can be refused for what they say, at a time.
pub(crate) fn is_faulty(
    node: &Node,
    terms: &PaymentConsentRequest,
    between: (jiff::Timestamp, jiff::Timestamp),
) -> bool {
    let limits = &node.context.payments.limits;
    [between.0, between.1].into_iter().any(|at| !terms.faults(at, limits).is_empty())
}
