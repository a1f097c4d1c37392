//! Scheduled payments and standing orders.

use super::PaymentStatus as S;
use super::*;
use jiff::civil::date;
use lombard_domain::account::{ArrangementStatus, ScheduledPayment, StandingOrder};
use lombard_domain::frequency::{Frequency, Quarter};
use lombard_domain::payment::transfer::{Schedule, ScheduleEnd};
use std::num::NonZeroU16;

fn schedule(frequency: Frequency, first_on: Date, end: ScheduleEnd) -> Timing {
    Timing::StandingOrder(Schedule { frequency, first_on, recurring_from: None, end, regular: None, last: None })
}

fn after(count: u16) -> ScheduleEnd {
    ScheduleEnd::After(NonZeroU16::new(count).unwrap())
}

fn days(entries: &[Transaction]) -> Vec<(String, i64)> {
    entries.iter().map(|it| (it.booked_at.to_string()[..10].to_owned(), it.sum.minor())).collect()
}

#[tokio::test]
async fn sch_007_a_scheduled_payment_is_kept_shown_and_made_on_its_day() {
    let world = world().await;
    world.order("o", on(date(2026, 3, 2), to("bob", instruction(400)))).await;
    world.turn().await;
    assert_eq!(world.hear().await.into_iter().map(|it| it.change).collect::<Vec<_>>(), [OrderUpdate::Warehoused]);
    let shown: Vec<ScheduledPayment> = world.list("ann").await;
    let morning = at("2026-03-02T06:00:00Z");
    assert_eq!((shown[0].id.as_str(), shown[0].at, shown[0].amount.minor()), ("o", morning, 400));
    assert_eq!(world.moved("ann").await, (0, 0), "nothing is reserved before its day");
    world.go_to(morning).await;
    assert_eq!(world.statuses().await, [(1, S::InProcess)]);
    assert!(world.list::<ScheduledPayment>("ann").await.is_empty(), "AIS-173: what is made is not planned");
    world.go_to(at("2026-03-02T06:00:02Z")).await;
    assert_eq!((world.moved("ann").await, world.moved("bob").await), ((-400, 0), (400, 0)));
    assert_eq!(world.statuses().await, [(1, S::Settled), (1, S::Credited)]);
    world.wait(10_000_000).await;
    assert_eq!(world.moved("ann").await, (-400, 0), "once");
}

#[tokio::test]
async fn sch_004_a_day_off_rolls_the_payment_unless_its_rail_never_rests() {
    // 28 March 2026 is a Saturday; the clocks change on the Sunday.
    let saturday = date(2026, 3, 28);
    for (rail, leaves_at) in [
        (Instrument::FasterPayments, "2026-03-28T06:00:00Z"),
        (Instrument::Bacs, "2026-03-30T05:00:00Z"),
        (Instrument::Chaps, "2026-03-30T05:00:00Z"),
    ] {
        let world = world().await;
        let order = world.order("o", on(saturday, by(rail, instruction(100)))).await;
        assert_eq!(order.conditions.execution_at, Some(at(leaves_at)), "{rail:?}");
        assert_eq!(order.conditions.cut_off.unwrap().at, at("2026-03-28T00:00:00Z"), "SCH-006");
        world.go_to(at("2026-04-30T00:00:00Z")).await;
        let entry = world.entries("ann").await.into_iter().find(|it| it.sum.minor() == -100).unwrap();
        assert_eq!(entry.booked_at.to_string()[..10], leaves_at[..10], "{rail:?}");
        assert!(entry.booked_at >= at(leaves_at));
    }
}

#[tokio::test]
async fn sch_012_a_scheduled_payment_without_money_is_tried_once_and_says_so() {
    let world = world().await;
    let dear = u64::try_from(OPENING).unwrap() + 1;
    world.order("o", on(date(2026, 3, 2), instruction(dear))).await;
    world.go_to(at("2026-03-02T23:00:00Z")).await;
    let updates = world.hear().await;
    assert_eq!(refusal(&updates), None, "the order was set up");
    let told_of: Vec<_> = updates.into_iter().filter_map(|it| payment(it.change)).collect();
    assert_eq!((told_of.len(), told_of[0].status), (1, S::Rejected));
    assert_eq!(told_of[0].reason, Some(RejectionReason::InsufficientFunds));
    let entries = world.entries("ann").await;
    assert_eq!(told(&entries)[0].2, "Not paid to Waterworks: insufficient funds");
    assert_eq!(entries[0].status, EntryStatus::Rejected);
    assert!(world.list::<ScheduledPayment>("ann").await.is_empty());
    world.wait(1_000_000).await;
    assert!(world.hear().await.is_empty());
}

