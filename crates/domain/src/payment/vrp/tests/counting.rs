//! Usage counting compared with a slow model that examines every day, keeps every payment and recomputes all sums.

#![allow(clippy::arithmetic_side_effects, reason = "a model in plain numbers, all of them small")]

use super::*;
use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use rust_decimal::{Decimal, RoundingStrategy};
use std::collections::BTreeMap;

/// Whether a period begins on a day: each rule is stated as one condition on that day. Source: VRP-033 to VRP-035.
fn begins(cycle: PeriodCycle, anchor: Date, day: Date) -> bool {
    let apart = anchor.until(day).unwrap().get_days();
    let months = |day: Date| i32::from(day.year()) * 12 + i32::from(day.month());
    let months_apart = months(day) - months(anchor);
    let on_its_day = day.day() == anchor.day().min(day.days_in_month());
    match cycle {
        PeriodCycle::Consent(LimitPeriod::Day) | PeriodCycle::Calendar(CalendarPeriod::Day) => true,
        PeriodCycle::Consent(LimitPeriod::Week) => apart % 7 == 0,
        PeriodCycle::Consent(LimitPeriod::Fortnight) => apart % 14 == 0,
        PeriodCycle::Consent(LimitPeriod::Month) => on_its_day,
        PeriodCycle::Consent(LimitPeriod::HalfYear) => on_its_day && months_apart % 6 == 0,
        PeriodCycle::Consent(LimitPeriod::Year) => on_its_day && months_apart % 12 == 0,
        PeriodCycle::Calendar(CalendarPeriod::Week) => day.weekday() == Weekday::Monday,
        PeriodCycle::Calendar(CalendarPeriod::Month) => day.day() == 1,
        PeriodCycle::Calendar(CalendarPeriod::HalfYear) => day.day() == 1 && [1, 7].contains(&day.month()),
        PeriodCycle::Calendar(CalendarPeriod::Year) => (day.month(), day.day()) == (1, 1),
    }
}

/// The periods that lie between an anchor and a day, their first and last days.
pub(super) fn walked(cycle: PeriodCycle, anchor: Date, until: Date) -> Vec<(Date, Date)> {
    let mut periods = Vec::new();
    let mut first = anchor;
    for day in anchor.series(1.day()).take_while(|day| *day <= until) {
        if begins(cycle, anchor, day.tomorrow().unwrap()) {
            periods.push((first, day));
            first = day.tomorrow().unwrap();
        }
    }
    periods
}

/// The period that contains a day, and its limit, found by stepping from the day in both directions.
fn period(limit: &PeriodicLimit, anchor: Date, day: Date) -> (Date, Date, u64) {
    let cycle = limit.cycle;
    let mut first = day;
    let mut last = day;
    while first > anchor && !begins(cycle, anchor, first) {
        first = first.yesterday().unwrap();
    }
    while !begins(cycle, anchor, last.tomorrow().unwrap()) {
        last = last.tomorrow().unwrap();
    }
    let counted = first.series(1.day()).take_while(|day| *day <= last).count();
    let mut missing = 0_usize;
    let mut begun = first;
    while !begins(cycle, anchor, begun) {
        begun = begun.yesterday().unwrap();
        missing += 1;
    }
    let share = Decimal::from(limit.amount.minor()) * Decimal::from(counted) / Decimal::from(counted + missing);
    let rounded = share.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    (first, last, u64::try_from(rounded).unwrap())
}

/// The day in London: an hour ahead from the last Sunday of March to the last of October, from 01:00 UTC on.
fn london(at: Timestamp) -> Date {
    let utc = TimeZone::UTC.to_datetime(at);
    let change = |month: i8| {
        let mut sunday = date(utc.year(), month, 31);
        while sunday.weekday() != Weekday::Sunday {
            sunday = sunday.yesterday().unwrap();
        }
        sunday.at(1, 0, 0, 0)
    };
    if utc >= change(3) && utc < change(10) { utc.checked_add(1.hour()).unwrap().date() } else { utc.date() }
}

