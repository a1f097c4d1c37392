//! The days of periods, and the share of a limit in the first one.

use super::counting::walked;
use super::*;

fn spans(cycle: PeriodCycle, anchor: Date, count: usize) -> Vec<(Date, Date)> {
    cycle.windows(anchor).take(count).map(|window| (window.first, window.last)).collect()
}

fn calendar(period: LimitPeriod) -> PeriodCycle {
    PeriodCycle::new(period, PeriodAlignment::Calendar).unwrap()
}

fn consent(period: LimitPeriod) -> PeriodCycle {
    PeriodCycle::new(period, PeriodAlignment::Consent).unwrap()
}

#[test]
fn vrp_010_the_calendar_has_no_fortnights() {
    assert_eq!(PeriodCycle::new(LimitPeriod::Fortnight, PeriodAlignment::Calendar), None);
    assert_eq!(all_cycles().len(), 11);
    for cycle in all_cycles() {
        assert_eq!(PeriodCycle::new(cycle.period(), cycle.alignment()), Some(cycle));
    }
}

#[test]
fn vrp_033_periods_from_the_consent_have_their_full_length() {
    let anchor = date(2021, 6, 5);
    assert_eq!(
        spans(consent(LimitPeriod::Month), anchor, 3),
        [(anchor, date(2021, 7, 4)), (date(2021, 7, 5), date(2021, 8, 4)), (date(2021, 8, 5), date(2021, 9, 4)),]
    );
    assert_eq!(spans(consent(LimitPeriod::Day), anchor, 2), [(anchor, anchor), (date(2021, 6, 6), date(2021, 6, 6))]);
    assert_eq!(spans(consent(LimitPeriod::Week), anchor, 1), [(anchor, date(2021, 6, 11))]);
    assert_eq!(
        spans(consent(LimitPeriod::Fortnight), anchor, 2),
        [(anchor, date(2021, 6, 18)), (date(2021, 6, 19), date(2021, 7, 2))]
    );
    assert_eq!(spans(consent(LimitPeriod::HalfYear), anchor, 1), [(anchor, date(2021, 12, 4))]);
    assert_eq!(spans(consent(LimitPeriod::Year), anchor, 1), [(anchor, date(2022, 6, 4))]);
    let whole = consent(LimitPeriod::Month).windows(anchor).next().unwrap();
    assert_eq!(whole.share_of(pounds(50_000)), pounds(50_000), "no pro-rating");
}

#[test]
fn vrp_034_months_are_added_to_the_anchor_and_clamped() {
    assert_eq!(
        spans(consent(LimitPeriod::Month), date(2024, 1, 31), 3),
        [
            (date(2024, 1, 31), date(2024, 2, 28)),
            (date(2024, 2, 29), date(2024, 3, 30)),
            (date(2024, 3, 31), date(2024, 4, 29)),
        ]
    );
    let starts = |period, anchor, count| -> Vec<Date> {
        spans(consent(period), anchor, count).into_iter().map(|(first, _)| first).collect()
    };
    assert_eq!(starts(LimitPeriod::Month, date(2023, 1, 31), 3)[1..], [date(2023, 2, 28), date(2023, 3, 31)]);
    assert_eq!(starts(LimitPeriod::HalfYear, date(2023, 8, 31), 3)[1..], [date(2024, 2, 29), date(2024, 8, 31)]);
    assert_eq!(
        starts(LimitPeriod::Year, date(2024, 2, 29), 5)[1..],
        [date(2025, 2, 28), date(2026, 2, 28), date(2027, 2, 28), date(2028, 2, 29)]
    );
}