#[tokio::test]
async fn x_23_a_standing_order_pays_on_its_original_scottish_quarter_days() {
    // 2 February 2026 is a Monday, 28 February a Saturday.
    for (quarter, expected) in [
        (Quarter::Scottish, ["2026-03-02", "2026-05-15", "2026-08-03", "2026-11-11"]),
        (Quarter::ScottishStatutory, ["2026-03-02", "2026-05-28", "2026-08-28", "2026-11-30"]),
    ] {
        let world = world().await;
        let quarterly = schedule(Frequency::QuarterDay(quarter), date(2026, 3, 2), ScheduleEnd::Open);
        world.order("o", when(quarterly, to("bob", instruction(100)))).await;
        world.go_to(at("2026-12-31T00:00:00Z")).await;
        assert_eq!(days(&world.entries("ann").await), expected.map(|day| (day.to_owned(), -100)), "{quarter:?}");
        let shown: StandingOrder = world.list("ann").await.remove(0);
        assert_eq!(shown.frequency, Frequency::QuarterDay(quarter));
    }
}

#[tokio::test]
async fn so_019_020_a_standing_order_pays_on_its_days_and_ends_with_its_last() {
    let world = world().await;
    // 31 May 2026 is a Sunday, 31 March a Tuesday.
    let monthly = Timing::StandingOrder(Schedule {
        frequency: Frequency::IntervalMonthDay(1, 31),
        first_on: date(2026, 3, 2),
        recurring_from: None,
        end: after(5),
        regular: Some(Amount::from_minor(200, Currency::GBP)),
        last: Some(Amount::from_minor(300, Currency::GBP)),
    });
    world.order("o", when(monthly, to("bob", instruction(100)))).await;
    world.turn().await;
    let shown: StandingOrder = world.list("ann").await.remove(0);
    assert_eq!((shown.id.as_str(), shown.status, shown.payments), ("o", ArrangementStatus::Active, Some(5)));
    assert_eq!(shown.next.unwrap().at, at("2026-03-02T06:00:00Z"));
    world.go_to(at("2026-04-02T00:00:00Z")).await;
    let shown: StandingOrder = world.list("ann").await.remove(0);
    let (last, next) = (shown.last.unwrap(), shown.next.unwrap());
    assert_eq!((last.at, last.amount.minor()), (at("2026-03-31T05:00:00Z"), 200));
    assert_eq!((next.at, next.amount.minor()), (at("2026-04-30T05:00:00Z"), 200));
    world.go_to(at("2027-01-01T00:00:00Z")).await;
    let expected =
        [("2026-03-02", -100), ("2026-03-31", -200), ("2026-04-30", -200), ("2026-06-01", -200), ("2026-06-30", -300)];
    assert_eq!(days(&world.entries("ann").await), expected.map(|(day, minor)| (day.to_owned(), minor)));
    let shown: StandingOrder = world.list("ann").await.remove(0);
    assert_eq!((shown.status, shown.next), (ArrangementStatus::Expired, None), "AIS-170");
    assert_eq!(world.moved("bob").await, (1_000, 0));
    let numbers: Vec<_> = world.statuses().await.into_iter().filter(|it| it.1 == S::Credited).map(|it| it.0).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn so_020_days_off_pile_up_and_none_is_lost() {
    let world = world().await;
    // Good Friday is 3 April 2026, Easter Monday the 6th.
    let daily = schedule(Frequency::EveryDay, date(2026, 4, 1), after(9));
    world.order("o", when(daily, instruction(100))).await;
    world.go_to(at("2026-05-01T00:00:00Z")).await;
    let found: Vec<_> = days(&world.entries("ann").await).into_iter().map(|it| it.0).collect();
    let seventh = ["2026-04-07"; 5];
    assert_eq!(found, [&["2026-04-01", "2026-04-02"], &seventh[..], &["2026-04-08", "2026-04-09"]].concat());
}

#[tokio::test]
async fn so_020_a_payment_without_money_stops_neither_the_order_nor_the_rest() {
    let world = world().await;
    let monthly = schedule(Frequency::IntervalMonthDay(1, 2), date(2026, 3, 2), ScheduleEnd::Open);
    world.order("o", when(monthly, instruction(200_000))).await;
    world.go_to(at("2026-07-01T00:00:00Z")).await;
    let rejected: Vec<_> = world.statuses().await.into_iter().filter(|it| it.1 == S::Rejected).collect();
    assert_eq!(rejected, [(3, S::Rejected), (4, S::Rejected)], "two could be paid");
    world
        .order_from(
            "bob",
            "gift",
            with(instruction(300_000), |credit, _| {
                credit.creditor = NamedAccount::new(number_of("ann")).unwrap();
            }),
        )
        .await;
    world.go_to(at("2026-07-03T00:00:00Z")).await;
    assert_eq!(world.moved("ann").await, (-300_000, 0));
    let shown: StandingOrder = world.list("ann").await.remove(0);
    assert_eq!(shown.status, ArrangementStatus::Active);
}

#[tokio::test]
async fn a_closed_account_ends_what_was_ordered_on_it() {
    let world = world().await;
    let monthly = schedule(Frequency::IntervalMonthDay(1, 2), date(2026, 3, 2), ScheduleEnd::Open);
    world.order("o", when(monthly, instruction(200))).await;
    world.order("p", on(date(2026, 3, 20), instruction(200))).await;
    world.go_to(at("2026-03-10T00:00:00Z")).await;
    world.hear().await;
    world.set_status("ann", AccountStatus::Deleted).await;
    world.go_to(at("2027-03-10T00:00:00Z")).await;
    assert_eq!(world.moved("ann").await, (-200, 0));
    let updates = world.hear().await;
    let of =
        |id: &str| updates.iter().filter(|it| it.order == id.into()).map(|it| it.change.clone()).collect::<Vec<_>>();
    let [OrderUpdate::PaymentChanged(last), OrderUpdate::Cancelled(why)] = &of("o")[..] else {
        panic!("{:?}", of("o"))
    };
    assert_eq!(
        (last.status, *why),
        (S::Rejected, RejectionReason::DebtorAccountUnusable),
        "the customer did not take it back"
    );
    assert!(
        matches!(&of("p")[..], [OrderUpdate::PaymentChanged(it)] if it.reason == Some(RejectionReason::DebtorAccountUnusable))
    );
    let shown: StandingOrder = world.list("ann").await.remove(0);
    assert_eq!(shown.status, ArrangementStatus::Inactive);
}

#[tokio::test]
async fn however_the_clock_is_moved_the_same_is_paid() {
    let (at_once, by_days) = (world().await, world().await);
    for world in [&at_once, &by_days] {
        let weekly =
            schedule(Frequency::IntervalWeekDay(1, jiff::civil::Weekday::Friday), date(2026, 2, 27), ScheduleEnd::Open);
        world.order("weekly", when(weekly, to("bob", instruction(100)))).await;
        let working = schedule(Frequency::EveryWorkingDay, date(2026, 3, 2), after(200));
        world.order("working", when(working, instruction(10))).await;
        world.order("once", on(date(2026, 8, 31), by(Instrument::Bacs, instruction(77)))).await;
    }
    at_once.go_to(at("2027-02-25T12:00:00Z")).await;
    for _ in 0..365 {
        by_days.wait(86_400).await;
    }
    assert_eq!(at_once.entries("ann").await, by_days.entries("ann").await);
    assert_eq!(at_once.entries("bob").await, by_days.entries("bob").await);
    let (mut one, mut other) = (at_once.hear().await, by_days.hear().await);
    for updates in [&mut one, &mut other] {
        updates.sort_by(|a, b| (&a.order, a.number).cmp(&(&b.order, b.number)));
    }
    assert_eq!(one, other);
    assert!(one.len() > 700, "{}", one.len());
}

#[tokio::test]
async fn an_order_that_comes_after_its_day_is_paid_when_it_comes() {
    let world = world().await;
    // The second customer authorised the payment late.
    let order = world.order("o", on(date(2026, 2, 20), instruction(100))).await;
    assert_eq!(order.conditions.execution_at, Some(at("2026-02-20T06:00:00Z")));
    world.turn().await;
    world.wait(2).await;
    let entry = world.entries("ann").await.remove(0);
    assert_eq!(entry.booked_at, at("2026-02-25T12:00:01Z"));
}

#[tokio::test]
async fn an_arrangement_is_never_carried_out_without_its_order() {
    let world = world().await;
    let monthly = schedule(Frequency::IntervalMonthDay(1, 2), date(2026, 3, 2), ScheduleEnd::Open);
    world.order("o", when(monthly, instruction(200))).await;
    world.order("p", on(date(2026, 3, 2), instruction(300))).await;
    world.order("q", on(date(2026, 3, 3), instruction(400))).await;
    world.turn().await;
    let spoil = |tx: &mut dyn Tables| {
        ["o", "p"].into_iter().try_for_each(|id| {
            let order = tx.bank_order_for_update(&id.into())?.unwrap();
            tx.bank_order_update(&OrderAtBank { execution: "{}".to_owned(), ..order })
        })
    };
    world.store.write::<_, StoreError, _>(spoil).await.unwrap();
    world.go_to(at("2026-06-01T00:00:00Z")).await;
    assert_eq!(world.moved("ann").await, (-400, 0), "what can be carried out is");
    assert!(world.list::<ScheduledPayment>("ann").await.is_empty());
    let shown: StandingOrder = world.list("ann").await.remove(0);
    assert_eq!((shown.status, shown.next), (ArrangementStatus::Inactive, None), "nothing promises what nobody does");
}
