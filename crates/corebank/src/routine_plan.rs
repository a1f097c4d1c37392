//! The plan of a scheduled routine, stored as JSON.

use super::account_terms::AccountTerms;
use super::channel::Channel;
use crate::storage::ScheduledRoutine;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use lombard_domain::account::{AccountIdentification, AccountScheme, BankIdentification, OtherParty};
use lombard_domain::calendar::{is_working_day, working_day_from};
use lombard_domain::ids::{BankAccountId, RecordId};
use lombard_ports::store::StoreError;
use serde::{Deserialize, Serialize};

/// The plan of a routine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoutinePlan {
    /// A recurring credit or debit.
    Regular(RegularPayment),
    /// A recurring collection of the whole balance of a card.
    PayCard {
        /// When the balance is collected.
        rhythm: Recurrence,
        /// The card's account.
        card: BankAccountId,
        /// The mandate under which the balance is collected.
        mandate: RecordId,
    },
    /// The end of a statement period: interest is booked and a statement is created.
    Close(AccountTerms),
}

/// A recurring credit or debit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegularPayment {
    /// The recurrence.
    #[serde(rename = "rhythm")]
    pub recurrence: Recurrence,
    /// The smallest and the largest amount in minor units, positive in the holder's favour.
    #[serde(rename = "between")]
    pub amount_range: (i64, i64),
    /// The channel.
    pub channel: Channel,
    /// The ledger account of the counterparty.
    pub counterparty: BankAccountId,
    /// The counterparty shown to the customer; `None` for the bank itself.
    pub party: Option<ExternalParty>,
    /// The text of the entry; `#` is replaced by five digits.
    pub text: String,
    /// The mandate under which the payment is collected.
    pub mandate: Option<RecordId>,
    /// Whether the payment is made only while the account is overdrawn.
    pub overdrawn_only: bool,
    /// If set, the whole balance above this amount in minor units is paid.
    pub keep: Option<i64>,
}

/// An external party, as named in an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalParty {
    /// The name.
    pub name: String,
    /// The scheme of the number.
    pub scheme: OutsideScheme,
    /// The number.
    pub number: String,
    /// The BIC of the party's bank.
    pub bic: String,
}

/// The account number schemes of external parties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutsideScheme {
    /// Sort code and account number.
    SortCode,
    /// An IBAN.
    Iban,
    /// A BBAN.
    Bban,
}

impl ExternalParty {
    /// The counterparty of an entry. Source: AIS-130.
    pub fn other_party(&self) -> OtherParty {
        let scheme = match self.scheme {
            OutsideScheme::SortCode => AccountScheme::SortCodeAccountNumber,
            OutsideScheme::Iban => AccountScheme::Iban,
            OutsideScheme::Bban => AccountScheme::Bban,
        };
        OtherParty {
            agent: Some(BankIdentification { bic: Some(self.bic.clone()), name: None, address: None, lei: None }),
            account: Some(AccountIdentification {
                name: Some(self.name.clone()),
                ..AccountIdentification::new(scheme, self.number.clone())
            }),
        }
    }
}

/// The recurrence of a routine, and its present position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recurrence {
    /// On a day of the month, or on its last day, in these months; in every month if none are listed.
    Monthly {
        /// The day of the month, or -1 for the last day.
        day: i8,
        /// The months, from 1.
        months: Vec<i8>,
        /// The rule for non-working days.
        roll: NonWorkingDayRule,
        /// The hour of the day, UTC.
        hour: i8,
        /// The year of the next date.
        year: i16,
        /// The month of the next date, from 1.
        month: i8,
    },
    /// Every seven days.
    Weekly,
}

/// The rule for dates on non-working days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NonWorkingDayRule {
    /// The date does not move.
    #[serde(rename = "stays")]
    SameDay,
    /// The date moves to the next working day, as for direct debits.
    #[serde(rename = "next")]
    NextWorkingDay,
    /// The date moves to the previous working day, as for salaries.
    #[serde(rename = "before")]
    PreviousWorkingDay,
}

