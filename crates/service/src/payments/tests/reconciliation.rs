//! Orders are compared with those of the bank: differences whose cause is certain are corrected, all others are listed.

use super::*;
use crate::payments::reconciliation::{
    DifferenceKind, FollowUp, ReconciledBatch, Reconciler, ResubmissionRefusal, measure_stalled_orders,
};
use lombard_domain::payment::order::{DetailedStatus, PaymentExecution};
use lombard_ports::store::ServerTransaction;

use execution::give_all;

/// Compares everything since the beginning; the kinds of differences, each with its order.
async fn reconciled(world: &World, is_dry_run: bool) -> Vec<(DifferenceKind, OrderId)> {
    let reconciler = Reconciler::from(&world.context);
    let (mut found, mut position) = (Vec::new(), None);
    loop {
        let batch = reconciler.compare_batch(Timestamp::UNIX_EPOCH, position, is_dry_run).await.unwrap();
        let ReconciledBatch { differences, next, .. } = batch;
        found.extend(differences.into_iter().map(|it| (it.kind, it.order)));
        match next {
            Some(next) => position = Some(next),
            None => return found,
        }
    }
}

/// What a restore of the server's database does: the number of applied updates is as before them.
async fn forget_updates(world: &World, order: &Order, number: u32) {
    let order = order.clone();
    let forget = move |tx: &mut dyn ServerTransaction| {
        tx.order_update(&order)?;
        let DetailedStatus::Payment(status) = order.detailed_status() else { panic!("it is a single payment") };
        let payments = tx.executions(&order.id, 0, 9)?.into_iter().map(|it| PaymentExecution { status, ..it });
        tx.executions_put(&payments.collect::<Vec<_>>())?;
        tx.order_updates_restart(&order.id, number)
    };
    world.context.store.write::<_, StoreError, _>(forget).await.unwrap();
}

async fn updates_applied(world: &World, id: &OrderId) -> u32 {
    let id = id.clone();
    world.context.store.read::<_, StoreError, _>(move |tx| tx.order_updates_applied(&id)).await.unwrap().unwrap()
}

async fn paid(world: &World, key: &str) -> OrderId {
    let id = world.order(terms(now()), key).await.id;
    give_all(world).await;
    for status in [PaymentStatus::InProcess, PaymentStatus::Settled, PaymentStatus::Credited] {
        world.pay(&id, 1, status);
    }
    working::apply_status_updates(&world.context).await.unwrap();
    id
}

#[tokio::test]
async fn sides_that_agree_have_no_difference() {
    let world = World::new().await;
    paid(&world, "k").await;
    // Orders and updates that are on their way are none either.
    let on_its_way = world.order(terms(now()), "l").await.id;
    assert_eq!(reconciled(&world, false).await, []);
    give_all(&world).await;
    world.pay(&on_its_way, 1, PaymentStatus::InProcess);
    assert_eq!(reconciled(&world, false).await, []);
    assert_eq!(updates_applied(&world, &on_its_way).await, 0, "the workers apply updates");
    assert_eq!(reconciled(&world, true).await, []);
}

#[tokio::test]
async fn lost_updates_of_a_restored_order_are_taken_over_with_their_events() {
    let world = World::new().await;
    let id = world.order(terms(now()), "k").await.id;
    let restored = world.stored(&id).await;
    give_all(&world).await;
    for status in [PaymentStatus::InProcess, PaymentStatus::Settled, PaymentStatus::Credited] {
        world.pay(&id, 1, status);
    }
    working::apply_status_updates(&world.context).await.unwrap();
    let told = world.told(id.as_str()).await;
    forget_updates(&world, &restored, 0).await;

    let expected = [(DifferenceKind::UpdatesLost, id.clone())];
    assert_eq!(reconciled(&world, true).await, expected);
    assert_eq!(world.summary_status(&id).await, SummaryStatus::Pending, "a dry run changes nothing");
    assert_eq!(reconciled(&world, false).await, expected);
    assert_eq!(world.summary_status(&id).await, SummaryStatus::Credited);
    assert_eq!((updates_applied(&world, &id).await, world.told(id.as_str()).await), (3, told));
    assert_eq!(reconciled(&world, false).await, [], "it is safe to run twice");
}

