//! Payments that two customers must approve, tested for the second one.
#![allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of these tests")]

use super::*;
use crate::authorisation::testing::{of_file, one_pound};
use crate::sessions::payments::{
    ApprovalForm, DecisionResult, PaymentDecision, PendingPayment, decide_payment, find_pending_payment,
    list_payment_lines, list_pending_payments,
};
use lombard_domain::ids::OrderId;
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::payment::order::{ApprovalStatus, Order, PaymentConsentRequest, SummaryStatus};
use lombard_ports::store::Owned;
use lombard_service::payments::consents::select_payer;

const LINKED: &str = "1.00 to Waterworks";

/// An order of acme over one pound from the account bashir and chloe sign for together; bashir has agreed to it.
async fn ordered(world: &World, terms: PaymentConsentRequest) -> OrderId {
    ordered_under(world, &world.payment("acme", terms).await).await
}

/// An order under this consent of acme, from that account.
async fn ordered_under(world: &World, consent: &ConsentId) -> OrderId {
    let both = vec!["bashir".into(), "chloe".into()];
    world.bank.set_payer("acc-3".into(), SignedAmount::from_minor(500, Currency::GBP), both);
    let consent = world.stored(consent).await;
    let context = auth(world).context.clone();
    let payment = consent.request.payment().unwrap();
    let chosen = select_payer(&context, &"bashir".into(), payment, &"acc-3".into()).await.unwrap().unwrap();
    let id = OrderId::new(format!("order-of-{}", consent.id));
    let (order, inside) = (id.clone(), context.clone());
    let placed = context.store.write::<_, consents::AuthoriseError, _>(move |tx| {
        let Owned::Mine(locked) = tx.consent_for_update(&"acme".into(), &consent.id)? else { panic!("not there") };
        let mut agreed = consents::authorise_consent_in(tx, &inside, &locked, &"bashir".into(), &chosen)?;
        let order = agreed.consume(order.clone(), inside.clocks.bank_now()).unwrap();
        tx.consent_update(&agreed)?;
        tx.order_insert(&order)?;
        Ok(())
    });
    placed.await.unwrap();
    id
}

async fn customer(world: &World, browser: &BrowserSecret) -> LoggedInPsu {
    match view_session(auth(world), browser).await.unwrap() {
        SessionView::Open(customer) => customer,
        other => panic!("not logged in: {other:?}"),
    }
}

async fn seen(world: &World, browser: &BrowserSecret, id: &OrderId) -> (PendingPayment, Option<String>) {
    let customer = customer(world, browser).await;
    let (payment, challenge) = find_pending_payment(auth(world), &customer, id).await.unwrap().unwrap();
    let code = |form| match form {
        ApprovalForm::Code(challenge) => challenge.shown_code.unwrap(),
        ApprovalForm::AtProvider { .. } => panic!("customers log in on pages"),
    };
    (payment, challenge.map(code))
}

async fn listed(world: &World, browser: &BrowserSecret) -> Vec<OrderId> {
    let customer = customer(world, browser).await;
    list_pending_payments(auth(world), &customer).await.unwrap().into_iter().map(|payment| payment.order.id).collect()
}

async fn says(world: &World, browser: &BrowserSecret, id: &OrderId, answer: PaymentDecision) -> Option<DecisionResult> {
    decide_payment(auth(world), &submission(world, browser).await, id, &answer).await.unwrap()
}

async fn stored(world: &World, id: &OrderId) -> Order {
    let id = id.clone();
    auth(world).context.store.read(move |tx| tx.order_for_update(&id)).await.unwrap().unwrap()
}

fn approval(code: &str) -> PaymentDecision {
    PaymentDecision::Approve(code.to_owned())
}

fn status(order: &Order) -> ApprovalStatus {
    order.approvals.as_ref().unwrap().status
}

