//! Random domestic payments, and the timing of payments.

use super::payee::payee;
use crate::random::SeededRandom;
use jiff::civil::{Date, Weekday};
use jiff::{Timestamp, ToSpan};
use lombard_domain::calendar::london_date;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::transfer::{CreditorDetails, Instrument, Schedule, ScheduleEnd, Timing, Transfer};
use std::num::NonZeroU16;

/// Amounts whose endings trigger an outcome, and amounts without an effect.
pub(super) const AMOUNTS: [u64; 12] = [1, 100, 999, 2_500, 30_000, 150_000, 1_391, 1_392, 1_393, 11_394, 1_395, 21_396];

/// A domestic payment.
pub(super) fn transfer(chance: &mut SeededRandom, now: Timestamp) -> Transfer {
    let timing = timing(chance, london_date(now), Currency::GBP);
    let rail = match &timing {
        Timing::StandingOrder(_) => None,
        Timing::Immediate | Timing::Scheduled(_) => {
            let rails = [None, None, Some(Instrument::FasterPayments), Some(Instrument::Chaps), Some(Instrument::Bacs)];
            chance.pick(&rails).copied().flatten()
        }
    };
    let currency = if chance.one_in(40) { Currency::USD } else { Currency::GBP };
    let amount = chance.pick(&AMOUNTS).copied().unwrap_or(1);
    Transfer::domestic(
        CreditorDetails { instrument: rail, ..CreditorDetails::new(payee(chance)) },
        Amount::from_minor(amount, currency),
        timing,
    )
}

/// The timing of a payment. The amounts of a schedule are in this currency.
pub(super) fn timing(chance: &mut SeededRandom, today: Date, currency: Currency) -> Timing {
    let days = i64::try_from(chance.below(30)).unwrap_or(1);
    let day = today.saturating_add(days.days());
    match chance.below(10) {
        0..5 => Timing::Immediate,
        5..8 => Timing::Scheduled(day),
        _ => Timing::StandingOrder(schedule(chance, day, currency)),
    }
}

fn schedule(chance: &mut SeededRandom, first_on: Date, currency: Currency) -> Schedule {
    let frequencies = [
        Frequency::EveryWorkingDay,
        Frequency::IntervalDay(10),
        Frequency::IntervalWeekDay(1, Weekday::Friday),
        Frequency::IntervalMonthDay(1, -1),
        Frequency::IntervalMonthDay(1, 31),
    ];
    let frequency = chance.pick(&frequencies).copied().unwrap_or(Frequency::EveryWorkingDay);
    let count = u16::try_from(chance.below(6)).unwrap_or(0);
    let end = match (chance.below(3), NonZeroU16::new(count)) {
        (0, Some(count)) => ScheduleEnd::After(count),
        (1, _) => ScheduleEnd::On(first_on.saturating_add(50.days())),
        _ => ScheduleEnd::Open,
    };
    let regular = chance.one_in(3).then_some(Amount::from_minor(777, currency));
    let last = (end != ScheduleEnd::Open && chance.one_in(3)).then_some(Amount::from_minor(55, currency));
    Schedule { frequency, first_on, recurring_from: None, end, regular, last }
}
