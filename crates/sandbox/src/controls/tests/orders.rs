//! Orders for tests of the controls: created by the payment use-cases and executed by the bank.

use super::*;
use jiff::civil::date;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, OrderId};
use lombard_domain::ledger::LedgerSums;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::order::{
    OrderDraft, PaymentConsentRequest, PaymentDraft, RejectionReason, RequestForm, SummaryStatus,
};
use lombard_domain::payment::transfer::{CreditorDetails, NamedAccount, Timing, Transfer};
use lombard_ports::controls::{CountersignDecision, OrderDetails, OrderOutcome};
use lombard_ports::store::{IdempotencyKey, OfferedEventForm, ReusableSignatures};
use lombard_service::payments::orders::{OrderSubmission, create_order};
use lombard_service::payments::{IdempotentRequest, consents};

/// The amount of every payment, in minor units.
const AMOUNT: u64 = 1_234;

fn terms(timing: Timing) -> PaymentConsentRequest {
    let payee = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "08080021325698");
    let credit = CreditorDetails::new(NamedAccount::under_name(payee, "Waterworks".into()));
    let amount = Amount::from_minor(AMOUNT, Currency::GBP);
    PaymentConsentRequest::new(Transfer::domestic(credit, amount, timing))
}

/// Creates an order of the TPP `acme` that this customer has authorised and that is not executed yet.
pub(super) async fn order(controls: &ServerControls, psu: &str, timing: Timing) -> OrderId {
    let client = ClientId::from("acme");
    let submitted = || Submitted { version: Version::V3_1, json: "{}".to_owned() };
    let once = |operation: &str| {
        let key: String = controls.context.ids.ordered();
        let key = IdempotencyKey { client: "acme".into(), operation: operation.to_owned(), key };
        IdempotentRequest { key, body_digest: Digest([1; 32]) }
    };
    let draft = PaymentDraft { terms: terms(timing), form: RequestForm::default(), submitted: submitted() };
    let consent = consents::create_payment_consent(&controls.context, &client, draft, once("consents")).await.unwrap();
    let consent = controls.consent_authorise(&consent.id, &approval(psu)).await.unwrap();
    let product = consent.request.payment().unwrap().terms.product();
    let draft = OrderDraft { consent: consent.id.clone(), submitted: submitted(), payment: None };
    let differences = Vec::new();
    let ordered = OrderSubmission {
        product,
        endpoint_version: Version::V3_1,
        payload_version: Version::V3_1,
        draft,
        customer_address: None,
        differences,
    };
    create_order(&controls.context, &consent, ordered, once("orders")).await.unwrap().id
}

/// Creates the orders that the contract tests need.
pub(super) async fn facts(controls: &ServerControls) -> contract::orders::Orders {
    let now = || Timing::Immediate;
    contract::orders::Orders {
        open: [order(controls, "amelia", now()).await, order(controls, "amelia", now()).await],
        scheduled: order(controls, "amelia", Timing::Scheduled(date(2026, 4, 1))).await,
        shared: [order(controls, "bashir", now()).await, order(controls, "bashir", now()).await],
        signatories: ["bashir".into(), "chloe".into()],
    }
}

/// The booked and pending sums of the debtor account, in minor units.
fn bank(controls: &ServerControls) -> &JointStore {
    &controls.joint.as_ref().unwrap().store
}

async fn sums(controls: &ServerControls, shown: &OrderDetails) -> LedgerSums {
    let account = [shown.order.debtor.clone()];
    let read = bank(controls).read(move |tx| tx.bank().ledger_sums(&account)).await;
    let totals = bank(controls).read(|tx| tx.bank().ledger_totals()).await.unwrap();
    assert!(totals.iter().all(|(_, sums)| *sums == LedgerSums::default()), "{totals:?}");
    read.unwrap()[0]
}