#[tokio::test]
async fn pis_112_the_second_customer_agrees_with_a_code_linked_to_the_payment() {
    let world = World::new().await;
    let id = ordered(&world, one_pound()).await;
    let (bashir, chloe) = (logged_in(&world, "bashir").await, logged_in(&world, "chloe").await);
    assert_eq!(listed(&world, &bashir).await, [], "bashir has agreed");
    assert_eq!(listed(&world, &chloe).await, std::slice::from_ref(&id));
    let (payment, code) = seen(&world, &chloe, &id).await;
    assert_eq!((payment.awaits_approval, payment.approved_by.as_slice()), (true, ["BASHIR".to_owned()].as_slice()));
    assert_eq!(code.as_deref(), Some(LINKED), "AS-142: amount and payee");
    let (payment, code) = seen(&world, &bashir, &id).await;
    assert_eq!((payment.awaits_approval, code), (false, None));

    for wrong in [CODE, "", "2.00 to Waterworks"] {
        let said = says(&world, &chloe, &id, approval(wrong)).await;
        assert_eq!(said, Some(DecisionResult::Retry(LoginNotice::WrongCode)), "being logged in is not enough");
    }
    assert_eq!(status(&stored(&world, &id).await), ApprovalStatus::Awaiting);
    assert_eq!(says(&world, &chloe, &id, approval(LINKED)).await, Some(DecisionResult::Decided));
    let order = stored(&world, &id).await;
    assert_eq!((status(&order), order.is_ready()), (ApprovalStatus::Authorised, true));
    assert_eq!(listed(&world, &chloe).await, []);
    let (payment, code) = seen(&world, &chloe, &id).await;
    assert_eq!((payment.awaits_approval, payment.approved_by.len(), code), (false, 2, None), "its page stays");
    let before = stored(&world, &id).await;
    assert_eq!(says(&world, &chloe, &id, PaymentDecision::Decline).await, Some(DecisionResult::Decided));
    assert_eq!(stored(&world, &id).await, before, "what is agreed stays agreed");
}

#[tokio::test]
async fn err_004_a_failed_authoriser_is_recorded_while_the_payment_awaits() {
    let world = World::new().await;
    let id = ordered(&world, one_pound()).await;
    let chloe = logged_in(&world, "chloe").await;
    let before = stored(&world, &id).await;
    for _ in 0..2 {
        says(&world, &chloe, &id, approval("a guess")).await;
        let approvals = stored(&world, &id).await.approvals.unwrap();
        assert_eq!((approvals.status, approvals.failed.as_slice()), (ApprovalStatus::Awaiting, &["chloe".into()][..]));
        assert_eq!(approvals.changed_at, before.approvals.as_ref().unwrap().changed_at, "nobody has approved");
    }
    assert_eq!(says(&world, &chloe, &id, approval(LINKED)).await, Some(DecisionResult::Decided));
    let approvals = stored(&world, &id).await.approvals.unwrap();
    assert_eq!((approvals.status, approvals.failed.as_slice()), (ApprovalStatus::Authorised, &[][..]));
}

#[tokio::test]
async fn pis_112_a_refusal_needs_no_code_and_ends_the_payment() {
    let world = World::new().await;
    let id = ordered(&world, one_pound()).await;
    let chloe = logged_in(&world, "chloe").await;
    assert_eq!(says(&world, &chloe, &id, PaymentDecision::Decline).await, Some(DecisionResult::Decided));
    let order = stored(&world, &id).await;
    assert_eq!((status(&order), order.summary_status()), (ApprovalStatus::Rejected, SummaryStatus::Rejected));
    assert_eq!(says(&world, &chloe, &id, approval(LINKED)).await, Some(DecisionResult::Decided));
    assert_eq!(stored(&world, &id).await, order, "no way back");
}

#[tokio::test]
async fn pis_112_the_second_customer_looks_through_a_file_and_nobody_else_does() {
    let world = World::new().await;
    let terms = of_file();
    let consent = world.payment("acme", terms).await;
    world.upload(&consent, 51).await;
    let id = ordered_under(&world, &consent).await;
    let (chloe, amelia) = (logged_in(&world, "chloe").await, logged_in(&world, "amelia").await);
    let (payment, _) = seen(&world, &chloe, &id).await;
    assert_eq!((payment.lines.len(), payment.debit), (5, None));
    let known = customer(&world, &chloe).await;
    let look = async |page| {
        list_payment_lines(auth(&world), &known, &id, page).await.unwrap().map(|(_, lines)| lines.lines.len())
    };
    assert_eq!((look(1).await, look(2).await, look(3).await, look(0).await), (Some(50), Some(1), None, None));
    let foreign = customer(&world, &amelia).await;
    assert!(list_payment_lines(auth(&world), &foreign, &id, 1).await.unwrap().is_none());
}

