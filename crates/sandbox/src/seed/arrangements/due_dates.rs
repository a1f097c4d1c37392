//! Computes the next due date of each habit at the end of the history.

use super::super::accounts::OpenedAccount;
use super::super::calendar::HabitTiming;
use super::super::channel::Channel;
use super::super::habit::{HabitRow, OutsideAccount};
use super::super::span;
use super::{ArrangementWriter, is_of};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use lombard_corebank::routine_plan::{NonWorkingDayRule, Recurrence};
use lombard_domain::account::{DirectDebitFrequency, Transaction};

impl<'a> ArrangementWriter<'a> {
    /// The last entry of a habit, whose counterparty is a party or another account of the household.
    pub(super) fn last(
        &self,
        own: &OpenedAccount,
        party: Option<&OutsideAccount>,
        channel: Channel,
    ) -> Option<&'a Transaction> {
        let number = party.and_then(|party| party.other_party().account).map(|account| account.number);
        let is_it = |entry: &&Transaction| {
            let other = entry.other_party.as_ref().and_then(|other| other.account.as_ref());
            is_of(entry, own, channel)
                && match &number {
                    Some(number) => other.is_some_and(|account| account.number == *number),
                    None => self.accounts.iter().any(|mine| mine.outward() == other) || other.is_none(),
                }
        };
        self.entries.iter().filter(is_it).max_by_key(|entry| entry.booked_at)
    }

    /// The first possible day of the next occurrence: tomorrow if the habit occurred today, otherwise today.
    pub(super) fn first_turn(&self, habit: &HabitRow, last: Option<&Transaction>) -> Date {
        let today = span::day_of(self.span.present());
        let turn_ends = span::moment_of(today, habit.hours.1);
        let had_turn = self.span.present() >= turn_ends || last.is_some_and(|it| span::day_of(it.booked_at) >= today);
        if had_turn { today.saturating_add(1.day()) } else { today }
    }

    /// The recurrence of a habit and its next due date.
    pub(super) fn rhythm(
        &self,
        habit: &HabitRow,
        own: &OpenedAccount,
        party: Option<&OutsideAccount>,
        channel: Channel,
    ) -> Option<(Recurrence, Timestamp)> {
        let from = self.first_turn(habit, self.last(own, party, channel));
        if let HabitTiming::Weekly(weekday) = habit.when {
            let day = from.saturating_sub(1.day()).nth_weekday(1, weekday).ok()?;
            return Some((Recurrence::Weekly, span::moment_of(day, habit.hours.0)));
        }
        // The search starts one month earlier, because a date of that month may roll forward past the start.
        let begun = from.first_of_month().saturating_sub(1.month());
        let (day, months, roll) = habit.when.monthly()?;
        let year = begun.year();
        let month = begun.month();
        let mut rhythm = Recurrence::Monthly { day, months: months.to_vec(), roll, hour: habit.hours.0, year, month };
        let in_season = months.is_empty() || months.contains(&month);
        let mut due = if in_season { rhythm.due_at()? } else { rhythm.advance(Timestamp::UNIX_EPOCH)? };
        while span::day_of(due) < from {
            due = rhythm.advance(due)?;
        }
        Some((rhythm, due))
    }
}

impl HabitTiming {
    /// The day of the month, if the timing has one.
    pub(in crate::seed) const fn day_of_month(self) -> Option<i8> {
        match self {
            Self::Monthly(day) | Self::Collected(day) | Self::Paid(day) | Self::CollectedIn(_, day) => Some(day),
            Self::MonthEnd | Self::Weekly(_) | Self::Daily | Self::About(_) | Self::Workday(_) => None,
        }
    }

    const fn monthly(self) -> Option<(i8, &'static [i8], NonWorkingDayRule)> {
        match self {
            Self::Monthly(day) => Some((day, &[], NonWorkingDayRule::SameDay)),
            Self::Collected(day) => Some((day, &[], NonWorkingDayRule::NextWorkingDay)),
            Self::Paid(day) => Some((day, &[], NonWorkingDayRule::PreviousWorkingDay)),
            Self::CollectedIn(months, day) => Some((day, months, NonWorkingDayRule::NextWorkingDay)),
            Self::MonthEnd => Some((31, &[], NonWorkingDayRule::SameDay)),
            Self::Weekly(_) | Self::Daily | Self::About(_) | Self::Workday(_) => None,
        }
    }

    /// The frequency of a mandate's collections.
    pub(super) const fn collected(self) -> DirectDebitFrequency {
        match self {
            Self::CollectedIn(months, _) => match months.len() {
                1 => DirectDebitFrequency::Annual,
                2 => DirectDebitFrequency::HalfYearly,
                4 => DirectDebitFrequency::Quarterly,
                _ => DirectDebitFrequency::Monthly,
            },
            Self::Weekly(_) => DirectDebitFrequency::Weekly,
            Self::Daily => DirectDebitFrequency::Daily,
            Self::Monthly(_) | Self::Collected(_) | Self::Paid(_) | Self::MonthEnd => DirectDebitFrequency::Monthly,
            Self::About(_) | Self::Workday(_) => DirectDebitFrequency::NotKnown,
        }
    }
}
