//! Tests of the conditions of a payment and of the debtor accounts, before an order exists.

use super::*;
use jiff::civil::date;
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::transfer::{AfterCutOffPolicy, CutOff, Schedule, ScheduleEnd};
use lombard_ports::bank::{CallContext, Payer};
use proptest::prelude::*;

fn said(rails: &Rails, instruction: Transfer, now: &str) -> PaymentConditions {
    rails.conditions(&terms_of(instruction), &ExchangeMarket::default(), at(now))
}

#[test]
fn pis_108_faster_payments_has_no_last_moment_and_the_others_refuse() {
    let rails = Rails::default();
    for (rail, now, last) in [
        (None, "2026-02-25T23:59:59Z", None),
        (Some(Instrument::FasterPayments), "2026-02-28T12:00:00Z", None),
        (Some(Instrument::Chaps), "2026-02-25T12:00:00Z", Some("2026-02-25T15:00:00Z")),
        // In summer London is an hour ahead.
        (Some(Instrument::Chaps), "2026-07-01T12:00:00Z", Some("2026-07-01T14:00:00Z")),
        (Some(Instrument::Bacs), "2026-02-25T12:00:00Z", Some("2026-02-25T17:00:00Z")),
        // A cut-off that has passed is passed until midnight.
        (Some(Instrument::Chaps), "2026-02-25T23:59:00Z", Some("2026-02-25T15:00:00Z")),
        (Some(Instrument::Chaps), "2026-02-28T12:00:00Z", Some("2026-03-02T15:00:00Z")),
        (Some(Instrument::BalanceTransfer), "2026-02-25T12:00:00Z", None),
    ] {
        let it = rail.map_or(instruction(1), |rail| by(rail, instruction(1)));
        let expected = last.map(|last| CutOff { at: at(last), lateness: AfterCutOffPolicy::Refused });
        assert_eq!(said(&rails, it, now).cut_off, expected, "{rail:?} at {now}");
    }
}

#[test]
fn pis_107_what_may_come_late_leaves_a_working_day_later() {
    let noon = RailCutOff { at: TimeOfDay { hour: 12, minute: 0 }, late_policy: AfterCutOffPolicy::Accepted };
    let rails = Rails::default().with_cut_off(Instrument::Chaps, Some(noon));
    let friday = |time: &str| said(&rails, by(Instrument::Chaps, instruction(1)), &format!("2026-02-27T{time}Z"));
    let (early, late) = (friday("11:59:59"), friday("12:00:00"));
    assert_eq!(early.execution_at, Some(at("2026-02-27T11:59:59Z")));
    assert_eq!(late.execution_at, Some(at("2026-03-02T06:00:00Z")));
    assert_eq!(late.cut_off.unwrap().at, at("2026-03-02T12:00:00Z"));
    assert!(!late.is_too_late(at("2026-02-27T12:00:00Z")));
}

#[test]
fn pis_109_and_sch_006_the_beginning_of_the_day_is_the_last_moment() {
    let rails = Rails::default();
    let july = date(2026, 7, 6);
    for timing in [
        Timing::Scheduled(july),
        Timing::StandingOrder(Schedule {
            frequency: Frequency::EveryDay,
            first_on: july,
            recurring_from: None,
            end: ScheduleEnd::Open,
            regular: None,
            last: None,
        }),
    ] {
        let it = said(&rails, when(timing, instruction(1)), "2026-06-01T00:00:00Z");
        assert_eq!(it.cut_off.unwrap().at, at("2026-07-05T23:00:00Z"), "London's midnight");
        assert_eq!(it.execution_at, Some(at("2026-07-06T05:00:00Z")));
    }
    let chaps = said(&rails, on(july, by(Instrument::Chaps, instruction(1))), "2026-06-01T00:00:00Z");
    assert_eq!(chaps.cut_off.unwrap().at, at("2026-07-05T23:00:00Z"), "not its own of that day");
}

