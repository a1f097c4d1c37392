//! Outcomes forced by testers: by amounts and payee names, and by the outcome control.

use super::PaymentStatus as S;
use super::*;
use crate::storage::BankTransaction as Tables;
use lombard_domain::consent::ConsentKind;
use lombard_domain::ids::ConsentId;
use lombard_domain::payment::PaymentProduct;
use lombard_ports::bank::CallConsent;
use lombard_ports::controls::{OrderPlan, PlannedOutcome};

async fn decide(world: &World, id: &str, becomes: OrderOutcome) -> Result<(), OutcomeError> {
    let (id, clocks) = (OrderId::new(id), world.clocks.clone());
    let done = world
        .store
        .write(move |tx: &mut dyn Tables| force_outcome(tx, &id, becomes, &clocks, &ExchangeMarket::default()))
        .await;
    world.is_sound().await;
    done
}

#[tokio::test]
async fn every_trigger_does_what_its_row_says_by_amount_and_by_name() {
    for row in TRIGGERS {
        for instruction in [instruction(10_000 + row.ending), named(&row.payee.to_uppercase(), instruction(500))] {
            let world = world().await;
            let minor = i64::try_from(instruction.amount.minor()).unwrap();
            world.order("o", instruction).await;
            world.turn().await;
            world.wait(60).await;
            let updates = world.hear().await;
            let refused = refusal(&updates);
            let last = updates.into_iter().filter_map(|it| payment(it.change)).last();
            let last = last.map(|it| (it.status, it.reason));
            let (status, why) = (last.map(|it| it.0), last.and_then(|it| it.1));
            let expected = match row.trigger {
                TestTrigger::RefusedByScheme => (None, Some(S::Rejected), Some(RejectionReason::RefusedByScheme), 0),
                TestTrigger::PayeeClosed => {
                    (None, Some(S::Rejected), Some(RejectionReason::CreditorAccountUnusable), 0)
                }
                TestTrigger::SuspectedFraud => (Some(RejectionReason::SuspectedFraud), None, None, 0),
                TestTrigger::AwaitingOutcome => (None, None, None, 0),
                TestTrigger::CreditedLate => (None, Some(S::Settled), None, -minor),
                TestTrigger::WithoutPosting => (None, Some(S::WithoutPosting), None, -minor),
            };
            let moved = world.moved("ann").await;
            assert_eq!((refused, status, why, moved.0), expected, "{row:?}");
            assert_eq!(moved.1, 0, "nothing stays reserved");
        }
    }
}

#[tokio::test]
async fn what_the_scheme_refuses_stays_on_the_account_as_refused() {
    let world = world().await;
    world.order("o", by(Instrument::Chaps, instruction(1_391))).await;
    world.turn().await;
    assert_eq!(world.moved("ann").await, (0, -3_391));
    world.wait(10).await;
    assert_eq!(world.moved("ann").await, (0, 0));
    let text = "Not paid to Waterworks: the payee's bank refused it";
    let mut entries = world.entries("ann").await;
    entries.sort_by_key(|it| it.sum.minor());
    let expected = [(EntryStatus::Rejected, -2_000, text), (EntryStatus::Rejected, -1_391, text)];
    assert_eq!(told(&entries), expected, "the charge as well");
    world.wait(100_000).await;
    assert_eq!(world.moved("ann").await, (0, 0), "and is not booked later");
}

#[tokio::test]
async fn pis_048_what_is_not_posted_comes_back_with_its_charge() {
    let world = world().await;
    world.order("o", by(Instrument::Chaps, instruction(1_395))).await;
    world.wait(5).await;
    world.wait(20).await;
    world.wait(20).await;
    assert_eq!(world.moved("ann").await, (-3_395, 0));
    decide(&world, "o", OrderOutcome::Rejected(RejectionReason::RefusedByScheme)).await.unwrap();
    assert_eq!(world.moved("ann").await, (0, 0));
    let statuses: Vec<_> = world.statuses().await.into_iter().map(|it| it.1).collect();
    assert_eq!(statuses, [S::InProcess, S::Settled, S::WithoutPosting, S::Rejected]);
}

#[tokio::test]
async fn a_payee_account_that_closes_on_the_way_gives_the_money_back() {
    let world = world().await;
    world.order("late", to("gone", instruction(100))).await;
    world.wait(5).await;
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Rejected)], "closed before it was debited");
    world.order("o", to("bob", instruction(100))).await;
    world.turn().await;
    world.wait(1).await;
    world.set_status("bob", AccountStatus::Deleted).await;
    world.wait(1).await;
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Settled), (1, S::WithoutPosting)]);
    assert_eq!(world.moved("ann").await, (-100, 0));
    world.wait(86_400).await;
    assert_eq!(world.statuses().await, [(1, S::Rejected)]);
    assert_eq!((world.moved("ann").await, world.moved("bob").await), ((0, 0), (0, 0)));
}

