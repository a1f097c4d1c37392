//! Tests of limits: the periods, the rules as tables, and the counting against a model that walks the calendar day by day.

mod consents;
mod counting;
mod newer;
mod periods;
mod rules;

use super::*;
use crate::money::{Amount, Currency};
use jiff::civil::{Date, date};
use jiff::{Timestamp, ToSpan};
use proptest::prelude::*;

fn pounds(pence: u64) -> Amount {
    Amount::from_minor(pence, Currency::GBP)
}

fn at(instant: &str) -> Timestamp {
    instant.parse().unwrap()
}

fn monthly(alignment: PeriodAlignment, pence: u64) -> PeriodicLimit {
    PeriodicLimit { cycle: PeriodCycle::new(LimitPeriod::Month, alignment).unwrap(), amount: pounds(pence) }
}

/// Control parameters that allow every payment up to 100.00 within these limits.
fn parameters(limits: Vec<PeriodicLimit>) -> ControlParameters {
    ControlParameters {
        valid_from: None,
        valid_to: None,
        individual: pounds(10_000),
        limits: PeriodicLimits::new(limits).unwrap(),
        types: VrpType::USUAL.into(),
        methods: AuthenticationMethod::ALL.into(),
        interactions: [].into(),
    }
}

fn attempt(instant: &str, pence: u64) -> VrpPaymentAttempt {
    VrpPaymentAttempt {
        at: at(instant),
        amount: pounds(pence),
        kind: VrpType::Sweeping,
        method: AuthenticationMethod::NotRequired,
        interaction: None,
    }
}

/// Every period cycle.
fn all_cycles() -> Vec<PeriodCycle> {
    let periods = [
        LimitPeriod::Day,
        LimitPeriod::Week,
        LimitPeriod::Fortnight,
        LimitPeriod::Month,
        LimitPeriod::HalfYear,
        LimitPeriod::Year,
    ];
    let alignments = [PeriodAlignment::Consent, PeriodAlignment::Calendar];
    periods
        .into_iter()
        .flat_map(|period| alignments.map(|alignment| PeriodCycle::new(period, alignment)))
        .flatten()
        .collect()
}

fn cycles() -> impl Strategy<Value = PeriodCycle> {
    prop::sample::select(all_cycles())
}

/// Days of six decades, the ends of months and the days around them more often than others.
fn days() -> impl Strategy<Value = Date> {
    (0_i64..22_000, 0_u8..4).prop_map(|(days, edge)| {
        let day = date(2000, 1, 1).saturating_add(days.days());
        match edge {
            0 => day.last_of_month(),
            1 => day.first_of_month(),
            2 => date(day.year(), 2, 1).last_of_month(),
            _ => day,
        }
    })
}
