//! Orders at the bank: submitted until the bank has accepted them, and updated by its status updates.

use super::*;
use crate::payments::submission_job::build_submission_job;
use lombard_ports::bank::{PaymentBank, StatusUpdate};
use lombard_ports::store::{ServerTransaction, StoreError};

/// Submits everything that is due to the bank.
pub(super) async fn give_all(world: &World) {
    while submission::submit_orders(&world.context).await.unwrap() > 0 {}
}

#[tokio::test]
async fn an_order_is_given_to_the_bank_with_what_was_agreed() {
    let world = World::new().await;
    let order = world.order(terms(on_wednesday()), "k").await;
    give_all(&world).await;
    let given = world.bank.payment_script().orders.remove(0);
    assert_eq!((&given.id, given.product), (&order.id, order.product));
    assert_eq!((given.transfer.into(), given.debtor), (terms(on_wednesday()).instruction, "b-1".into()));
    assert_eq!((given.created_at, given.conditions), (order.created_at, order.conditions));
}

#[tokio::test]
async fn what_the_bank_does_not_take_is_tried_again_later_and_later() {
    let world = World::new().await;
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::Submit);
    let order = world.order(terms(now()), "k").await;
    for wait in [1, 4, 9, 16, 25, 36, 49, 60, 60] {
        assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 1, "due after the wait before {wait}");
        world.clock.advance(SignedDuration::from_secs(wait) - SignedDuration::from_micros(1));
        assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0, "not before {wait} s");
        world.clock.advance(SignedDuration::from_micros(1));
    }
    world.bank.payment_script().unavailable_calls.clear();
    give_all(&world).await;
    assert_eq!(world.at_bank(), [order.id]);
    world.clock.advance(DAY);
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0, "done once");
}

#[tokio::test]
async fn orders_that_are_new_reach_the_bank_together() {
    let world = World::new().await;
    let mut ids = Vec::new();
    for key in ["k", "l", "m"] {
        ids.push(world.order(terms(now()), key).await.id);
    }
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 3);
    let mut at_bank = world.at_bank();
    at_bank.sort();
    ids.sort();
    assert_eq!((at_bank, world.bank.payment_script().submissions), (ids, 1));
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0, "no job is left");
}

#[tokio::test]
async fn an_order_that_cannot_be_submitted_holds_up_no_other() {
    let world = World::new().await;
    let good = world.order(terms(now()), "k").await;
    let job = build_submission_job(&world.context.clocks, &"nothing".into());
    let enqueue = move |tx: &mut dyn ServerTransaction| tx.job_enqueue(&job);
    world.context.store.write::<_, StoreError, _>(enqueue).await.unwrap();
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 2);
    assert_eq!(world.at_bank(), [good.id]);
}

#[tokio::test]
async fn after_a_failure_orders_are_submitted_one_by_one() {
    let world = World::new().await;
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::Submit);
    for key in ["k", "l"] {
        world.order(terms(now()), key).await;
    }
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 2);
    assert_eq!(world.bank.payment_script().submissions, 1, "a bank that does not answer is not asked again at once");
    world.bank.payment_script().unavailable_calls.clear();
    world.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 2);
    assert_eq!((world.at_bank().len(), world.bank.payment_script().submissions), (2, 3));
}

#[tokio::test]
async fn updates_of_several_orders_are_applied_together_and_each_once() {
    let world = World::new().await;
    let mut ids = Vec::new();
    for key in ["k", "l", "m"] {
        ids.push(world.order(terms(now()), key).await.id);
    }
    for status in [PaymentStatus::InProcess, PaymentStatus::Settled] {
        ids.iter().for_each(|id| world.pay(id, 1, status));
    }
    let (one, other) =
        tokio::join!(working::apply_status_updates(&world.context), working::apply_status_updates(&world.context));
    assert_eq!(one.unwrap() + other.unwrap(), 6);
    for id in ids {
        assert_eq!(world.summary_status(&id).await, SummaryStatus::Settled);
    }
}

/// Lets the time pass within which the bank must answer, once it was called.
async fn outwait<T>(world: &World, asking: impl Future<Output = T>) -> T {
    let wait = async {
        while world.bank.payment_script().unanswered == 0 {
            tokio::task::yield_now().await;
        }
        tokio::time::pause();
        tokio::time::advance(std::time::Duration::from_secs(11)).await;
        // Paused time would jump past the deadlines of work on other threads.
        tokio::time::resume();
    };
    let (done, ()) = tokio::join!(asking, wait);
    let mut script = world.bank.payment_script();
    script.unanswered = 0;
    script.silent_calls.clear();
    done
}