#[tokio::test]
async fn a_held_order_comes_to_whatever_outcome_is_decided() {
    for (becomes, statuses, moved) in [
        (OrderOutcome::Settled, &[S::InProcess, S::Settled][..], (-1_393, 0)),
        (OrderOutcome::Credited, &[S::InProcess, S::Settled, S::Credited], (-1_393, 0)),
        (OrderOutcome::WithoutPosting, &[S::InProcess, S::Settled, S::WithoutPosting], (-1_393, 0)),
        (OrderOutcome::Rejected(RejectionReason::SuspectedFraud), &[], (0, 0)),
        (OrderOutcome::Cancelled, &[], (0, 0)),
    ] {
        let world = world().await;
        world.order("o", instruction(1_393)).await;
        world.wait(1_000).await;
        assert!(world.hear().await.is_empty());
        decide(&world, "o", becomes).await.unwrap();
        let updates = world.hear().await;
        let refused = refusal(&updates).is_some();
        let cancelled =
            updates.iter().any(|it| it.change == OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer));
        let found: Vec<_> = updates.into_iter().filter_map(|it| payment(it.change)).map(|it| it.status).collect();
        assert_eq!(found, statuses, "{becomes:?}");
        assert_eq!(refused, matches!(becomes, OrderOutcome::Rejected(_)));
        assert_eq!(cancelled, becomes == OrderOutcome::Cancelled);
        assert_eq!(world.moved("ann").await, moved, "{becomes:?}");
    }
}

#[tokio::test]
async fn outcomes_follow_from_where_the_order_stands_or_are_refused() {
    let world = world().await;
    let unknown = decide(&world, "o", OrderOutcome::Settled).await;
    assert!(matches!(unknown, Err(OutcomeError::Unknown)), "{unknown:?}");
    world.order("o", by(Instrument::Bacs, to("bob", instruction(400)))).await;
    world.turn().await;
    let impossible = |it: Result<(), OutcomeError>| assert!(matches!(it, Err(OutcomeError::Impossible(_))), "{it:?}");
    impossible(decide(&world, "o", OrderOutcome::Cancelled).await);
    decide(&world, "o", OrderOutcome::Settled).await.unwrap();
    impossible(decide(&world, "o", OrderOutcome::Settled).await);
    decide(&world, "o", OrderOutcome::Credited).await.unwrap();
    impossible(decide(&world, "o", OrderOutcome::Rejected(RejectionReason::NotGiven)).await);
    assert_eq!((world.moved("ann").await, world.moved("bob").await), ((-400, 0), (400, 0)), "days early");
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Settled), (1, S::Credited)]);
    world.wait(1_000_000).await;
    assert_eq!(world.moved("bob").await, (400, 0), "and not again at its time");
}

#[tokio::test]
async fn sch_008_a_kept_order_is_taken_back_and_nothing_becomes_of_it() {
    let world = world().await;
    world.order("o", on("2026-03-02".parse().unwrap(), instruction(400))).await;
    world.turn().await;
    let early = decide(&world, "o", OrderOutcome::Settled).await;
    assert!(matches!(early, Err(OutcomeError::Impossible(_))), "{early:?}");
    decide(&world, "o", OrderOutcome::Cancelled).await.unwrap();
    assert!(world.list::<lombard_domain::account::ScheduledPayment>("ann").await.is_empty());
    let updates: Vec<_> = world.hear().await.into_iter().map(|it| it.change).collect();
    assert_eq!(updates, [OrderUpdate::Warehoused, OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer)]);
    world.wait(1_000_000).await;
    assert_eq!((world.moved("ann").await, world.hear().await.len()), ((0, 0), 0));
}

#[tokio::test]
async fn a_planned_outcome_takes_the_place_of_the_usual_one_and_comes_later() {
    let consent = ConsentId::from("c");
    let ordered = async |world: &World, bank: &BuiltInBank, id: &str| {
        let mut order = world.made_from("ann", id, instruction(500)).await;
        let kind = ConsentKind::Payment(PaymentProduct::DomesticPayment);
        order.call.consent = Some(CallConsent { id: ConsentId::from("c"), kind, core_state: None });
        bank.submit_orders(&CallContext::default(), &[order]).await.unwrap();
    };
    let plan = async |world: &World, outcome, wait_secs| {
        let (consent, plan) = (consent.clone(), OrderPlan { outcome, wait_secs });
        let done: Result<(), StoreError> = world.store.write(move |tx| tx.order_plan_put(&consent, plan)).await;
        done.unwrap();
    };
    let world = world().await;
    plan(&world, PlannedOutcome::RefusedByScheme, 600).await;
    ordered(&world, &world.bank.clone().with_order_plans(), "o-1").await;
    world.wait(599).await;
    assert_eq!((world.statuses().await, world.moved("ann").await), (Vec::new(), (0, 0)), "nothing happens before");
    world.wait(1).await;
    world.wait(60).await;
    let statuses: Vec<_> = world.statuses().await.into_iter().map(|it| it.1).collect();
    assert_eq!((statuses, world.moved("ann").await), (vec![S::InProcess, S::Rejected], (0, 0)));

    ordered(&world, &world.bank, "o-2").await;
    world.wait(60).await;
    assert_eq!(world.moved("ann").await, (-500, 0), "outside a sandbox plans have no effect");

    plan(&world, PlannedOutcome::Usual, 0).await;
    ordered(&world, &world.bank.clone().with_order_plans(), "o-3").await;
    world.wait(60).await;
    assert_eq!(world.moved("ann").await, (-1_000, 0), "a plan is taken back");
}
