//! A reference implementation of periodic limits, which checks every payment against every limit.

use crate::promise::{InvariantViolation, ensure};
use jiff::civil::{Date, date};
use jiff::{Timestamp, ToSpan};
use lombard_domain::calendar::london_date;
use lombard_domain::consent::Consent;
use lombard_domain::payment::vrp::{
    CalendarPeriod, ControlParameters, LimitPeriod, PeriodCounter, PeriodCycle, PeriodicLimit, VrpPayment, VrpUsage,
};
use std::collections::BTreeSet;

/// A VRP payment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedPayment {
    /// The time of the payment.
    pub(crate) at: Timestamp,
    /// The amount in minor units.
    pub(crate) minor: u64,
    /// Whether the payment was rejected.
    pub(crate) rejected: bool,
}

/// The payments of one consent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Payments(pub(crate) Vec<CountedPayment>);

/// A period: its first day, and the first day of the next period. For a shortened period, also the day on which a whole period would begin.
struct PeriodDays {
    whole_from: Date,
    first: Date,
    next: Date,
}

impl Payments {
    /// The period counters that these payments changed.
    pub(crate) fn counters(&self, consent: &Consent) -> Vec<PeriodCounter> {
        let Some((controls, anchor)) = controls(consent) else { return Vec::new() };
        let dates: BTreeSet<_> = self.0.iter().map(|it| london_date(it.at)).collect();
        let of_date = |day: Date| {
            controls
                .limits
                .iter()
                .map(move |limit| PeriodCounter { cycle: limit.cycle, from: days(limit.cycle, anchor, day).first })
        };
        dates.into_iter().flat_map(of_date).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Checks that the counted usage equals the payments that are not rejected, and exceeds no limit. Source: VRP-030, VRP-040.
    ///
    /// # Errors
    /// The violated invariant.
    pub(crate) fn are_counted(&self, consent: &Consent, usage: &VrpUsage) -> Result<(), InvariantViolation> {
        let Some((controls, anchor)) = controls(consent) else { return Ok(()) };
        for counter in self.counters(consent) {
            let due = self.sum(counter.cycle, anchor, counter.from, |it| !it.rejected);
            let used = usage.used(counter);
            ensure(used == due, || format!("consent {}: {counter:?} is {used} and should be {due}", consent.id))?;
            for limit in controls.limits.iter().filter(|limit| limit.cycle == counter.cycle) {
                let most = share(limit, &days(limit.cycle, anchor, counter.from));
                ensure(due <= most, || format!("consent {}: {due} paid within {counter:?} of {most}", consent.id))?;
            }
        }
        ensure(self.0.iter().all(|it| it.minor <= controls.individual.minor() && london_date(it.at) >= anchor), || {
            format!("consent {}: a payment is too much or too early", consent.id)
        })
    }

    /// Whether a limit may have refused one more payment, if all of these payments counted at some time. Source: VRP-055.
    pub(crate) fn may_bar(&self, consent: &Consent, payment: &VrpPayment, between: (Timestamp, Timestamp)) -> bool {
        let Some((controls, anchor)) = controls(consent) else { return false };
        let day = london_date(between.0);
        let amount = payment.transfer.amount;
        let other_kind = !controls.types.contains(&payment.kind) || !controls.methods.contains(&payment.method);
        let agreed = |it| controls.interactions.is_empty() || controls.interactions.contains(&it);
        let out_of_time = day < anchor || controls.valid_to.is_some_and(|last| last < day);
        let too_much = |limit: &PeriodicLimit| {
            let paid = self.sum(limit.cycle, anchor, day, |_| true);
            paid.saturating_add(amount.minor()) > share(limit, &days(limit.cycle, anchor, day))
        };
        // If the day changed during the request, it is unknown which day applied.
        day != london_date(between.1)
            || other_kind
            || !payment.interaction.is_none_or(agreed)
            || out_of_time
            || amount.currency() != controls.currency()
            || amount.minor() > controls.individual.minor()
            || controls.limits.iter().any(too_much)
    }

    /// The sum of the payments in the period that contains a day.
    fn sum(&self, cycle: PeriodCycle, anchor: Date, day: Date, counts: impl Fn(&CountedPayment) -> bool) -> u64 {
        let PeriodDays { first, next, .. } = days(cycle, anchor, day);
        let inside = |it: &&CountedPayment| (first..next).contains(&london_date(it.at)) && counts(it);
        self.0.iter().filter(inside).map(|it| it.minor).sum()
    }
}

fn controls(consent: &Consent) -> Option<(&ControlParameters, Date)> {
    let terms = consent.request.payment()?.terms.instruction.vrp()?;
    let anchor = terms.controls.valid_from.unwrap_or_else(|| london_date(consent.created_at));
    Some((&terms.controls, anchor))
}

/// The period that contains a day, found by iterating over the periods.
fn days(cycle: PeriodCycle, anchor: Date, day: Date) -> PeriodDays {
    let (whole_from, next) = match cycle {
        PeriodCycle::Consent(period) => {
            let begins = |number: i64| match period {
                LimitPeriod::Day => anchor.saturating_add(number.days()),
                LimitPeriod::Week => anchor.saturating_add(number.weeks()),
                LimitPeriod::Fortnight => anchor.saturating_add((number.saturating_mul(2)).weeks()),
                LimitPeriod::Month => anchor.saturating_add(number.months()),
                LimitPeriod::HalfYear => anchor.saturating_add((number.saturating_mul(6)).months()),
                LimitPeriod::Year => anchor.saturating_add(number.years()),
            };
            let number = (1..).find(|number| begins(*number) > day).unwrap_or(1);
            (begins(number.saturating_sub(1)), begins(number))
        }
        PeriodCycle::Calendar(CalendarPeriod::Day) => (day, day.saturating_add(1.day())),
        PeriodCycle::Calendar(CalendarPeriod::Week) => {
            let into = i64::from(day.weekday().since(jiff::civil::Weekday::Monday));
            let monday = day.saturating_sub(into.days());
            (monday, monday.saturating_add(1.week()))
        }
        PeriodCycle::Calendar(CalendarPeriod::Month) => {
            let first = date(day.year(), day.month(), 1);
            (first, first.saturating_add(1.month()))
        }
        PeriodCycle::Calendar(CalendarPeriod::HalfYear) => {
            let first = date(day.year(), if day.month() > 6 { 7 } else { 1 }, 1);
            (first, first.saturating_add(6.months()))
        }
        PeriodCycle::Calendar(CalendarPeriod::Year) => {
            (date(day.year(), 1, 1), date(day.year().saturating_add(1), 1, 1))
        }
    };
    PeriodDays { whole_from, first: whole_from.max(anchor), next }
}

/// The limit of a period. The share of a shortened period is rounded half up to a penny. Source: VRP-036, VRP-037.
fn share(limit: &PeriodicLimit, it: &PeriodDays) -> u64 {
    let count =
        |from: Date| it.next.since((jiff::Unit::Day, from)).map_or(0, |span| u64::from(span.get_days().unsigned_abs()));
    let part = count(it.first);
    let whole = count(it.whole_from).max(1);
    let doubled = limit.amount.minor().saturating_mul(part).saturating_mul(2).saturating_add(whole);
    doubled.checked_div(whole.saturating_mul(2)).unwrap_or(0)
}
