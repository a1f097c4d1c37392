//! Limit periods: the period of a day, and the share of a limit in a partial first period.

use crate::money::Amount;
use jiff::civil::{Date, date};
use jiff::{Span, ToSpan, Unit};

/// The length of a period. Source: VRP-010.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LimitPeriod {
    /// One day.
    Day,
    /// Seven days.
    Week,
    /// Fourteen days.
    Fortnight,
    /// One month.
    Month,
    /// Six months.
    HalfYear,
    /// Twelve months.
    Year,
}

/// The alignment of periods. Source: VRP-010.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PeriodAlignment {
    /// From the first day of the consent.
    Consent,
    /// By the calendar.
    Calendar,
}

/// A calendar period; there is no calendar fortnight. Source: VRP-010, VRP-035.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CalendarPeriod {
    /// A calendar day.
    Day,
    /// Monday to Sunday.
    Week,
    /// From the first to the last day of a month.
    Month,
    /// January to June, and July to December.
    HalfYear,
    /// January to December.
    Year,
}

/// A sequence of periods without gaps; the first begins on the first day of the consent (its *anchor*).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PeriodCycle {
    /// Full periods from the anchor on. Source: VRP-033.
    Consent(LimitPeriod),
    /// Calendar periods; the first is the rest of one. Source: VRP-035, VRP-036.
    Calendar(CalendarPeriod),
}

/// One period, by its days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PeriodWindow {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
    /// The first day of the full period.
    whole_from: Date,
}

/// The units that periods are multiples of.
enum PeriodLength {
    Days(i64),
    Months(i64),
}

impl PeriodCycle {
    /// The cycle of a period with an alignment; `None` for a calendar fortnight. Source: VRP-010.
    pub const fn new(period: LimitPeriod, alignment: PeriodAlignment) -> Option<Self> {
        Some(match (alignment, period) {
            (PeriodAlignment::Consent, period) => Self::Consent(period),
            (PeriodAlignment::Calendar, LimitPeriod::Day) => Self::Calendar(CalendarPeriod::Day),
            (PeriodAlignment::Calendar, LimitPeriod::Week) => Self::Calendar(CalendarPeriod::Week),
            (PeriodAlignment::Calendar, LimitPeriod::Fortnight) => return None,
            (PeriodAlignment::Calendar, LimitPeriod::Month) => Self::Calendar(CalendarPeriod::Month),
            (PeriodAlignment::Calendar, LimitPeriod::HalfYear) => Self::Calendar(CalendarPeriod::HalfYear),
            (PeriodAlignment::Calendar, LimitPeriod::Year) => Self::Calendar(CalendarPeriod::Year),
        })
    }

    /// The length of its periods.
    pub const fn period(self) -> LimitPeriod {
        match self {
            Self::Consent(period) => period,
            Self::Calendar(CalendarPeriod::Day) => LimitPeriod::Day,
            Self::Calendar(CalendarPeriod::Week) => LimitPeriod::Week,
            Self::Calendar(CalendarPeriod::Month) => LimitPeriod::Month,
            Self::Calendar(CalendarPeriod::HalfYear) => LimitPeriod::HalfYear,
            Self::Calendar(CalendarPeriod::Year) => LimitPeriod::Year,
        }
    }

    /// The alignment of its periods.
    pub const fn alignment(self) -> PeriodAlignment {
        match self {
            Self::Consent(_) => PeriodAlignment::Consent,
            Self::Calendar(_) => PeriodAlignment::Calendar,
        }
    }

    /// The period that contains a day, counted from an anchor; `None` before the anchor. The end of the calendar ends
    /// the last one.
    pub fn window(self, anchor: Date, day: Date) -> Option<PeriodWindow> {
        if day < anchor {
            return None;
        }
        let (whole_from, last) = match self {
            // Beyond the range of `jiff` all days form one period, so usage is counted too high rather than too low.
            Self::Consent(period) => period.around(anchor, day).unwrap_or((anchor, Date::MAX)),
            Self::Calendar(period) => period.around(day),
        };
        Some(PeriodWindow { first: whole_from.max(anchor), last, whole_from })
    }

