//! What TPPs, customers and workers do, each as a future that waits at the gate before every call of a port.

use crate::wishes::{Asked, Request};
use crate::world::Node;
mod upload;
mod within_limits;

pub(crate) use within_limits::{delete, revoke};

use lombard_corebank::payments::{OutcomeError, outcome};
use lombard_domain::account::AccountStatus;
use lombard_domain::consent::{Consent, State, Submitted};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::order::{Order, OrderDraft, OrderView, PaymentConsentRequest, PaymentDraft, Reason};
use lombard_domain::refusal::{Fault, FaultCode, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::controls::Outcome;
use lombard_ports::store::{Owned, Transaction};
use lombard_service::Failure;
use lombard_service::consents::{AuthoriseError, AuthorisedSelection, authorise_consent_in, reject_consent_in};
use lombard_service::payments::approvals::{self, ApprovalDecision};
use lombard_service::payments::consents;
use lombard_service::payments::orders::{self, Ordered};
use lombard_service::payments::{execution, files, upkeep};
use std::convert::Infallible;
use std::pin::Pin;

/// Something that is being done.
pub(crate) type RunningAction = Pin<Box<dyn Future<Output = Done>>>;

/// What came of it.
#[derive(Debug)]
pub(crate) enum Done {
    /// A TPP was answered.
    Answered(Box<Result<Made, Failure>>),
    /// A customer decided on a consent; or on none, for nothing fitted.
    Decided(Result<Option<Box<Consent>>, Failure>),
    /// A customer said something to an order; or to none, for none waited.
    Said(Result<Option<Box<Order>>, Failure>),
    /// Somebody else came to an end.
    Ended(Result<(), Failure>),
}

impl Done {
    /// Why it did not succeed.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Answered(answer) => answer.as_ref().as_ref().err(),
            Self::Decided(decided) => decided.as_ref().err(),
            Self::Said(said) => said.as_ref().err(),
            Self::Ended(ended) => ended.as_ref().err(),
        }
    }
}

/// What a TPP was answered with.
#[derive(Debug)]
pub(crate) enum Made {
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

type Compared = Result<Vec<Fault>, Infallible>;

fn alike(_: &Submitted, _: &Submitted) -> Compared {
    Ok(Vec::new())
}

fn different(_: &Submitted, _: &Submitted) -> Compared {
    Ok(vec![Fault::new(FaultCode::ConsentMismatch, "The simulation says so.")])
}

/// A request is sent; with an order comes the consent of its token.
pub(crate) fn send(node: &Node, request: Request, bound: Option<Consent>) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let once = request.once();
        let answer = match (request.asked, bound) {
            (Asked::Consent(terms), _) => {
                let draft = PaymentDraft { terms: *terms, submitted: submitted() };
                consents::create(&context, &request.client, draft, once).await.map(|made| Made::Consent(Box::new(made)))
            }
            (Asked::File { consent, sent }, _) => {
                upload::send(&context, &request.client, &consent, &sent, once).await.map(|()| Made::File)
            }
            (Asked::Order { consent, differing, payment }, Some(bound)) => {
                let draft = OrderDraft { consent, submitted: submitted(), payment };
                let differences = if differing { different } else { alike };
                let ordered =
                    Ordered { product: request.product, through: VERSION, draft, customer_address: None, differences };
                orders::place(&context, &bound, ordered, once).await.map(|order| Made::Order(Box::new(order)))
            }
            (Asked::Order { .. }, None) => Err(Refusal::of(RefusalKind::AccessEnded).into()),
        };
        Done::Answered(Box::new(answer))
    })
}

/// A customer looks at a consent and agrees with the account of this place in their list, or refuses.
pub(crate) fn decide(node: &Node, consent: Consent, psu: PsuId, account: Option<usize>) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let decided = async {
            let chosen = match (consent.terms.payment(), account) {
                (Some(payment), Some(place)) => {
                    let payers = consents::payers(&context, &psu, payment).await?;
                    let count = payers.len().max(1);
                    let Some(payer) = payers.get(place.checked_rem(count).unwrap_or(0)) else { return Ok(None) };
                    consents::choose(&context, &psu, payment, &payer.account.id).await?
                }
                _ => None,
            };
            let (inside, store) = (context.clone(), context.store.clone());
            let settle = move |tx: &mut dyn Transaction| settle(tx, &inside, &consent, &psu, chosen.as_ref());
            store.write(settle).await.map(|decided| Some(Box::new(decided)))
        };
        Done::Decided(decided.await)
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
        return Err(Refusal::of(RefusalKind::NotFound).into());
    };
    match chosen {
        None => reject_consent_in(tx, context, &locked).map_err(Failure::from),
        Some(chosen) => match authorise_consent_in(tx, context, &locked, psu, chosen) {
            Ok(agreed) => Ok(agreed),
            // Somebody else was faster, or it is too late.
            Err(AuthoriseError::Barred(_)) => Err(Refusal::of(RefusalKind::ConsentState).into()),
            Err(AuthoriseError::Store(error)) => Err(error.into()),
        },
    }
}

