//! Orders that several customers must approve. Source: section 2.12.

use super::*;
use agreeing::ApprovalDecision;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::payment::order::{ApprovalStatus, ApproverAuthentication};

async fn say(world: &World, psu: &str, id: &OrderId, what: ApprovalDecision) -> Result<Order, Failure> {
    agreeing::record_approval_decision(&world.context, &psu.into(), id, what).await
}

async fn waiting(world: &World, psu: &str) -> Vec<OrderId> {
    let waiting = agreeing::list_pending_approvals(&world.context, &psu.into()).await.unwrap();
    waiting.into_iter().map(|it| it.order.id).collect()
}

fn by(end: Timestamp) -> PaymentConsentRequest {
    let mut terms = terms(now());
    terms.authorisation.complete_by = Some(end);
    terms
}

#[tokio::test]
async fn pis_112_an_order_of_two_waits_for_the_second_and_then_proceeds() {
    let world = World::new().await;
    let order = world.order_of_two(terms(now()), "k").await;
    let approvals = order.approvals.unwrap();
    assert_eq!((approvals.status, approvals.required, approvals.count()), (ApprovalStatus::Awaiting, 2, 1));
    assert_eq!(order.status_history.current().summary(order.product.family()), SummaryStatus::Pending);
    assert_eq!(world.consent(&order.consent).await.state, ConsentState::Consumed);
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0, "not the bank's yet");
    assert_eq!(waiting(&world, "chloe").await, std::slice::from_ref(&order.id));
    assert_eq!(waiting(&world, "bashir").await, [], "he has agreed");
    assert_eq!(waiting(&world, "amelia").await, []);

    world.clock.advance(DAY * 3);
    let factors = vec![AuthenticationFactor::Knowledge, AuthenticationFactor::Possession];
    let agreed = say(&world, "chloe", &order.id, ApprovalDecision::Approve(factors.clone())).await.unwrap();
    assert_eq!(agreed.approvals.as_ref().unwrap().status, ApprovalStatus::Authorised);
    let chloe = ApproverAuthentication { psu: "chloe".into(), at: world.bank_now(), factors };
    assert_eq!(agreed.approvals.as_ref().unwrap().authentications, [chloe]);
    assert_eq!(agreed.summary_status(), SummaryStatus::Pending);
    assert_eq!(world.told(order.id.as_str()).await, 1, "what a GET shows of the agreement has changed");
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 1);
    assert_eq!(world.at_bank(), std::slice::from_ref(&order.id));
    world.pay(&order.id, 1, PaymentStatus::InProcess);
    working::apply_status_updates(&world.context).await.unwrap();
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InProcess);
    assert_eq!(world.told(order.id.as_str()).await, 1);
}

#[tokio::test]
async fn pis_112_a_refusal_ends_the_order_and_its_tpp_is_told_once() {
    let world = World::new().await;
    for (timing, summary_status) in [(now(), SummaryStatus::Rejected), (monthly(), SummaryStatus::InitiationFailed)] {
        let order = world.order_of_two(terms(timing), &format!("{summary_status:?}")).await;
        let refused = say(&world, "chloe", &order.id, ApprovalDecision::Decline).await.unwrap();
        assert_eq!(
            (refused.summary_status(), refused.reason),
            (summary_status, Some(RejectionReason::RefusedByAuthoriser))
        );
        assert_eq!(refused.approvals.unwrap().status, ApprovalStatus::Rejected);
        assert_eq!(world.told(order.id.as_str()).await, 1);
        assert_eq!(
            refusal(say(&world, "chloe", &order.id, ApprovalDecision::Approve(Vec::new())).await).kind,
            RefusalKind::ConsentState
        );
    }
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0);
    assert_eq!(waiting(&world, "chloe").await, []);
}

