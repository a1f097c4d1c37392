//! Orders under the controls: made by the use-cases of payments, carried out by the bank.

use super::*;
use jiff::civil::date;
use lombard_domain::account::{AccountScheme, Identification};
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, OrderId};
use lombard_domain::ledger::Sums;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{
    Credit, NamedAccount, OrderDraft, PaymentConsentRequest, PaymentDraft, Reason, References, RequestedAuthorisation,
    ScaSupport, SummaryStatus, Timing, Transfer,
};
use lombard_domain::refusal::Fault;
use lombard_ports::controls::{CountersignDecision, OrderDetails, Outcome};
use lombard_ports::store::{IdempotencyKey, OfferedEventForm};
use lombard_service::payments::orders::{Ordered, place};
use lombard_service::payments::{Once, consents};
use std::convert::Infallible;

/// Minor units of every payment here.
const AMOUNT: u64 = 1_234;

fn terms(timing: Timing) -> PaymentConsentRequest {
    let payee = Identification {
        scheme: AccountScheme::SortCodeAccountNumber,
        number: "08080021325698".into(),
        name: None,
        secondary: None,
    };
    let credit = Credit {
        instrument: None,
        creditor: NamedAccount::named(payee, "Waterworks".into()),
        address: None,
        references: References::default(),
    };
    let amount = Amount::from_minor(AMOUNT, Currency::GBP);
    PaymentConsentRequest {
        instruction: Transfer::domestic(credit, amount, timing).into(),
        debtor: None,
        refund: false,
        authorisation: RequestedAuthorisation::default(),
        sca: ScaSupport::default(),
        context: None,
    }
}

fn alike(_: &Submitted, _: &Submitted) -> Result<Vec<Fault>, Infallible> {
    Ok(Vec::new())
}

/// An order of acme's that this customer has authorised; nothing has become of it.
pub(super) async fn order(controls: &BuiltInControls, psu: &str, timing: Timing) -> OrderId {
    let client = ClientId::from("acme");
    let submitted = || Submitted { version: Version::V3_1, json: "{}".to_owned() };
    let once = |operation: &str| {
        let key = controls.context.ids.ordered().hyphenated().to_string();
        let key = IdempotencyKey { client: "acme".into(), operation: operation.to_owned(), key };
        Once { key, body: Digest([1; 32]) }
    };
    let draft = PaymentDraft { terms: terms(timing), submitted: submitted() };
    let consent = consents::create(&controls.context, &client, draft, once("consents")).await.unwrap();
    let consent = controls.consent_authorise(&consent.id, &approval(psu)).await.unwrap();
    let product = consent.terms.payment().unwrap().terms.product();
    let draft = OrderDraft { consent: consent.id.clone(), submitted: submitted(), payment: None };
    let ordered = Ordered { product, through: Version::V3_1, draft, customer_address: None, differences: alike };
    place(&controls.context, &consent, ordered, once("orders")).await.unwrap().id
}

/// Orders as the contract wants them.
pub(super) async fn facts(controls: &BuiltInControls) -> contract::orders::Orders {
    let now = || Timing::Immediate;
    contract::orders::Orders {
        open: [order(controls, "amelia", now()).await, order(controls, "amelia", now()).await],
        scheduled: order(controls, "amelia", Timing::On(date(2026, 4, 1))).await,
        shared: [order(controls, "bashir", now()).await, order(controls, "bashir", now()).await],
        signatories: ["bashir".into(), "chloe".into()],
    }
}

/// What is on the account an order is paid from: booked and pending, minor units.
async fn sums(controls: &BuiltInControls, shown: &OrderDetails) -> Sums {
    let account = [shown.order.debtor.clone()];
    let read = controls.bank.read(move |tx| tx.ledger_sums(&account)).await;
    let totals = controls.bank.read(|tx| tx.ledger_totals()).await.unwrap();
    assert!(totals.iter().all(|(_, sums)| *sums == Sums::default()), "{totals:?}");
    read.unwrap()[0]
}

/// How many events about it wait for its TPP.
async fn told(controls: &BuiltInControls, order: &OrderId) -> usize {
    let acme = ClientId::from("acme");
    let waiting = controls.context.store.read(move |tx| tx.events_waiting(&acme, None, &[], 1_000)).await.unwrap();
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
    for (outcome, events) in [(Outcome::Settled, 2), (Outcome::WithoutPosting, 3), (Outcome::Credited, 4)] {
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
    for first in [None, Some(Outcome::Settled), Some(Outcome::WithoutPosting)] {
        let id = order(&controls, "amelia", Timing::Immediate).await;
        let before = sums(&controls, &controls.order(&id).await.unwrap()).await;
        if let Some(first) = first {
            controls.order_outcome(&id, first).await.unwrap();
        }
        let to = Outcome::Rejected(Reason::CreditorAccountUnusable);
        let there = controls.order_outcome(&id, to).await.unwrap();
        assert_eq!(there.order.phase(), SummaryStatus::Rejected);
        assert_eq!(sums(&controls, &there).await, before, "{first:?}");
    }
}

#[tokio::test]
async fn sch_008_before_its_day_an_order_is_kept_or_taken_back() {
    let controls = controls().await;
    let day = date(2026, 4, 1);
    let id = order(&controls, "amelia", Timing::On(day)).await;
    // The bank takes it into its keeping; then there is nothing to settle.
    let kept = controls.order_outcome(&id, Outcome::Settled).await.unwrap();
    assert_eq!(kept.order.phase(), SummaryStatus::InitiationCompleted);
    for early in [Outcome::Settled, Outcome::Credited, Outcome::Rejected(Reason::Unstated)] {
        let refused = controls.order_outcome(&id, early).await;
        assert!(matches!(refused, Err(ControlError::Conflict(_))), "{refused:?}");
    }
    let taken_back = controls.order_outcome(&id, Outcome::Cancelled).await.unwrap();
    assert_eq!((taken_back.order.phase(), taken_back.payments), (SummaryStatus::Cancelled, Vec::new()));
}

#[tokio::test]
async fn pis_112_the_second_director_lets_the_order_proceed() {
    let controls = controls().await;
    let id = order(&controls, "chloe", Timing::Immediate).await;
    let approvals = controls.order(&id).await.unwrap().order.approvals.unwrap();
    assert_eq!((approvals.required, approvals.received), (2, vec!["chloe".into()]));
    let amelia = controls.order_countersign(&id, &"amelia".into(), CountersignDecision::Agree).await;
    assert!(matches!(amelia, Err(ControlError::Refused(_))), "{amelia:?}");
    let agreed = controls.order_countersign(&id, &"bashir".into(), CountersignDecision::Agree).await.unwrap();
    assert!(agreed.order.is_ready());
    assert_eq!(told(&controls, &id).await, 1);
}