#[tokio::test]
async fn an_order_whose_core_was_restored_follows_it_again() {
    let world = World::new().await;
    let id = world.order(terms(now()), "k").await.id;
    give_all(&world).await;
    for status in [PaymentStatus::InProcess, PaymentStatus::AcceptedWithChange] {
        world.pay(&id, 1, status);
    }
    working::apply_status_updates(&world.context).await.unwrap();
    // The core was restored to before its second update; this time it refuses the payment, under a number that the server has applied.
    {
        let mut script = world.bank.payment_script();
        script.acknowledged_updates.retain(|update| update.number < 2);
        script.restart_numbers(&id, 1);
    }
    world.pay(&id, 1, PaymentStatus::Rejected);
    working::apply_status_updates(&world.context).await.unwrap();
    assert_eq!(world.summary_status(&id).await, SummaryStatus::InProcess, "the number is not new");
    let restored = world.stored(&id).await;
    assert_eq!(reconciled(&world, false).await, [(DifferenceKind::NumbersBehind, id.clone())]);
    assert_eq!((world.summary_status(&id).await, updates_applied(&world, &id).await), (SummaryStatus::Rejected, 2));
    assert_eq!(reconciled(&world, false).await, []);

    // A core that is behind by more than it has told since.
    forget_updates(&world, &restored, 7).await;
    assert_eq!(reconciled(&world, false).await, [(DifferenceKind::NumbersBehind, id.clone())]);
    assert_eq!((world.summary_status(&id).await, updates_applied(&world, &id).await), (SummaryStatus::Rejected, 2));
    assert_eq!(reconciled(&world, false).await, []);
}

#[tokio::test]
async fn an_order_that_never_reached_the_core_is_submitted_again() {
    let world = World::new().await;
    let id = world.order(terms(now()), "k").await.id;
    let job = lombard_domain::ids::JobId::new(id.as_str());
    let lose = move |tx: &mut dyn ServerTransaction| tx.job_complete(&job).map(drop);
    world.context.store.write::<_, StoreError, _>(lose).await.unwrap();
    give_all(&world).await;
    assert_eq!(world.at_bank(), []);
    for is_dry_run in [true, false] {
        assert_eq!(reconciled(&world, is_dry_run).await, [(DifferenceKind::NeverSubmitted, id.clone())]);
    }
    assert_eq!(reconciled(&world, false).await, [], "its job is there again");
    give_all(&world).await;
    assert_eq!(world.at_bank(), [id]);
}