#[tokio::test]
async fn pis_112_nobody_agrees_twice_or_to_what_is_not_theirs() {
    let world = World::new().await;
    let order = world.order_of_two(terms(now()), "k").await;
    assert_eq!(
        refusal(say(&world, "bashir", &order.id, ApprovalDecision::Approve(Vec::new())).await).kind,
        RefusalKind::ConsentState
    );
    assert_eq!(refusal(say(&world, "amelia", &order.id, ApprovalDecision::Decline).await).kind, RefusalKind::NotFound);
    assert_eq!(
        refusal(say(&world, "chloe", &"nothing".into(), ApprovalDecision::Approve(Vec::new())).await).kind,
        RefusalKind::NotFound
    );
    let alone = world.order(terms(now()), "l").await;
    assert_eq!(refusal(say(&world, "amelia", &alone.id, ApprovalDecision::Decline).await).kind, RefusalKind::NotFound);
    let (one, other) = tokio::join!(
        say(&world, "chloe", &order.id, ApprovalDecision::Approve(Vec::new())),
        say(&world, "chloe", &order.id, ApprovalDecision::Decline)
    );
    let (won, lost) = if one.is_ok() { (one, other) } else { (other, one) };
    assert!(won.is_ok());
    assert_eq!(refusal(lost).kind, RefusalKind::ConsentState);
    assert_eq!(world.told(order.id.as_str()).await, 1);
}

#[tokio::test]
async fn pis_112_time_to_agree_runs_out_at_its_instant() {
    let world = World::new().await;
    let end = monday() + DAY;
    let order = world.order_of_two(by(end), "k").await;
    let endless = world.order_of_two(terms(now()), "l").await;
    assert_eq!(super::super::expiry::reject_lapsed_orders(&world.context).await.unwrap(), 0);
    world.clock.advance(DAY);
    assert_eq!(
        refusal(say(&world, "chloe", &order.id, ApprovalDecision::Approve(Vec::new())).await).kind,
        RefusalKind::ConsentState
    );
    assert_eq!(super::super::expiry::reject_lapsed_orders(&world.context).await.unwrap(), 1);
    assert_eq!(super::super::expiry::reject_lapsed_orders(&world.context).await.unwrap(), 0);
    let lapsed = world.stored(&order.id).await;
    assert_eq!(
        (lapsed.summary_status(), lapsed.reason),
        (SummaryStatus::Rejected, Some(RejectionReason::AuthorisationLapsed))
    );
    assert_eq!(world.told(order.id.as_str()).await, 1);
    assert_eq!(world.summary_status(&endless.id).await, SummaryStatus::Pending);
}

#[tokio::test]
async fn what_one_customer_agreed_to_does_not_hide_what_waits_for_them() {
    let world = World::new().await;
    for number in 0..60 {
        world.order_of_two(terms(now()), &format!("bashir {number}")).await;
    }
    let consent = world.create(terms(now()), "chloe").await.unwrap();
    let consent = world.agree(consent, "chloe", "b-3").await;
    let order = world.place(&consent, "chloe").await.unwrap();
    assert_eq!(waiting(&world, "bashir").await, std::slice::from_ref(&order.id));
    assert_eq!(waiting(&world, "chloe").await.len(), 50, "a page's worth");
    assert!(say(&world, "bashir", &order.id, ApprovalDecision::Approve(Vec::new())).await.is_ok());
}

#[tokio::test]
async fn a_bank_that_does_not_answer_lets_nobody_agree() {
    let world = World::new().await;
    let order = world.order_of_two(terms(now()), "k").await;
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::Payers);
    assert!(matches!(
        say(&world, "chloe", &order.id, ApprovalDecision::Approve(Vec::new())).await,
        Err(Failure::Unavailable(_))
    ));
    world.bank.payment_script().unavailable_calls.clear();
    assert!(say(&world, "chloe", &order.id, ApprovalDecision::Approve(Vec::new())).await.is_ok());
}

#[tokio::test]
async fn err_004_an_unauthenticated_authoriser_is_recorded_once_and_may_approve() {
    let world = World::new().await;
    let order = world.order_of_two(terms(now()), "k").await;
    for psu in ["chloe", "chloe", "bashir"] {
        agreeing::record_failed_approval(&world.context, &psu.into(), &order.id).await.unwrap();
    }
    agreeing::record_failed_approval(&world.context, &"chloe".into(), &"nothing".into()).await.unwrap();
    let noted = world.stored(&order.id).await.approvals.unwrap();
    assert_eq!((noted.status, noted.failed), (ApprovalStatus::Awaiting, vec![PsuId::from("chloe")]), "bashir approved");
    assert_eq!(waiting(&world, "chloe").await, std::slice::from_ref(&order.id));
    let agreed = say(&world, "chloe", &order.id, ApprovalDecision::Approve(Vec::new())).await.unwrap();
    assert_eq!(agreed.approvals.unwrap().status, ApprovalStatus::Authorised);
}