#[tokio::test]
async fn pis_115_payers_are_open_accounts_of_kinds_that_pay() {
    let world = world().await;
    let ids = |payers: Vec<Payer>| payers.into_iter().map(|it| it.account.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(world.bank.list_payers(&CallContext::default(), &"ann".into()).await.unwrap()), ["ann", "ann-card"]);
    assert_eq!(
        ids(world.bank.list_payers(&CallContext::default(), &"bob".into()).await.unwrap()),
        ["bob", "more-euros"]
    );
    assert!(world.bank.list_payers(&CallContext::default(), &"nobody".into()).await.unwrap().is_empty());
    for (id, ..) in ACCOUNTS {
        let payer = world.bank.find_payer(&CallContext::default(), &id.into()).await.unwrap();
        assert_eq!(
            payer,
            world.bank.find_payer_by_number(&CallContext::default(), &number_of(id)).await.unwrap(),
            "{id}"
        );
        let withheld = ["ann-loan", "gone", "barred"].contains(&id);
        assert_eq!(payer.is_none(), withheld, "{id}");
    }
    let payer = world.bank.find_payer(&CallContext::default(), &"ann".into()).await.unwrap().unwrap();
    assert_eq!((payer.holder.as_str(), payer.authorisers), ("Holder of ann", 1));
    assert_eq!(payer.signatories, ["ann".into()]);
}

#[tokio::test]
async fn pis_083_what_is_available_counts_reservations() {
    let world = world().await;
    world.order("o", instruction(1_000)).await;
    world.turn().await;
    let payer = world.bank.find_payer(&CallContext::default(), &"ann".into()).await.unwrap().unwrap();
    assert_eq!(payer.available.minor(), OPENING - 1_000);
    let balances = world.bank.list_balances(&CallContext::default(), &["ann".into()]).await.unwrap();
    assert!(balances.iter().any(|it| it.sum == payer.available), "{balances:?}");
}

#[tokio::test]
async fn a_dossier_is_read_as_it_was_written() {
    let world = world().await;
    let schedule = Schedule {
        frequency: Frequency::IntervalMonthDay(1, -1),
        first_on: date(2026, 3, 2),
        recurring_from: Some(date(2026, 4, 2)),
        end: ScheduleEnd::On(date(2027, 1, 1)),
        regular: Some(Amount::from_minor(7, Currency::GBP)),
        last: None,
    };
    for timing in [Timing::Immediate, Timing::Scheduled(date(2026, 3, 2)), Timing::StandingOrder(schedule.clone())] {
        let order = world.order("o", when(timing, by(Instrument::Chaps, instruction(1_393)))).await;
        let execution = OrderExecution::new(&order, Currency::GBP, &Rails::default(), noon());
        assert_eq!(serde_json::from_str::<OrderExecution>(&execution.write()).unwrap(), execution);
        if let timing::OrderTiming::StandingOrder(turns) = &execution.timing {
            assert_eq!(turns.schedule(Currency::GBP), schedule);
        }
    }
}

proptest! {
    #[test]
    fn sch_004_every_rail_leaves_in_future_on_its_own_day_and_arrives_later(
        hours in 0_i64..30_000,
        seconds in 0_i64..3_600,
        which in 0_usize..12,
        days in 0_i64..400,
    ) {
        let rail = Instrument::ALL[which];
        let now = Timestamp::from_second(1_767_225_600 + hours * 3_600 + seconds).unwrap();
        let day = lombard_domain::calendar::london_date(now).saturating_add(jiff::Span::new().days(days + 1));
        for timing in [Timing::Immediate, Timing::Scheduled(day)] {
            let it = said(&Rails::default(), when(timing.clone(), by(rail, instruction(1))), &now.to_string());
            let (leaves, arrives) = (it.execution_at.unwrap(), it.settlement_at.unwrap());
            prop_assert!(now <= leaves && leaves < arrives);
            let leaves_on = lombard_domain::calendar::london_date(leaves);
            prop_assert!(rail.runs_every_day() || lombard_domain::calendar::is_working_day(leaves_on));
            if let Timing::Scheduled(day) = timing {
                prop_assert!(leaves_on >= day && (leaves_on == day || !rail.runs_every_day()));
                prop_assert!(!it.is_too_late(now));
                prop_assert!(it.cut_off.unwrap().at <= leaves);
            }
        }
    }
}