    /// The periods, first to last.
    pub fn windows(self, anchor: Date) -> impl Iterator<Item = PeriodWindow> {
        let following = move |window: &PeriodWindow| self.window(anchor, window.last.tomorrow().ok()?);
        std::iter::successors(self.window(anchor, anchor), following)
    }
}

impl PeriodWindow {
    /// Whether the day is in the period.
    pub fn contains(&self, day: Date) -> bool {
        (self.first..=self.last).contains(&day)
    }

    /// Whether the window is only the rest of a full period.
    pub fn is_cut_short(&self) -> bool {
        self.whole_from < self.first
    }

    /// The share of a limit in the period: by days if it is a partial period, rounded half up to the minor unit.
    /// Source: VRP-036, VRP-037.
    pub fn share_of(&self, limit: Amount) -> Amount {
        if !self.is_cut_short() {
            return limit;
        }
        let part = days(self.first, self.last);
        let whole = days(self.whole_from, self.last);
        let share = half_up(u128::from(limit.minor()), part, whole).and_then(|minor| u64::try_from(minor).ok());
        Amount::from_minor(share.unwrap_or(0), limit.currency())
    }
}

/// `value` × `part` ÷ `whole`, rounded half up to a whole number.
fn half_up(value: u128, part: u128, whole: u128) -> Option<u128> {
    let doubled = value.checked_mul(part)?.checked_mul(2)?;
    doubled.checked_add(whole)?.checked_div(whole.checked_mul(2)?)
}

/// The number of days from one day to another, both included.
fn days(first: Date, last: Date) -> u128 {
    let apart = first.until(last).map_or(0, |span| span.get_days());
    u128::try_from(apart).unwrap_or(0).saturating_add(1)
}

impl LimitPeriod {
    const fn length(self) -> PeriodLength {
        match self {
            Self::Day => PeriodLength::Days(1),
            Self::Week => PeriodLength::Days(7),
            Self::Fortnight => PeriodLength::Days(14),
            Self::Month => PeriodLength::Months(1),
            Self::HalfYear => PeriodLength::Months(6),
            Self::Year => PeriodLength::Months(12),
        }
    }

    /// The first and the last day of the period that contains a day, counted from an anchor not after it.
    fn around(self, anchor: Date, day: Date) -> Option<(Date, Date)> {
        let number = self.number(anchor, day)?;
        let next = self.start(anchor, number.checked_add(1)?);
        Some((self.start(anchor, number)?, next.and_then(|day| day.yesterday().ok()).unwrap_or(Date::MAX)))
    }

    /// The first day of a period, by its number from 0. Months are added to the anchor itself, so a short month does
    /// not shift later periods. Source: VRP-034.
    fn start(self, anchor: Date, number: i64) -> Option<Date> {
        let span = match self.length() {
            PeriodLength::Days(days) => Span::new().try_days(days.checked_mul(number)?),
            PeriodLength::Months(months) => Span::new().try_months(months.checked_mul(number)?),
        };
        anchor.checked_add(span.ok()?).ok()
    }

    /// The number of the period that contains a day.
    fn number(self, anchor: Date, day: Date) -> Option<i64> {
        let number = match self.length() {
            PeriodLength::Days(length) => {
                i64::from(anchor.until((Unit::Day, day)).ok()?.get_days()).checked_div(length)?
            }
            PeriodLength::Months(length) => {
                let apart = anchor.first_of_month().until((Unit::Month, day.first_of_month())).ok()?;
                i64::from(apart.get_months()).checked_div(length)?
            }
        };
        // The period may begin later in the month than the day.
        if self.start(anchor, number)? > day { number.checked_sub(1) } else { Some(number) }
    }
}

impl CalendarPeriod {
    /// The first and the last day of the period that contains a day. Source: VRP-035.
    fn around(self, day: Date) -> (Date, Date) {
        match self {
            Self::Day => (day, day),
            Self::Week => {
                let monday = day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days());
                (monday, monday.saturating_add(6.days()))
            }
            Self::Month => (day.first_of_month(), day.last_of_month()),
            Self::HalfYear if day.month() <= 6 => (day.first_of_year(), date(day.year(), 6, 30)),
            Self::HalfYear => (date(day.year(), 7, 1), day.last_of_year()),
            Self::Year => (day.first_of_year(), day.last_of_year()),
        }
    }
}