impl Recurrence {
    /// The due time of the present position; `None` for a recurrence without calendar days.
    pub fn due_at(&self) -> Option<Timestamp> {
        match self {
            Self::Monthly { day, roll, hour, year, month, .. } => {
                let month = Date::new(*year, *month, 1).ok()?;
                let nominal = month.with().day(*day).build().unwrap_or_else(|_| month.last_of_month());
                at_hour(roll.rolled(nominal), *hour)
            }
            Self::Weekly => None,
        }
    }

    /// Advances to the next date and returns its due time; `None` at the end of the calendar.
    pub fn advance(&mut self, from: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Monthly { months, year, month, .. } => {
                let mut first = Date::new(*year, *month, 1).ok()?;
                for _ in 0..12 {
                    first = first.checked_add(1.month()).ok()?;
                    if months.is_empty() || months.contains(&first.month()) {
                        break;
                    }
                }
                (*year, *month) = (first.year(), first.month());
                self.due_at()
            }
            Self::Weekly => from.checked_add(SignedDuration::from_hours(7 * 24)).ok(),
        }
    }
}

impl NonWorkingDayRule {
    fn rolled(self, nominal: Date) -> Date {
        match self {
            Self::SameDay => nominal,
            Self::NextWorkingDay => working_day_from(nominal),
            Self::PreviousWorkingDay => {
                let mut day = nominal;
                while !is_working_day(day) && day > Date::MIN {
                    day = day.saturating_sub(1.day());
                }
                day
            }
        }
    }
}

fn at_hour(day: Date, hour: i8) -> Option<Timestamp> {
    day.to_zoned(TimeZone::UTC).ok()?.timestamp().checked_add(SignedDuration::from_hours(i64::from(hour))).ok()
}

impl RoutinePlan {
    /// Parses the plan of a routine.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if it cannot be read.
    pub fn parse(routine: &ScheduledRoutine) -> Result<Self, StoreError> {
        serde_json::from_str(&routine.plan).map_err(|error| StoreError::Corrupt {
            table: "arrangements",
            id: routine.id.to_string(),
            source: error.into(),
        })
    }

    /// The plan as stored JSON.
    pub fn write(&self) -> String {
        // Serialising text keys without floats cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monthly(day: i8, months: &[i8], roll: NonWorkingDayRule) -> Recurrence {
        Recurrence::Monthly { day, months: months.to_vec(), roll, hour: 2, year: 2026, month: 1 }
    }

    fn days(mut rhythm: Recurrence, count: usize) -> Vec<String> {
        let mut due = rhythm.due_at().unwrap();
        let mut days = Vec::new();
        for _ in 0..count {
            days.push(due.to_string().replace("T02:00:00Z", ""));
            due = rhythm.advance(due).unwrap();
        }
        days
    }

    #[test]
    fn rhythms_keep_their_day_over_short_months_and_holidays() {
        assert_eq!(days(monthly(31, &[], NonWorkingDayRule::SameDay), 3), ["2026-01-31", "2026-02-28", "2026-03-31"]);
        assert_eq!(
            days(monthly(31, &[], NonWorkingDayRule::NextWorkingDay), 4),
            ["2026-02-02", "2026-03-02", "2026-03-31", "2026-04-30"]
        );
        assert_eq!(days(monthly(1, &[], NonWorkingDayRule::NextWorkingDay), 2), ["2026-01-02", "2026-02-02"]);
        assert_eq!(
            days(monthly(28, &[], NonWorkingDayRule::PreviousWorkingDay), 3),
            ["2026-01-28", "2026-02-27", "2026-03-27"]
        );
        assert_eq!(
            days(monthly(7, &[1, 5], NonWorkingDayRule::SameDay), 3),
            ["2026-01-07", "2026-05-07", "2027-01-07"]
        );
    }

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let plan = RoutinePlan::PayCard {
            rhythm: monthly(18, &[], NonWorkingDayRule::NextWorkingDay),
            card: "c".into(),
            mandate: "m".into(),
        };
        let routine = ScheduledRoutine { id: "r".into(), account: "a".into(), due_at: None, plan: plan.write() };
        assert_eq!(RoutinePlan::parse(&routine).unwrap(), plan);
        assert!(RoutinePlan::parse(&ScheduledRoutine { plan: "{}".to_owned(), ..routine }).is_err());
    }
}
