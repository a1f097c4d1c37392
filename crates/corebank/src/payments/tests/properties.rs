//! Property tests: no sequence of orders creates or loses money, and reported statuses agree with the money moved.

use super::PaymentStatus as S;
use super::*;
use jiff::ToSpan;
use jiff::civil::date;
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::transfer::{Schedule, ScheduleEnd};
use lombard_ports::bank::CallContext;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use std::num::NonZeroU16;

/// A step of a test.
#[derive(Debug, Clone)]
enum Act {
    /// Orders a payment, and submits the order twice if the flag is set.
    Order(Box<Transfer>, bool),
    /// Advances the clock by this many seconds.
    Wait(i64),
    /// Runs due work and rolls it back, as if the node crashed before the commit.
    Crash,
    /// Forces an outcome of the newest order, if its status allows that.
    Decide(OrderOutcome),
}

fn any_timing() -> impl Strategy<Value = Timing> {
    let day = || (0_i64..40).prop_map(|days| date(2026, 2, 26).saturating_add(days.days()));
    let schedule = (day(), 1_u16..6, 0_usize..3).prop_map(|(first_on, count, which)| {
        let frequency = [Frequency::EveryDay, Frequency::EveryWorkingDay, Frequency::IntervalMonthDay(1, 31)][which];
        let end = ScheduleEnd::After(NonZeroU16::new(count).unwrap());
        Timing::StandingOrder(Schedule { frequency, first_on, recurring_from: None, end, regular: None, last: None })
    });
    prop_oneof![3 => Just(Timing::Immediate), 1 => day().prop_map(Timing::Scheduled), 1 => schedule]
}

fn any_instruction() -> impl Strategy<Value = Transfer> {
    let pence = prop_oneof![4 => 1_u64..200_000, 1 => 1_391_u64..=1_396];
    let rail = prop::sample::select(vec![Instrument::FasterPayments, Instrument::Chaps, Instrument::Bacs]);
    let payee = prop::sample::select(vec!["", "bob", "gone"]);
    (pence, rail, payee, any_timing()).prop_map(|(pence, rail, payee, timing)| {
        let it = when(timing, by(rail, instruction(pence)));
        if payee.is_empty() { it } else { to(payee, it) }
    })
}

fn any_act() -> impl Strategy<Value = Act> {
    let outcome = prop::sample::select(vec![
        OrderOutcome::Settled,
        OrderOutcome::Credited,
        OrderOutcome::WithoutPosting,
        OrderOutcome::Rejected(RejectionReason::RefusedByScheme),
        OrderOutcome::Cancelled,
    ]);
    prop_oneof![
        4 => (any_instruction(), any::<bool>()).prop_map(|(it, twice)| Act::Order(Box::new(it), twice)),
        4 => prop_oneof![0_i64..3, 0_i64..200_000].prop_map(Act::Wait),
        2 => Just(Act::Crash),
        1 => outcome.prop_map(Act::Decide),
    ]
}

/// Runs all due work in one transaction and rolls it back.
async fn crash(world: &World) {
    let now = world.now();
    let lost = world.store.write(move |tx: &mut dyn Tables| {
        for order in tx.bank_orders_due(now, 1_000)?.rows {
            let due_at = order.due_at.unwrap();
            process_order(tx, order, due_at, &ExchangeMarket::default())?;
        }
        Err::<(), _>(StoreError::Unavailable("crashed".into()))
    });
    assert!(lost.await.is_err());
}

async fn live(acts: Vec<Act>) -> Result<(), TestCaseError> {
    let world = world().await;
    let mut orders = Vec::new();
    for act in acts {
        match act {
            Act::Order(instruction, twice) => {
                let id = format!("o{}", orders.len());
                let order = world.order(&id, *instruction).await;
                if twice {
                    world.bank.submit_orders(&CallContext::default(), std::slice::from_ref(&order)).await.unwrap();
                }
                orders.push(order);
            }
            Act::Wait(seconds) => world.wait(seconds).await,
            Act::Crash => crash(&world).await,
            Act::Decide(becomes) => {
                let id = OrderId::new(format!("o{}", orders.len().saturating_sub(1)));
                let clocks = world.clocks.clone();
                let done = world
                    .store
                    .write(move |tx: &mut dyn Tables| {
                        force_outcome(tx, &id, becomes, &clocks, &ExchangeMarket::default())
                    })
                    .await;
                prop_assert!(!matches!(done, Err(OutcomeError::Storage(_))), "{:?}", done);
            }
        }
        world.is_sound().await;
    }
    world.wait(86_400 * 400).await;
    agree(&world, &orders).await
}

/// Checks that the reported payments add up to the money moved.
async fn agree(world: &World, orders: &[PaymentOrder]) -> Result<(), TestCaseError> {
    let mut payments: BTreeMap<(OrderId, u32), Vec<PaymentUpdate>> = BTreeMap::new();
    for update in world.hear().await {
        let order = update.order.clone();
        if let Some(it) = payment(update.change) {
            payments.entry((order, it.number)).or_default().push(it);
        }
    }
    let (mut paid, mut received) = (0_i64, 0_i64);
    for ((order, _), course) in &payments {
        let order = orders.iter().find(|it| it.id == *order).unwrap();
        for pair in course.windows(2) {
            prop_assert!(pair[0].status.may_become(pair[1].status), "{:?}", course);
        }
        let charge: u64 = order.conditions.charges.iter().map(|it| it.amount.minor()).sum();
        let (first, last) = (&course[0], &course[course.len() - 1]);
        let debited = course.iter().any(|it| it.status == S::Settled) && last.status != S::Rejected;
        paid += if debited { i64::try_from(first.amount.minor() + charge).unwrap() } else { 0 };
        let to_bob = order.transfer.credit().creditor.is_same_account(&number_of("bob"));
        let credited = last.status == S::Credited && to_bob;
        received += if credited { i64::try_from(first.amount.minor()).unwrap() } else { 0 };
    }
    prop_assert_eq!(world.moved("ann").await, (-paid, 0));
    prop_assert_eq!(world.moved("bob").await, (received, 0));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_money_is_made_or_lost_whatever_happens(acts in prop::collection::vec(any_act(), 1..14)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(live(acts))?;
    }
}