/// A customer says something to an order that several must agree to.
pub(crate) fn say(node: &Node, psu: PsuId, order: OrderId, say: ApprovalDecision) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let said = approvals::say(&context, &psu, &order, say).await;
        Done::Said(said.map(|order| Some(Box::new(order))))
    })
}

/// A customer looks at what waits for them, and says yes or no to the first of it.
pub(crate) fn look(node: &Node, psu: PsuId, what: ApprovalDecision) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let looked = async {
            let waiting = approvals::waiting(&context, &psu).await?;
            match waiting.first() {
                Some(first) => approvals::say(&context, &psu, &first.order.id, what).await.map(Box::new).map(Some),
                None => Ok(None),
            }
        };
        Done::Said(looked.await)
    })
}

/// Whether there is money for a consent.
pub(crate) fn funds(node: &Node, consent: Consent) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let told = match consent.terms.payment().and_then(|payment| payment.terms.instruction.recurring()) {
            Some(terms) => within_limits::funds(&context, &consent, terms.controls.individual).await,
            None => consents::funds(&context, &consent).await.map(drop),
        };
        Done::Ended(told)
    })
}

/// What a worker of a node does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Work {
    /// Orders are given to the bank.
    Give,
    /// The bank's news are heard.
    Hear,
    /// The bank does what is due.
    Turn,
    /// Undecided consents are rejected.
    Reject,
    /// Orders nobody agrees to in time are ended.
    Lapse,
    /// Files that nobody took are removed.
    Sweep,
    /// The node hears where the bank's clock was moved to.
    Follow,
}

impl Work {
    /// All of it.
    pub(crate) const ALL: [Self; 7] =
        [Self::Follow, Self::Give, Self::Hear, Self::Turn, Self::Reject, Self::Lapse, Self::Sweep];

    /// One activation. Returns how much was done.
    ///
    /// # Errors
    /// Whatever failed.
    pub(crate) async fn activate(self, node: &Node) -> Result<usize, Failure> {
        match self {
            Self::Give => execution::give(&node.context).await,
            Self::Hear => execution::hear(&node.context).await,
            Self::Turn => Ok(node.diary.turn().await.map(|done| usize::try_from(done).unwrap_or(usize::MAX))?),
            Self::Reject => upkeep::reject_undecided_consents(&node.context).await,
            Self::Lapse => upkeep::lapse(&node.context).await,
            Self::Sweep => {
                Ok(files::sweep(&node.context).await.map(|gone| usize::try_from(gone).unwrap_or(usize::MAX))?)
            }
            Self::Follow => Ok(node.clock.follow().await.map(|()| 0)?),
        }
    }
}

/// A worker is activated.
pub(crate) fn work(node: &Node, work: Work) -> RunningAction {
    let node = node.clone();
    Box::pin(async move { Done::Ended(work.activate(&node).await.map(drop)) })
}

/// What somebody outside may decide about an order.
pub(crate) const OUTCOMES: [Outcome; 5] = [
    Outcome::Settled,
    Outcome::Credited,
    Outcome::WithoutPosting,
    Outcome::Rejected(Reason::RefusedByScheme),
    Outcome::Cancelled,
];

/// Somebody outside decides about an order at the bank.
pub(crate) fn bring_about(node: &Node, order: OrderId, what: Outcome) -> RunningAction {
    let (accounts, clocks, market) = (node.accounts.clone(), node.context.clocks.clone(), node.market.clone());
    Box::pin(async move {
        let brought = accounts.write(move |tx| match outcome(tx, &order, what, &clocks, &market) {
            Ok(()) => Ok(()),
            Err(OutcomeError::Unknown | OutcomeError::Impossible(_)) => {
                Err(Failure::from(Refusal::of(RefusalKind::ConsentState)))
            }
            Err(OutcomeError::Storage(error)) => Err(error.into()),
        });
        Done::Ended(brought.await)
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
        Done::Ended(turned.await)
    })
}

/// Whether nothing can become of a consent any more. What was ended at the bank may be given again.
pub(crate) const fn is_final(consent: &Consent) -> bool {
    match consent.state {
        State::AwaitingUpload | State::AwaitingAuthorisation | State::Authorised | State::Revoked(_) => {
            consent.deleted_at.is_some()
        }
        State::Rejected | State::Consumed => true,
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