#[test]
fn vrp_035_to_037_the_calendars_first_period_is_cut_and_its_limit_with_it() {
    for (period, anchor, limit, first_until, share, next_until) in [
        (LimitPeriod::Month, date(2021, 6, 6), 30_000, date(2021, 6, 30), 25_000, date(2021, 7, 31)),
        // VRP-038: 209 days from the 6th, 210 from the 5th.
        (LimitPeriod::Year, date(2021, 6, 6), 50_000, date(2021, 12, 31), 28_630, date(2022, 12, 31)),
        (LimitPeriod::Year, date(2021, 6, 5), 50_000, date(2021, 12, 31), 28_767, date(2022, 12, 31)),
        (LimitPeriod::Month, date(2024, 2, 10), 100_000, date(2024, 2, 29), 68_966, date(2024, 3, 31)),
        (LimitPeriod::Week, date(2024, 5, 15), 7_000, date(2024, 5, 19), 5_000, date(2024, 5, 26)),
        (LimitPeriod::HalfYear, date(2024, 5, 15), 100_000, date(2024, 6, 30), 25_824, date(2024, 12, 31)),
        (LimitPeriod::HalfYear, date(2024, 7, 1), 100_000, date(2024, 12, 31), 100_000, date(2025, 6, 30)),
        (LimitPeriod::Day, date(2024, 5, 15), 1_000, date(2024, 5, 15), 1_000, date(2024, 5, 16)),
        // Exactly half a penny, and less than half a penny.
        (LimitPeriod::Month, date(2025, 6, 16), 1, date(2025, 6, 30), 1, date(2025, 7, 31)),
        (LimitPeriod::Month, date(2025, 6, 17), 1, date(2025, 6, 30), 0, date(2025, 7, 31)),
    ] {
        let windows: Vec<_> = calendar(period).windows(anchor).take(2).collect();
        assert_eq!((windows[0].first, windows[0].last), (anchor, first_until), "{period:?} {anchor}");
        assert_eq!(windows[0].share_of(pounds(limit)), pounds(share), "{period:?} {anchor}");
        assert_eq!(windows[1].last, next_until, "{period:?} {anchor}");
        assert_eq!(windows[1].share_of(pounds(limit)), pounds(limit), "only the first is cut");
        let begins_with_it = period == LimitPeriod::Day || anchor == date(2024, 7, 1);
        assert_eq!(windows[0].is_cut_short(), !begins_with_it, "{period:?} {anchor}");
        assert!(!windows[1].is_cut_short());
    }
}

#[test]
fn the_calendar_ends_and_periods_with_it() {
    for cycle in all_cycles() {
        for anchor in [Date::MAX, Date::MAX.saturating_sub(400.days())] {
            let last = cycle.windows(anchor).last().unwrap();
            assert_eq!(last.last, Date::MAX, "{cycle:?}");
            assert_eq!(cycle.window(anchor, Date::MAX), Some(last));
        }
        for anchor in [Date::MIN, Date::ZERO, date(1, 1, 31)] {
            let long = cycle.window(anchor, Date::MAX);
            assert!(long.is_some_and(|window| window.contains(Date::MAX)), "{cycle:?} from {anchor}");
        }
        assert_eq!(cycle.window(date(2024, 1, 2), date(2024, 1, 1)), None, "nothing comes before the anchor");
    }
}

#[test]
fn the_largest_amount_is_shared_without_loss() {
    let cut = calendar(LimitPeriod::Year).windows(date(2024, 1, 2)).next().unwrap();
    let share = u64::try_from(u128::from(u64::MAX).strict_mul(365).strict_add(183).strict_div(366)).unwrap();
    assert_eq!(cut.share_of(pounds(u64::MAX)), pounds(share));
}

proptest! {
    #[test]
    fn vrp_033_to_035_periods_are_those_a_walk_through_the_calendar_finds(cycle in cycles(), anchor in days()) {
        let until = anchor.saturating_add(4.years());
        let walked = walked(cycle, anchor, until);
        let computed: Vec<_> = cycle.windows(anchor).take_while(|window| window.last <= until).collect();
        prop_assert_eq!(computed.len(), walked.len());
        for (window, (first, last)) in computed.iter().zip(walked) {
            prop_assert_eq!((window.first, window.last), (first, last));
            prop_assert!(!window.contains(first.yesterday().unwrap()) && !window.contains(last.tomorrow().unwrap()));
            for day in first.series(1.day()).take_while(|day| *day <= last) {
                prop_assert_eq!(cycle.window(anchor, day), Some(*window), "asked for any of its days");
            }
        }
        prop_assert_eq!(cycle.window(anchor, anchor.yesterday().unwrap()), None);
    }
}