/// An accepted payment.
struct Paid {
    at: Timestamp,
    pence: u64,
    rejected: bool,
}

struct Model<'a> {
    parameters: &'a ControlParameters,
    anchor: Date,
    paid: Vec<Paid>,
}

/// A breach, in plain values.
#[derive(Debug, PartialEq, Eq)]
enum Refused {
    Early,
    Late,
    Individual,
    Period { limit: usize, left: u64, first: Date, last: Date },
}

impl Model<'_> {
    /// The sum of the counted payments between two days.
    fn sum(&self, first: Date, last: Date) -> u64 {
        let counts = |paid: &&Paid| !paid.rejected && (first..=last).contains(&london(paid.at));
        self.paid.iter().filter(counts).map(|paid| paid.pence).sum()
    }

    /// For each limit, its period at a day: first day, last day, allowed, used.
    fn standings(&self, day: Date) -> Vec<(Date, Date, u64, u64)> {
        let standing = |limit| {
            let (first, last, allowed) = period(limit, self.anchor, day);
            (first, last, allowed, self.sum(first, last))
        };
        self.parameters.limits.iter().map(standing).collect()
    }

    fn refused(&self, at: Timestamp, pence: u64) -> Vec<Refused> {
        let day = london(at);
        let mut refused = Vec::new();
        if day < self.anchor {
            refused.push(Refused::Early);
        }
        if self.parameters.valid_to.is_some_and(|last| day > last) {
            refused.push(Refused::Late);
        }
        if pence > self.parameters.individual.minor() {
            refused.push(Refused::Individual);
        }
        if day >= self.anchor {
            for (limit, (first, last, allowed, used)) in self.standings(day).into_iter().enumerate() {
                if used + pence > allowed {
                    refused.push(Refused::Period { limit, left: allowed - used, first, last });
                }
            }
        }
        refused
    }

    /// The expected counters.
    fn counters(&self) -> VrpUsage {
        let mut sums = BTreeMap::new();
        for limit in self.parameters.limits.iter() {
            for paid in &self.paid {
                let (first, last, _) = period(limit, self.anchor, london(paid.at));
                sums.insert(PeriodCounter { cycle: limit.cycle, from: first }, self.sum(first, last));
            }
        }
        sums.into_iter().collect()
    }
}

fn plain(breach: ControlBreach) -> Refused {
    match breach {
        ControlBreach::NotYetValid { .. } => Refused::Early,
        ControlBreach::NoLongerValid { .. } => Refused::Late,
        ControlBreach::Individual { .. } => Refused::Individual,
        ControlBreach::Period { limit, remaining: left, window } => {
            Refused::Period { limit, left: left.minor(), first: window.first, last: window.last }
        }
        other
        @ (ControlBreach::Currency | ControlBreach::Type | ControlBreach::Method | ControlBreach::Interaction) => {
            panic!("{other:?}")
        }
    }
}

/// The amount of a payment.
#[derive(Debug, Clone, Copy)]
enum Wish {
    Pence(u64),
    /// The remainder of the tightest limit, plus this number of pence.
    Left(u64),
}

/// A step of the test.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// This number of days passes; then a payment is attempted, this number of minutes before or after midnight UTC.
    Pay { days: i64, minutes: i64, rate_request: Wish },
    /// An earlier payment is rejected afterwards.
    Reject(prop::sample::Index),
}

fn steps() -> impl Strategy<Value = Step> {
    let days = prop_oneof![6 => 0_i64..3, 2 => 0_i64..20, 1 => 0_i64..200];
    let minutes = prop_oneof![-61_i64..=1, 0_i64..1_440];
    let rate_request = prop_oneof![2 => (1_u64..6_000).prop_map(Wish::Pence), 1 => (0_u64..2).prop_map(Wish::Left)];
    prop_oneof![
        5 => (days, minutes, rate_request).prop_map(|(days, minutes, rate_request)| Step::Pay { days, minutes, rate_request }),
        1 => any::<prop::sample::Index>().prop_map(Step::Reject),
    ]
}