#[tokio::test]
async fn orders_that_one_side_has_lost_are_told_and_left_alone() {
    let world = World::new().await;
    let [unknown, begun, done] = [paid(&world, "k").await, paid(&world, "l").await, paid(&world, "m").await];
    let before = world.stored(&begun).await;
    let early = before.status_history.changes().take(2);
    let history = lombard_domain::payment::order::StatusHistory::from_changes(early).unwrap();
    forget_updates(&world, &Order { status_history: history, ..before }, 1).await;
    world.bank.payment_script().orders.retain(|order| order.id == unknown);
    {
        let mut script = world.bank.payment_script();
        let mut foreign = script.orders[0].clone();
        foreign.id = "foreign".into();
        script.orders.push(foreign);
    }
    let found = reconciled(&world, false).await;
    let expected = [
        (DifferenceKind::LostByBank, begun),
        (DifferenceKind::LostByBank, done),
        (DifferenceKind::OnlyAtBank, "foreign".into()),
    ];
    for one in &expected {
        assert!(found.contains(one), "{one:?} in {found:?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:?}");
}

#[tokio::test]
async fn another_payment_under_an_orders_id_is_told() {
    let world = World::new().await;
    let id = paid(&world, "k").await;
    world.bank.payment_script().orders[0].debtor = "b-2".into();
    assert_eq!(reconciled(&world, false).await, [(DifferenceKind::OtherPayment, id)]);
}

#[tokio::test]
async fn an_order_that_does_not_move_is_told_after_an_hour() {
    let world = World::new().await;
    let id = world.order(terms(now()), "k").await.id;
    give_all(&world).await;
    world.clock.advance(SignedDuration::from_mins(59));
    assert_eq!(reconciled(&world, false).await, []);
    world.clock.advance(SignedDuration::from_mins(2));
    assert_eq!(reconciled(&world, false).await, [(DifferenceKind::NotMoving, id.clone())]);
    measure_stalled_orders(&world.context).await.unwrap();
    let hour_ago = world.bank_now() - SignedDuration::from_hours(1);
    let times = vec![hour_ago, hour_ago - DAY];
    let counts = world.context.store.read::<_, StoreError, _>(move |tx| tx.orders_unsettled_counts(&times));
    let one = (lombard_domain::payment::order::UnsettledStage::Pending, 1);
    assert_eq!(counts.await.unwrap(), [vec![one], vec![]]);
}

#[tokio::test]
async fn an_order_that_waits_for_its_day_is_not_stalled() {
    let world = World::new().await;
    let id = world.order(terms(on_wednesday()), "k").await.id;
    give_all(&world).await;
    world.tell(&id, OrderUpdate::Warehoused);
    working::apply_status_updates(&world.context).await.unwrap();
    world.clock.advance(DAY);
    assert_eq!(reconciled(&world, false).await, []);
    world.clock.advance(DAY * 2);
    assert_eq!(reconciled(&world, false).await, [(DifferenceKind::NotMoving, id)]);
}

#[tokio::test]
async fn a_worker_takes_over_what_an_overdue_order_has_lost() {
    let world = World::new().await;
    let id = world.order(terms(now()), "k").await.id;
    let restored = world.stored(&id).await;
    give_all(&world).await;
    world.pay(&id, 1, PaymentStatus::Rejected);
    working::apply_status_updates(&world.context).await.unwrap();
    forget_updates(&world, &restored, 0).await;
    let follow_up = FollowUp::new(&world.context);
    follow_up.ask_about_overdue_orders().await.unwrap();
    assert_eq!(world.summary_status(&id).await, SummaryStatus::Pending, "it is not overdue yet");
    world.clock.advance(SignedDuration::from_mins(3));
    follow_up.ask_about_overdue_orders().await.unwrap();
    assert_eq!(world.summary_status(&id).await, SummaryStatus::Rejected);
    follow_up.ask_about_overdue_orders().await.unwrap();
}

#[tokio::test]
async fn a_core_that_does_not_answer_ends_the_comparison() {
    let world = World::new().await;
    paid(&world, "k").await;
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::Standings);
    let compared = Reconciler::from(&world.context).compare_batch(Timestamp::UNIX_EPOCH, None, false).await;
    assert!(matches!(compared, Err(Failure::Unavailable(_))), "{compared:?}");
}

#[tokio::test]
async fn an_order_that_the_core_has_lost_is_submitted_again_when_told_so() {
    let world = World::new().await;
    let id = world.order(terms(now()), "k").await.id;
    give_all(&world).await;
    world.pay(&id, 1, PaymentStatus::InProcess);
    working::apply_status_updates(&world.context).await.unwrap();
    let reconciler = Reconciler::from(&world.context);
    assert_eq!(reconciler.resubmit(&id).await.unwrap(), Err(ResubmissionRefusal::Held));
    {
        let mut script = world.bank.payment_script();
        script.orders.clear();
        script.acknowledged_updates.clear();
        script.restart_numbers(&id, 0);
    }
    assert_eq!(reconciled(&world, false).await, [(DifferenceKind::LostByBank, id.clone())]);
    assert_eq!(reconciler.resubmit(&id).await.unwrap(), Ok(()));
    assert_eq!(world.at_bank(), std::slice::from_ref(&id));
    for status in [PaymentStatus::InProcess, PaymentStatus::Rejected] {
        world.pay(&id, 1, status);
    }
    working::apply_status_updates(&world.context).await.unwrap();
    assert_eq!(world.summary_status(&id).await, SummaryStatus::Rejected);
    assert_eq!(reconciler.resubmit(&id).await.unwrap(), Err(ResubmissionRefusal::Ended));
    assert_eq!(reconciler.resubmit(&"none".into()).await.unwrap(), Err(ResubmissionRefusal::Unknown));
    let awaits = world.order_of_two(terms(now()), "l").await.id;
    assert_eq!(reconciler.resubmit(&awaits).await.unwrap(), Err(ResubmissionRefusal::AwaitsApprovals));
}