/// The number of the order's events in the TPP's queue.
async fn told(controls: &ServerControls, order: &OrderId) -> usize {
    let acme = ClientId::from("acme");
    let waiting = controls
        .context
        .store
        .read(move |tx| tx.events_waiting(&acme, None, &ReusableSignatures::default(), 1_000))
        .await
        .unwrap();
    let about = |form: &OfferedEventForm| match form {
        OfferedEventForm::Unsigned(event) => event.claims.resource_id == order.as_str(),
        OfferedEventForm::Signed(_) => false,
    };
    waiting.iter().filter(|event| about(&event.form)).count()
}

#[tokio::test]
async fn pis_048_an_outcome_moves_the_money_once_and_tells_the_tpp() {
    let controls = controls().await;
    let id = order(&controls, "amelia", Timing::Immediate).await;
    let before = sums(&controls, &controls.order(&id).await.unwrap()).await;
    let debited = before.booked - i64::try_from(AMOUNT).unwrap();
    for (outcome, events) in
        [(OrderOutcome::Settled, 2), (OrderOutcome::WithoutPosting, 3), (OrderOutcome::Credited, 4)]
    {
        let there = controls.order_outcome(&id, outcome).await.unwrap();
        let after = sums(&controls, &there).await;
        assert_eq!((after.booked, after.pending), (debited, before.pending), "{outcome:?}");
        assert_eq!(told(&controls, &id).await, events, "{outcome:?}");
        controls.order_outcome(&id, outcome).await.unwrap_err();
        assert_eq!(sums(&controls, &there).await, after, "nothing happens twice");
    }
}

#[tokio::test]
async fn pis_048_a_payment_that_comes_back_leaves_the_payer_as_before() {
    let controls = controls().await;
    for first in [None, Some(OrderOutcome::Settled), Some(OrderOutcome::WithoutPosting)] {
        let id = order(&controls, "amelia", Timing::Immediate).await;
        let before = sums(&controls, &controls.order(&id).await.unwrap()).await;
        if let Some(first) = first {
            controls.order_outcome(&id, first).await.unwrap();
        }
        let to = OrderOutcome::Rejected(RejectionReason::CreditorAccountUnusable);
        let there = controls.order_outcome(&id, to).await.unwrap();
        assert_eq!(there.order.summary_status(), SummaryStatus::Rejected);
        assert_eq!(sums(&controls, &there).await, before, "{first:?}");
    }
}

#[tokio::test]
async fn sch_008_before_its_day_an_order_is_kept_or_taken_back() {
    let controls = controls().await;
    let day = date(2026, 4, 1);
    let id = order(&controls, "amelia", Timing::Scheduled(day)).await;
    // The bank accepts and warehouses the order; nothing is settled.
    let kept = controls.order_outcome(&id, OrderOutcome::Settled).await.unwrap();
    assert_eq!(kept.order.summary_status(), SummaryStatus::InitiationCompleted);
    for early in [OrderOutcome::Settled, OrderOutcome::Credited, OrderOutcome::Rejected(RejectionReason::NotGiven)] {
        let refused = controls.order_outcome(&id, early).await;
        assert!(matches!(refused, Err(ControlError::Conflict(_))), "{refused:?}");
    }
    let taken_back = controls.order_outcome(&id, OrderOutcome::Cancelled).await.unwrap();
    assert_eq!((taken_back.order.summary_status(), taken_back.payments), (SummaryStatus::Cancelled, Vec::new()));
}

#[tokio::test]
async fn pis_112_the_second_director_lets_the_order_proceed() {
    let controls = controls().await;
    let id = order(&controls, "chloe", Timing::Immediate).await;
    let approvals = controls.order(&id).await.unwrap().order.approvals.unwrap();
    assert_eq!((approvals.required, approvals.received), (2, vec!["chloe".into()]));
    let amelia = controls.order_countersign(&id, &"amelia".into(), CountersignDecision::Approve).await;
    assert!(matches!(amelia, Err(ControlError::Refused(_))), "{amelia:?}");
    let agreed = controls.order_countersign(&id, &"bashir".into(), CountersignDecision::Approve).await.unwrap();
    assert!(agreed.order.is_ready());
    assert_eq!(told(&controls, &id).await, 1);
}