#[tokio::test]
async fn a_bank_that_never_answers_holds_up_no_worker() {
    let world = World::new().await;
    world.bank.payment_script().silent_calls.insert(PaymentCall::Submit);
    let order = world.order(terms(now()), "k").await;
    assert_eq!(outwait(&world, submission::submit_orders(&world.context)).await.unwrap(), 1);
    assert_eq!(
        (world.at_bank(), submission::submit_orders(&world.context).await.unwrap()),
        (vec![], 0),
        "not before its wait"
    );
    world.clock.advance(SignedDuration::from_secs(1));
    give_all(&world).await;
    assert_eq!(world.at_bank(), std::slice::from_ref(&order.id));

    world.bank.payment_script().silent_calls.insert(PaymentCall::StatusUpdates);
    world.pay(&order.id, 1, PaymentStatus::InProcess);
    let late = outwait(&world, working::apply_status_updates(&world.context)).await;
    assert!(matches!(late, Err(Failure::Unavailable(_))), "{late:?}");
    assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 1);
}

#[tokio::test]
async fn an_order_whose_answer_was_lost_is_given_again_and_taken_once() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    world.bank.payment_script().lost_answer_calls.insert(PaymentCall::Submit);
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 1);
    world.bank.payment_script().lost_answer_calls.clear();
    world.pay(&order.id, 1, PaymentStatus::InProcess);
    working::apply_status_updates(&world.context).await.unwrap();
    world.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(
        submission::submit_orders(&world.context).await.unwrap(),
        1,
        "on its way already, so there is nothing to give"
    );
    assert_eq!(world.at_bank(), [order.id]);
    world.clock.advance(DAY);
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0);
}

#[tokio::test]
async fn two_nodes_never_give_the_same_batch_at_once() {
    let world = World::new().await;
    for key in ["k", "l", "m"] {
        world.order(terms(now()), key).await;
    }
    let (one, other) =
        tokio::join!(submission::submit_orders(&world.context), submission::submit_orders(&world.context));
    assert_eq!(one.unwrap() + other.unwrap(), 3);
    assert_eq!(world.at_bank().len(), 3);
}

#[tokio::test]
async fn set_036_each_visible_move_is_one_event_though_news_come_together() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    use PaymentStatus as S;
    for status in [S::CustomerAccepted, S::FundsChecked, S::InProcess, S::Settled, S::Credited] {
        world.pay(&order.id, 1, status);
    }
    assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 5);
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::Credited);
    assert_eq!(world.told(order.id.as_str()).await, 3, "v3.1 shows InProcess, Completed and CreditCompleted");
    assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 0);
}

#[tokio::test]
async fn news_that_come_again_move_nothing() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    world.pay(&order.id, 1, PaymentStatus::InProcess);
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::AcknowledgeUpdates);
    assert!(matches!(working::apply_status_updates(&world.context).await, Err(Failure::Unavailable(_))));
    world.bank.payment_script().unavailable_calls.clear();
    world.bank.payment_script().lost_answer_calls.insert(PaymentCall::AcknowledgeUpdates);
    world.pay(&order.id, 1, PaymentStatus::Settled);
    assert!(working::apply_status_updates(&world.context).await.is_err());
    world.bank.payment_script().lost_answer_calls.clear();
    let before = world.stored(&order.id).await;
    assert_eq!((before.summary_status(), world.told(order.id.as_str()).await), (SummaryStatus::Settled, 2));
    assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 0);
    assert_eq!(world.stored(&order.id).await, before);
}

#[tokio::test]
async fn a_bank_that_forgets_acknowledgements_is_not_asked_again_at_once() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    world.pay(&order.id, 1, PaymentStatus::InProcess);
    let repeated = world.bank.payment_script().updates.clone();
    assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 1);
    let before = world.stored(&order.id).await;
    for _ in 0..2 {
        world.bank.payment_script().updates.clone_from(&repeated);
        assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 0, "nothing is new");
    }
    assert_eq!(world.stored(&order.id).await, before);
}