#[tokio::test]
async fn payments_of_others_are_neither_seen_nor_decided() {
    let world = World::new().await;
    let id = ordered(&world, one_pound()).await;
    let amelia = logged_in(&world, "amelia").await;
    assert_eq!(listed(&world, &amelia).await, []);
    let known = customer(&world, &amelia).await;
    for order in [&id, &OrderId::from("unknown")] {
        assert!(find_pending_payment(auth(&world), &known, order).await.unwrap().is_none());
        for answer in [approval(LINKED), PaymentDecision::Decline] {
            assert_eq!(says(&world, &amelia, order, answer).await, None);
        }
    }
    assert_eq!(status(&stored(&world, &id).await), ApprovalStatus::Awaiting);
}

#[tokio::test]
async fn as_141_as_144_a_page_decides_once_and_in_its_session() {
    let world = World::new().await;
    let (first, second) = (ordered(&world, one_pound()).await, ordered(&world, one_pound()).await);
    let chloe = logged_in(&world, "chloe").await;
    let page = submission(&world, &chloe).await;
    for page in [
        SubmittedPage { form_token: "forged".into(), ..page.clone() },
        SubmittedPage { browser: logged_in(&world, "chloe").await, ..page.clone() },
    ] {
        let said = decide_payment(auth(&world), &page, &first, &PaymentDecision::Decline).await;
        assert!(matches!(said, Err(SessionError::Stale)), "{said:?}");
    }
    let out = SubmittedPage { browser: new_browser_secret(auth(&world)), ..page.clone() };
    assert!(matches!(
        decide_payment(auth(&world), &out, &first, &PaymentDecision::Decline).await,
        Err(SessionError::Unavailable(LoggedOut))
    ));
    let half = halfway(&world, "chloe").await;
    let half = submission(&world, &half).await;
    assert!(
        matches!(
            decide_payment(auth(&world), &half, &first, &PaymentDecision::Decline).await,
            Err(SessionError::Stale)
        ),
        "both factors"
    );
    assert_eq!(status(&stored(&world, &first).await), ApprovalStatus::Awaiting);

    assert_eq!(
        decide_payment(auth(&world), &page, &first, &approval(LINKED)).await.unwrap(),
        Some(DecisionResult::Decided)
    );
    assert!(matches!(decide_payment(auth(&world), &page, &second, &approval(LINKED)).await, Err(SessionError::Stale)));
    assert_eq!(status(&stored(&world, &second).await), ApprovalStatus::Awaiting);
}

#[tokio::test]
async fn as_143_guesses_at_the_code_of_a_payment_are_throttled() {
    let world = World::new().await;
    let id = ordered(&world, one_pound()).await;
    let chloe = logged_in(&world, "chloe").await;
    for _ in 0..5 {
        assert_eq!(
            says(&world, &chloe, &id, approval("guess")).await,
            Some(DecisionResult::Retry(LoginNotice::WrongCode))
        );
    }
    let stopped = decide_payment(auth(&world), &submission(&world, &chloe).await, &id, &approval(LINKED)).await;
    assert!(matches!(stopped, Err(SessionError::Throttled(_))), "{stopped:?}");
    assert_eq!(status(&stored(&world, &id).await), ApprovalStatus::Awaiting);
}

#[tokio::test]
async fn pis_112_after_its_time_nobody_can_agree() {
    let world = World::new().await;
    let mut terms = one_pound();
    terms.authorisation.complete_by = Some(auth(&world).context.clocks.bank_now() + SignedDuration::from_secs(60));
    let id = ordered(&world, terms).await;
    let chloe = logged_in(&world, "chloe").await;
    world.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(listed(&world, &chloe).await, []);
    let (payment, code) = seen(&world, &chloe, &id).await;
    assert_eq!((payment.awaits_approval, payment.lapsed, code), (false, true, None));
    assert_eq!(says(&world, &chloe, &id, approval(LINKED)).await, Some(DecisionResult::Decided));
    assert_eq!(stored(&world, &id).await.approvals.unwrap().received.len(), 1, "too late");
}

#[tokio::test]
async fn as_134_a_payment_is_no_connected_application() {
    let world = World::new().await;
    ordered(&world, one_pound()).await;
    let bashir = PsuId::from("bashir");
    assert!(apps::list_connected_apps(auth(&world), &bashir).await.unwrap().is_empty());
    let consent = ConsentId::from("payment-0");
    assert_eq!(world.stored(&consent).await.psu, Some(bashir.clone()));
    assert!(apps::find_connected_app(auth(&world), &bashir, &consent).await.unwrap().is_none());
}
