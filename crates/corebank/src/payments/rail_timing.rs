//! How fast a rail is, and on whose working days. Times of day are London's. Source: SCH-004, PIS-107.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan};
use lombard_domain::calendar::{
    Calendar, common_working_day_from, common_working_days_after, london_date, london_time,
};
use lombard_domain::exchange::CurrencyPair;
use serde::{Deserialize, Serialize};

/// When the payments of a day are made: early, and on the same day in UTC all year.
pub(super) const MORNING: TimeOfDay = TimeOfDay { hour: 6, minute: 0 };
pub(super) const MIDNIGHT: TimeOfDay = TimeOfDay { hour: 0, minute: 0 };

/// A time of day in London.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TimeOfDay {
    /// Hours, 0 to 23.
    pub hour: i8,
    /// Minutes, 0 to 59.
    pub minute: i8,
}

impl TimeOfDay {
    pub(super) fn on(self, day: Date) -> Timestamp {
        london_time(day, self.hour, self.minute)
    }
}

/// How fast a rail is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RailTiming {
    /// Whether it pays on days on which banks do not work.
    pub every_day: bool,
    /// Before this time of its days nothing leaves.
    pub opens: TimeOfDay,
    /// How long after it has left a payment is debited, milliseconds.
    pub debits_after_millis: i64,
    /// When the payee has it.
    pub arrives: CreditTime,
}

/// When the payee has the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CreditTime {
    /// So many milliseconds after it was debited.
    After(i64),
    /// So many working days after it has left, at a time of day.
    WorkingDays(u16, TimeOfDay),
}

/// The working days a payment keeps: those of both its currencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WorkingDays([Calendar; 2]);

impl WorkingDays {
    /// Of payments inside the country.
    pub(super) const HOME: Self = Self([Calendar::EnglandAndWales; 2]);

    /// Of payments that exchange these currencies.
    pub(super) fn of(pair: CurrencyPair) -> Self {
        Self([Calendar::for_currency(pair.unit), Calendar::for_currency(pair.transfer)])
    }

    /// The day itself if it is one of them, else the next that is.
    pub(super) fn from(self, day: Date) -> Date {
        common_working_day_from(day, &self.0)
    }

    /// The first of them after a day.
    pub(super) fn after(self, day: Date) -> Date {
        self.from(day.saturating_add(1.day()))
    }

    /// When a standing order's payment of a day is made. Source: SO-020.
    pub(super) fn morning_of(self, day: Date) -> Timestamp {
        MORNING.on(self.from(day))
    }
}

/// When a payment is debited and when the payee has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaymentTimes {
    pub(super) debited_at: Timestamp,
    pub(super) arrives_at: Timestamp,
}

impl RailTiming {
    /// The first moment from this one on at which payments leave. What comes once the rail has closed, if it does, goes a
    /// working day later. Source: PIS-107.
    pub(super) fn from(&self, now: Timestamp, closes: Option<TimeOfDay>, days: WorkingDays) -> Timestamp {
        let today = london_date(now);
        let opens = self.opens.on(self.day(today, days));
        if now < opens {
            return opens;
        }
        if closes.is_some_and(|it| it.on(today) <= now) { self.opens.on(days.after(today)) } else { now }
    }

    /// The day a payment of a day is made on. Source: SCH-004.
    pub(super) fn day(&self, day: Date, days: WorkingDays) -> Date {
        if self.every_day { day } else { days.from(day) }
    }

    /// When a payment that is ordered for a day leaves. Source: SCH-004.
    pub(super) fn on(&self, day: Date, days: WorkingDays) -> Timestamp {
        MORNING.max(self.opens).on(self.day(day, days))
    }

    /// The course of a payment that leaves at a time.
    pub(super) fn run(&self, leaves_at: Timestamp, days: WorkingDays) -> PaymentTimes {
        let debited_at = self.debited_at(leaves_at);
        let arrives_at = match self.arrives {
            CreditTime::After(millis) => after(debited_at, millis),
            CreditTime::WorkingDays(count, at) => {
                at.on(common_working_days_after(london_date(leaves_at), count, &days.0))
            }
        };
        PaymentTimes { debited_at, arrives_at: arrives_at.max(debited_at) }
    }

    /// The course of a payment that is debited now and settles on a day. Source: INT-022.
    pub(super) fn run_ahead(&self, now: Timestamp, day: Date, days: WorkingDays) -> PaymentTimes {
        let debited_at = self.debited_at(now);
        PaymentTimes { debited_at, arrives_at: self.on(day, days).max(debited_at) }
    }

    fn debited_at(&self, leaves_at: Timestamp) -> Timestamp {
        after(leaves_at, self.debits_after_millis)
    }
}

fn after(at: Timestamp, millis: i64) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(millis)).unwrap_or(at)
}