#[tokio::test]
async fn two_nodes_hear_each_piece_of_news_once() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    for status in [PaymentStatus::InProcess, PaymentStatus::Settled] {
        world.pay(&order.id, 1, status);
    }
    let (one, other) =
        tokio::join!(working::apply_status_updates(&world.context), working::apply_status_updates(&world.context));
    assert!(one.is_ok() && other.is_ok());
    assert_eq!(world.told(order.id.as_str()).await, 2);
    assert_eq!(world.stored(&order.id).await.status_history.changes().count(), 3);
}

#[tokio::test]
async fn pis_094_news_that_do_not_fit_move_neither_the_order_nor_its_payment() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    world.pay(&order.id, 1, PaymentStatus::Settled);
    world.tell(&order.id, OrderUpdate::Warehoused);
    assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 2, "heard, and left at that");
    assert_eq!(world.stored(&order.id).await.status_history, order.status_history);
    let details = ordering::read_order_details(&world.context, &acme(), order.product, &order.id, V3_1).await.unwrap();
    assert_eq!(details.payments[0].status, PaymentStatus::Received);
    world.pay(&order.id, 1, PaymentStatus::InProcess);
    working::apply_status_updates(&world.context).await.unwrap();
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InProcess, "what fits still moves it");

    let standing = world.order(terms(monthly()), "l").await;
    world.pay(&standing.id, 1, PaymentStatus::InProcess);
    working::apply_status_updates(&world.context).await.unwrap();
    let details =
        ordering::read_order_details(&world.context, &acme(), standing.product, &standing.id, V3_1).await.unwrap();
    assert_eq!(details.payments, [], "it was not set up");
}

#[tokio::test]
async fn news_of_an_order_that_is_not_there_hold_up_nothing() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    world.pay(&"nothing".into(), 1, PaymentStatus::InProcess);
    world.pay(&order.id, 1, PaymentStatus::InProcess);
    assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 1, "one is of no order");
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InProcess);
    assert_eq!(working::apply_status_updates(&world.context).await.unwrap(), 0);
}

#[tokio::test]
async fn sch_007_and_pis_095_a_scheduled_payment_stays_completed_with_details() {
    let world = World::new().await;
    let order = world.order(terms(on_wednesday()), "k").await;
    world.tell(&order.id, OrderUpdate::Warehoused);
    for status in [PaymentStatus::InProcess, PaymentStatus::Rejected] {
        world.pay(&order.id, 1, status);
    }
    working::apply_status_updates(&world.context).await.unwrap();
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationCompleted);
    assert_eq!(world.told(order.id.as_str()).await, 1, "SET-036: only that it is set up can be seen");
    let details = ordering::read_order_details(&world.context, &acme(), order.product, &order.id, V3_1).await.unwrap();
    assert_eq!(details.payments.len(), 1, "PIS-094");
    assert_eq!(details.payments[0].status, PaymentStatus::Rejected);
}

#[tokio::test]
async fn pis_094_a_standing_order_has_an_entry_for_each_payment() {
    let world = World::new().await;
    let order = world.order(terms(monthly()), "k").await;
    world.tell(&order.id, OrderUpdate::Warehoused);
    for (number, status) in [
        (1, PaymentStatus::InProcess),
        (1, PaymentStatus::Credited),
        (1, PaymentStatus::Settled),
        (1, PaymentStatus::Credited),
        (2, PaymentStatus::Rejected),
    ] {
        world.pay(&order.id, number, status);
    }
    working::apply_status_updates(&world.context).await.unwrap();
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationCompleted);
    let details = ordering::read_order_details(&world.context, &acme(), order.product, &order.id, V3_1).await.unwrap();
    let shown: Vec<_> = details.payments.iter().map(|entry| entry.status).collect();
    assert_eq!(shown, [PaymentStatus::Credited, PaymentStatus::Rejected]);
    assert_eq!(world.told(order.id.as_str()).await, 1);
    world.tell(&order.id, OrderUpdate::Cancelled(RejectionReason::DebtorAccountUnusable));
    working::apply_status_updates(&world.context).await.unwrap();
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::Cancelled, "SCH-008, SO-016");
    assert_eq!(world.stored(&order.id).await.reason, Some(RejectionReason::DebtorAccountUnusable));
    assert_eq!(world.told(order.id.as_str()).await, 1);
}