prop_compose! {
    fn any_parameters()(
        anchor in days(),
        validity in (any::<bool>(), prop::option::of(0_i64..2_000)),
        individual in 1_u64..15_000,
        limits in prop::collection::vec((cycles(), 1_u64..30_000), 1..5),
    ) -> (ControlParameters, Date) {
        let limit = |(cycle, pence)| PeriodicLimit { cycle, amount: pounds(pence) };
        let parameters = ControlParameters {
            valid_from: validity.0.then_some(anchor),
            valid_to: validity.1.map(|days| anchor.saturating_add(days.days())),
            individual: pounds(individual),
            ..parameters(limits.into_iter().map(limit).collect())
        };
        (parameters, anchor)
    }
}

proptest! {
    #[test]
    fn vrp_030_to_040_limits_count_as_a_model_does_that_keeps_every_payment(
        (parameters, anchor) in any_parameters(),
        steps in prop::collection::vec(steps(), 1..60),
    ) {
        // At noon: the day of creation is the anchor, where no first day is given.
        let created_at = anchor.at(12, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap().timestamp();
        let vrp_limits = parameters.limits_from(created_at);
        let mut model = Model { parameters: &parameters, anchor, paid: Vec::new() };
        let mut usage = VrpUsage::default();
        let mut day = anchor.saturating_sub(1.day());
        let mut at = created_at;
        for step in steps {
            match step {
                Step::Pay { days, minutes, rate_request } => {
                    day = day.saturating_add(days.days());
                    at = day.to_zoned(TimeZone::UTC).unwrap().timestamp() + minutes.minutes();
                    let left = model.standings(london(at).max(anchor)).into_iter().map(|(.., allowed, used)| allowed - used);
                    let pence = match rate_request {
                        Wish::Pence(pence) => pence,
                        Wish::Left(more) => left.min().unwrap() + more,
                    };
                    let attempt = VrpPaymentAttempt { at, ..attempt("2026-01-01T00:00:00Z", pence) };
                    match vrp_limits.check_payment(&attempt, &usage) {
                        Ok(reservation) => {
                            prop_assert_eq!(model.refused(at, pence), []);
                            usage.reserve(&reservation).unwrap();
                            model.paid.push(Paid { at, pence, rejected: false });
                        }
                        Err(breaches) => {
                            let breaches: Vec<_> = breaches.into_iter().map(plain).collect();
                            prop_assert_eq!(model.refused(at, pence), breaches);
                        }
                    }
                }
                Step::Reject(index) => {
                    let open: Vec<_> = model.paid.iter_mut().filter(|paid| !paid.rejected).collect();
                    if !open.is_empty() {
                        let position = index.index(open.len());
                        let paid = open.into_iter().nth(position).unwrap();
                        paid.rejected = true;
                        usage.release(&vrp_limits.reservation(paid.at, pounds(paid.pence))).unwrap();
                    }
                }
            }
            let shown: Vec<_> = vrp_limits.limit_usages(at, &usage).into_iter().map(|it| {
                (it.window.first, it.window.last, it.allowed.minor(), it.used.minor())
            }).collect();
            prop_assert_eq!(shown, model.standings(london(at).max(anchor)));
        }
        prop_assert_eq!(&usage, &model.counters());
        // The check needs only the counters of that time; the other stored counters need not be read.
        let needed = vrp_limits.counters(at).into_iter().map(|counter| (counter, usage.used(counter)));
        let needed: VrpUsage = needed.collect();
        let next = VrpPaymentAttempt { at, ..attempt("2026-01-01T00:00:00Z", 1) };
        prop_assert_eq!(vrp_limits.check_payment(&next, &needed), vrp_limits.check_payment(&next, &usage));
    }
}
