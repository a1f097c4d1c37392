//! Orders that reach the bank late after an outage, or reach a node whose clock is behind.

use super::*;
use jiff::civil::date;
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::transfer::{AfterCutOffPolicy, Schedule, ScheduleEnd};
use lombard_ports::bank::CallContext;
use lombard_ports::clock::write_bank_offset_micros;

/// When a payment leaves if its order was created on time and reaches the bank at another time.
async fn leaves(lateness: AfterCutOffPolicy, it: Transfer, made: &str, comes: &str) -> Timestamp {
    let world = world_at(at(made)).await;
    let three = RailCutOff { at: TimeOfDay { hour: 15, minute: 0 }, late_policy: lateness };
    let rails = Rails::default().with_cut_off(Instrument::Chaps, Some(three));
    let world = World { bank: world.bank.with_rails(rails), ..world };
    let order = world.made_from("ann", "o", by(Instrument::Chaps, it)).await;
    assert!(!order.conditions.is_too_late(at(made)), "it was made on time");
    world.go_to(at(comes)).await;
    world.bank.submit_orders(&CallContext::default(), std::slice::from_ref(&order)).await.unwrap();
    world.turn().await;
    world.go_to(at(comes) + SignedDuration::from_hours(24 * 5)).await;
    let told = world.hear().await.into_iter().find_map(|it| match it.change {
        OrderUpdate::TimesChanged { execution_at, .. } => execution_at,
        OrderUpdate::Warehoused
        | OrderUpdate::Refused(_)
        | OrderUpdate::Cancelled(_)
        | OrderUpdate::PaymentChanged(_) => None,
    });
    let leaves_at = told.or(order.conditions.execution_at).unwrap();
    let booked = world.entries("ann").await.into_iter().find(|it| it.sum.minor() == -100).unwrap();
    assert_eq!(booked.booked_at, leaves_at + SignedDuration::from_secs(5), "PIS-104: it leaves when it is told to");
    leaves_at
}

#[tokio::test]
async fn pis_105_and_107_an_order_after_rail_close_leaves_when_the_rail_reopens() {
    for lateness in [AfterCutOffPolicy::Refused, AfterCutOffPolicy::Accepted] {
        for (comes, expected) in [
            ("2026-02-26T14:59:59Z", "2026-02-26T14:59:59Z"),
            ("2026-02-26T15:00:00Z", "2026-02-27T06:00:00Z"),
            ("2026-02-27T03:00:00Z", "2026-02-27T06:00:00Z"),
            ("2026-02-27T20:00:00Z", "2026-03-02T06:00:00Z"),
            ("2026-02-28T12:00:00Z", "2026-03-02T06:00:00Z"),
        ] {
            let left = leaves(lateness, instruction(100), "2026-02-26T12:00:00Z", comes).await;
            assert_eq!(left, at(expected), "{lateness:?}, at the bank at {comes}");
        }
    }
}

#[tokio::test]
async fn sch_004_a_day_that_has_passed_is_made_up_for_when_the_rail_works_again() {
    let day = date(2026, 2, 27);
    let again = Schedule {
        frequency: Frequency::IntervalMonthDay(1, 27),
        first_on: day,
        recurring_from: None,
        end: ScheduleEnd::Open,
        regular: None,
        last: None,
    };
    for lateness in [AfterCutOffPolicy::Refused, AfterCutOffPolicy::Accepted] {
        for timing in [Timing::Scheduled(day), Timing::StandingOrder(again.clone())] {
            for (comes, expected) in [
                ("2026-02-27T05:00:00Z", "2026-02-27T06:00:00Z"),
                ("2026-02-27T10:00:00Z", "2026-02-27T10:00:00Z"),
                ("2026-02-27T20:00:00Z", "2026-03-02T06:00:00Z"),
                ("2026-02-28T12:00:00Z", "2026-03-02T06:00:00Z"),
            ] {
                let it = when(timing.clone(), instruction(100));
                let left = leaves(lateness, it, "2026-02-26T12:00:00Z", comes).await;
                assert_eq!(left, at(expected), "{lateness:?} {timing:?}, at the bank at {comes}");
            }
        }
    }
}

#[tokio::test]
async fn sch_004_a_last_moment_delays_no_payment_of_a_later_day() {
    let noon = RailCutOff { at: TimeOfDay { hour: 12, minute: 0 }, late_policy: AfterCutOffPolicy::Accepted };
    let world = world_at(at("2026-02-27T20:00:00Z")).await;
    let rails = Rails::default().with_cut_off(Instrument::FasterPayments, Some(noon));
    let world = World { bank: world.bank.with_rails(rails), ..world };
    world.order("o", on(date(2026, 2, 28), instruction(100))).await;
    world.go_to(at("2026-02-28T06:00:01Z")).await;
    assert_eq!(world.moved("ann").await, (-100, 0), "a rail that pays every day pays on its Saturday");
}

#[tokio::test]
async fn an_order_is_taken_at_the_banks_time_whatever_its_node_shows() {
    let world = world().await;
    world.clocks.mark_bank_clock_movable();
    let order = world.made_from("ann", "o", by(Instrument::Chaps, instruction(100))).await;
    let saturday = at("2026-02-28T12:00:00Z");
    let ahead = saturday.duration_since(world.now()).as_micros().try_into().unwrap();
    world.store.write(move |tx| write_bank_offset_micros(tx, ahead)).await.unwrap();
    world.bank.submit_orders(&CallContext::default(), std::slice::from_ref(&order)).await.unwrap();
    assert_eq!(world.now(), noon(), "its node shows Wednesday");
    let taken = world.store.read(|tx| tx.bank_order_for_update(&"o".into())).await.unwrap().unwrap();
    assert_eq!(taken.due_at, Some(saturday));
    let clocks = world.clocks.clone();
    let credit = move |tx: &mut dyn Tables| {
        force_outcome(tx, &"o".into(), OrderOutcome::Credited, &clocks, &ExchangeMarket::default())
    };
    world.store.write(credit).await.unwrap();
    let updates = world.bank.fetch_status_updates(&CallContext::default(), 10).await.unwrap();
    assert!(updates.iter().all(|it| it.at == saturday), "{updates:?}");
}
