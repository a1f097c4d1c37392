//! The timing of a rail and its working days. Times of day are in London. Source: SCH-004, PIS-107.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan};
use lombard_domain::calendar::{
    Calendar, common_working_day_from, common_working_days_after, london_date, london_time,
};
use lombard_domain::payment::exchange::CurrencyPair;
use serde::{Deserialize, Serialize};

/// The time of day at which scheduled payments are made. In London time it falls on the same UTC day all year.
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

/// The timing of a rail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RailTiming {
    /// Whether the rail also works on non-working days.
    pub every_day: bool,
    /// The time of day before which nothing is sent.
    pub opens: TimeOfDay,
    /// The time from leaving to debit in milliseconds.
    pub debits_after_millis: i64,
    /// When the payee is credited.
    pub arrives: CreditTime,
}

/// When the payee is credited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CreditTime {
    /// This many milliseconds after the debit.
    After(i64),
    /// This many working days after leaving, at a time of day.
    WorkingDays(u16, TimeOfDay),
}

/// The working days of a payment: days on which the calendars of both its currencies have a working day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WorkingDays([Calendar; 2]);

impl WorkingDays {
    /// The working days of domestic payments.
    pub(super) const HOME: Self = Self([Calendar::EnglandAndWales; 2]);

    /// The working days of payments that exchange these currencies.
    pub(super) fn of(pair: CurrencyPair) -> Self {
        Self([Calendar::for_currency(pair.unit), Calendar::for_currency(pair.transfer)])
    }

    /// The day itself if it is a working day, otherwise the next one.
    pub(super) fn same_or_next_working_day(self, day: Date) -> Date {
        common_working_day_from(day, &self.0)
    }

    /// The first working day after a day.
    pub(super) fn after(self, day: Date) -> Date {
        self.same_or_next_working_day(day.saturating_add(1.day()))
    }

    /// When a standing order makes the payment of the given day. Source: SO-020.
    pub(super) fn morning_of(self, day: Date) -> Timestamp {
        MORNING.on(self.same_or_next_working_day(day))
    }
}

/// The debit and credit times of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaymentTimes {
    pub(super) debited_at: Timestamp,
    pub(super) arrives_at: Timestamp,
}

impl RailTiming {
    /// The first time from `now` on at which payments leave. After the rail has closed, payments leave on the next working day. Source:
    /// PIS-107.
    pub(super) fn next_open_at(&self, now: Timestamp, closes_at: Option<TimeOfDay>, days: WorkingDays) -> Timestamp {
        let today = london_date(now);
        let opens = self.opens.on(self.day(today, days));
        if now < opens {
            return opens;
        }
        if closes_at.is_some_and(|it| it.on(today) <= now) { self.opens.on(days.after(today)) } else { now }
    }

    /// The day on which the payment scheduled for the given day is made. Source: SCH-004.
    pub(super) fn day(&self, day: Date, days: WorkingDays) -> Date {
        if self.every_day { day } else { days.same_or_next_working_day(day) }
    }

    /// When the payment scheduled for the given day leaves. Source: SCH-004.
    pub(super) fn leaves_on(&self, day: Date, days: WorkingDays) -> Timestamp {
        MORNING.max(self.opens).on(self.day(day, days))
    }

    /// The debit and credit times of a payment that leaves at the given time.
    pub(super) fn times(&self, leaves_at: Timestamp, days: WorkingDays) -> PaymentTimes {
        let debited_at = self.debited_at(leaves_at);
        let arrives_at = match self.arrives {
            CreditTime::After(millis) => after(debited_at, millis),
            CreditTime::WorkingDays(count, at) => {
                at.on(common_working_days_after(london_date(leaves_at), count, &days.0))
            }
        };
        PaymentTimes { debited_at, arrives_at: arrives_at.max(debited_at) }
    }

    /// The debit and credit times of a payment that is debited now and settles on the given day. Source: INT-022.
    pub(super) fn times_in_advance(&self, now: Timestamp, day: Date, days: WorkingDays) -> PaymentTimes {
        let debited_at = self.debited_at(now);
        PaymentTimes { debited_at, arrives_at: self.leaves_on(day, days).max(debited_at) }
    }

    fn debited_at(&self, leaves_at: Timestamp) -> Timestamp {
        after(leaves_at, self.debits_after_millis)
    }
}

fn after(at: Timestamp, millis: i64) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(millis)).unwrap_or(at)
}