#[tokio::test]
async fn pis_043_what_the_bank_refuses_is_rejected_or_failed_with_its_reason() {
    let world = World::new().await;
    for (timing, summary_status) in [
        (now(), SummaryStatus::Rejected),
        (on_wednesday(), SummaryStatus::InitiationFailed),
        (monthly(), SummaryStatus::InitiationFailed),
    ] {
        let order = world.order(terms(timing), &format!("{summary_status:?}{}", world.at_bank().len())).await;
        give_all(&world).await;
        world.tell(&order.id, OrderUpdate::Refused(RejectionReason::SuspectedFraud));
        working::apply_status_updates(&world.context).await.unwrap();
        let stored = world.stored(&order.id).await;
        assert_eq!((stored.summary_status(), stored.reason), (summary_status, Some(RejectionReason::SuspectedFraud)));
        assert_eq!(world.told(order.id.as_str()).await, 1);
        assert_eq!(world.consent(&order.consent).await.state, ConsentState::Consumed);
    }
}

#[tokio::test]
async fn pis_104_expected_times_follow_the_bank_and_are_no_event() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    let settlement_at = Some(monday() + DAY);
    world.tell(&order.id, OrderUpdate::TimesChanged { execution_at: None, settlement_at });
    working::apply_status_updates(&world.context).await.unwrap();
    let read = ordering::read_order(&world.context, &acme(), order.product, &order.id, V3_1).await.unwrap();
    assert_eq!(read.conditions.settlement_at, settlement_at);
    assert_eq!(world.told(order.id.as_str()).await, 0);
}

/// The status of an order, and the number of events for its TPP.
async fn outcome(world: &World, order: &OrderId) -> (String, usize) {
    let stored = world.stored(order).await;
    (format!("{:?} {:?}", stored.status_history, stored.conditions), world.told(order.as_str()).await)
}

/// Updates of an order that are pushed in any order, repeatedly and with fetches in between have the same result as updates that
/// arrive once and in sequence. Every acknowledged update has been applied.
#[tokio::test]
async fn pushed_updates_end_as_those_that_come_in_sequence() {
    use PaymentStatus::{Credited, InProcess, Settled};
    // A pseudo-random sequence without a source of randomness: Knuth's multiplier modulo 2^32.
    let mut seed = 1_u32;
    let mut draw = move |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        usize::try_from(seed >> 16).unwrap() % below
    };
    let mut expected = None;
    for case in 0..40 {
        let world = World::new().await;
        let order = world.order(terms(now()), "k").await.id;
        give_all(&world).await;
        for status in [InProcess, Settled, Credited] {
            world.pay(&order, 1, status);
        }
        let all = world.bank.payment_script().updates.clone();
        if case > 0 {
            for _ in 0..draw(12) {
                let pushed: Vec<_> = (0..draw(4)).map(|_| all[draw(all.len())].clone()).collect();
                let applied = working::apply_pushed_updates(&world.context, pushed).await.unwrap();
                world.bank.acknowledge_updates(&world.context.call, &applied).await.unwrap();
                if draw(5) == 0 {
                    working::apply_status_updates(&world.context).await.unwrap();
                }
            }
        }
        while working::apply_status_updates(&world.context).await.unwrap() > 0 {}
        assert!(world.bank.payment_script().updates.is_empty(), "case {case}");
        let ended = outcome(&world, &order).await;
        assert_eq!(*expected.get_or_insert(ended.clone()), ended, "case {case}");
    }
}

#[tokio::test]
async fn a_pushed_update_after_a_gap_is_neither_applied_nor_acknowledged() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await.id;
    give_all(&world).await;
    world.pay(&order, 1, PaymentStatus::InProcess);
    world.pay(&order, 1, PaymentStatus::Settled);
    let all = world.bank.payment_script().updates.clone();
    let push = async |numbers: &[usize]| {
        let pushed = numbers.iter().map(|at| all[*at].clone()).collect();
        working::apply_pushed_updates(&world.context, pushed).await.unwrap()
    };
    assert_eq!(push(&[1]).await, []);
    assert_eq!(push(&[0]).await, [(order.clone(), 1)]);
    assert_eq!(push(&[0]).await, [(order.clone(), 1)], "a copy is acknowledged");
    assert_eq!(push(&[1, 0, 1]).await, [(order.clone(), 2)]);
    let unknown = StatusUpdate { order: "another".into(), ..all[0].clone() };
    assert_eq!(working::apply_pushed_updates(&world.context, vec![unknown]).await.unwrap(), []);
}
