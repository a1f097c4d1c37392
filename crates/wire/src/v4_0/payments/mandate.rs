//! The mandate of a standing order in v4.0: the frequency as a code with a point in time, and the dates that it is
//! counted from. Source: V4-010 to V4-017.

use super::names::FrequencyType;
use crate::parse::schema::text;
use crate::parse::{FaultCollector, FromJson, JsonPath, ObjectSource, Stopped, object};
use crate::payments::codes::{CategoryPurposeCode, MandateClassification};
use crate::payments::number::Number;
use crate::payments::values::{LondonDay, RailText};
use jiff::civil::{Date, Weekday};
use lombard_domain::account::MandateTerms;
use lombard_domain::frequency::Frequency;
use lombard_domain::refusal::FaultCode;
use rust_decimal::Decimal;
use serde_json::Value;

object! {
    /// Source: `OBMandateRelatedInformation1`.
    struct Members: Open {
        optional id: RailText<1, 35> = "MandateIdentification",
        optional classification: MandateClassification = "Classification",
        optional category: CategoryPurposeCode = "CategoryPurposeCode",
        optional first_on: LondonDay = "FirstPaymentDateTime",
        optional recurring_from: LondonDay = "RecurringPaymentDateTime",
        optional final_on: LondonDay = "FinalPaymentDateTime",
        required frequency: FrequencyMembers = "Frequency",
        optional reason: RailText<1, 256> = "Reason",
    }
}

object! {
    /// Source: `OBFrequency6`.
    struct FrequencyMembers: Open {
        required kind: FrequencyType = "Type",
        optional count: Number = "CountPerPeriod",
        optional point: PointInTime = "PointInTime",
    }
}

/// A mandate whose parts are consistent.
#[derive(Debug)]
pub(crate) struct Mandate {
    pub(crate) frequency: Frequency,
    /// Whether the frequency is a pattern of v3.1. Source: V4-017.
    pub(crate) is_legacy: bool,
    pub(crate) first_on: Date,
    pub(crate) recurring_from: Option<Date>,
    pub(crate) final_on: Option<LondonDay>,
    /// The terms other than the payments.
    pub(crate) terms: MandateTerms,
}

impl FromJson for Mandate {
    const WANTED: &'static str = Members::WANTED;

    fn schema() -> Value {
        Members::schema()
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        Ok(Members::object(reader, at, members)?.and_then(|members| members.resolve(reader, at)))
    }
}

impl Members {
    /// Combines code, point in time and dates. `None` means that a fault was reported.
    fn resolve(self, reader: &FaultCollector, at: &JsonPath<'_>) -> Option<Mandate> {
        let first = self.first_on.map(|day| day.0);
        let recurring = self.recurring_from.map(|day| day.0);
        let anchor = recurring.or(first);
        if anchor.is_none() {
            // No other member states when the first payment is made (V4-015).
            let message = "A standing order needs the date of its first payment.";
            reader.fault(FaultCode::FieldExpected, &at.member("FirstPaymentDateTime"), message);
        }
        let (is_legacy, frequency) = self.frequency.resolve(reader, &at.member("Frequency"), anchor)?;
        Some(Mandate {
            frequency,
            is_legacy,
            first_on: first.or(recurring)?,
            recurring_from: recurring,
            final_on: self.final_on,
            terms: MandateTerms {
                identification: self.id.map(|text| text.0),
                classification: self.classification.map(|code| code.0),
                category_purpose: self.category.map(|code| code.0),
                reason: self.reason.map(|text| text.0),
            },
        })
    }
}

impl FrequencyMembers {
    /// Whether the frequency is a pattern of v3.1, and the frequency.
    fn resolve(self, reader: &FaultCollector, at: &JsonPath<'_>, anchor: Option<Date>) -> Option<(bool, Frequency)> {
        let kind = self.kind;
        let point = self.point.and_then(|point| point.0);
        if let Some(Number(count)) = self.count {
            per_period(reader, at, count, point)?;
        }
        match (kind.scheduled(point, anchor), kind) {
            // This frequency cannot be paid, whichever name it has (V4-011).
            (Ok(Frequency::NotKnown), _) => Some((false, Frequency::NotKnown)),
            (Ok(frequency), FrequencyType::Pattern(_)) => Some((true, frequency)),
            (Ok(frequency), _) => Some((false, frequency)),
            (Err(fault), _) => {
                let (code, message) = match fault {
                    PointFault::Missing => (FaultCode::FieldExpected, "This frequency needs a point in time."),
                    PointFault::Outside => (FaultCode::FieldInvalid, "This frequency has no such point in time."),
                    PointFault::Pointless => (FaultCode::FieldUnexpected, "This frequency has no point in time."),
                    // The fault is reported at the date.
                    PointFault::NoDate => return None,
                };
                reader.fault(code, &at.member("PointInTime"), message);
                None
            }
        }
    }
}

/// Checks the number of payments per period. Only one payment per period is accepted, which the code itself means. `None` means
/// that a fault was reported. Source: V4-012, V4-014.
fn per_period(reader: &FaultCollector, at: &JsonPath<'_>, count: Decimal, point: Option<i8>) -> Option<()> {
    let counted = at.member("CountPerPeriod");
    if point.is_some() {
        let message = "A frequency has a number of payments per period or a point in time, not both.";
        reader.fault(FaultCode::FieldUnexpected, &at.member("PointInTime"), message);
        None
    } else if !count.is_integer() || count < Decimal::ONE {
        reader.fault(FaultCode::FieldInvalid, &counted, "Must be a whole number, 1 or more.");
        None
    } else if count > Decimal::ONE {
        let message = "Standing orders pay once in each period.";
        reader.fault(FaultCode::UnsupportedFrequency, &counted, message);
        None
    } else {
        Some(())
    }
}

/// Why a code and a point in time do not define a schedule.
enum PointFault {
    /// The code requires a point in time.
    Missing,
    /// The point in time is outside the range of this code.
    Outside,
    /// The code does not allow a point in time.
    Pointless,
    /// The code requires a date.
    NoDate,
}

impl FrequencyType {
    /// The frequency; the anchor is the day of the second payment or else of the first. Source: V4-010, V4-011, V4-015,
    /// V4-016.
    fn scheduled(self, point: Option<i8>, anchor: Option<Date>) -> Result<Frequency, PointFault> {
        let pointless = |frequency| if point.is_some() { Err(PointFault::Pointless) } else { Ok(frequency) };
        let weeks = |every| Ok(Frequency::IntervalWeekDay(every, weekday(point, anchor)?));
        let months = |every| Ok(Frequency::IntervalMonthDay(every, day_of_month(point, anchor)?));
        match self {
            Self::Pattern(frequency) => pointless(frequency),
            Self::AdHoc | Self::Intraday | Self::None => Ok(Frequency::NotKnown),
            Self::Daily => match point {
                None | Some(1) => Ok(Frequency::EveryDay),
                Some(days) => {
                    let days = u8::try_from(days).map_err(|_| PointFault::Outside)?;
                    Ok(Frequency::IntervalDay(days))
                }
            },
            Self::WorkingDays => pointless(Frequency::EveryWorkingDay),
            Self::Weekly => weeks(1),
            Self::Fortnightly => match point {
                // Days of the second week, numbered from the Monday of the first.
                Some(day @ 8..=14) => Ok(Frequency::SecondWeekDay(weekday(day.checked_sub(7), None)?)),
                Some(_) | None => weeks(2),
            },
            Self::FourWeekly => weeks(4),
            Self::Monthly => months(1),
            Self::TwoMonthly | Self::AlternateMonths => months(2),
            Self::Quarterly => match point {
                Some(back) if back < 0 => Ok(Frequency::DayFromQuarterEnd(back.unsigned_abs())),
                Some(_) | None => months(3),
            },
            Self::FourMonthly => months(4),
            Self::FiveMonthly => months(5),
            Self::HalfYearly => months(6),
            Self::Yearly => months(12),
            Self::TwoYearly => months(24),
            Self::LastWorkingDay => match point {
                None => Ok(Frequency::WorkingDayFromMonthEnd(1)),
                Some(back) if back < 0 => Ok(Frequency::WorkingDayFromMonthEnd(back.unsigned_abs())),
                Some(_) => Err(PointFault::Outside),
            },
            Self::LastWeekday => {
                if point.is_none() {
                    return Err(PointFault::Missing);
                }
                Ok(Frequency::WeekInMonthDay(5, weekday(point, None)?))
            }
        }
    }
}

/// The weekday that a point in time names, or else that of the anchor. Source: V4-014, V4-015.
fn weekday(point: Option<i8>, anchor: Option<Date>) -> Result<Weekday, PointFault> {
    match point {
        Some(number) => Weekday::from_monday_one_offset(number).map_err(|_| PointFault::Outside),
        None => anchor.map(Date::weekday).ok_or(PointFault::NoDate),
    }
}

/// The day of the month that a point in time names, or else that of the anchor. Source: V4-014, V4-015.
fn day_of_month(point: Option<i8>, anchor: Option<Date>) -> Result<i8, PointFault> {
    point.or_else(|| anchor.map(Date::day)).ok_or(PointFault::NoDate)
}

/// A point in time: 1 to 31, or -1 to -5 counted from the end; `00` counts as absent. Source: V4-014.
#[derive(Debug)]
pub(super) struct PointInTime(Option<i8>);

impl FromJson for PointInTime {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        text("^(0[0-9]|[1-9]|[12][0-9]|3[01]|-[1-5])$")
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_plain = text.len() <= 2 && digits.bytes().all(|it| it.is_ascii_digit());
        let point = text.parse().ok().filter(|it| is_plain && matches!(it, 1..=31 | -5..=-1));
        if point.is_none() && text != "00" {
            reader.fault(FaultCode::FieldInvalid, at, "Must be 01 to 31, or -1 to -5.");
            return None;
        }
        Some(Self(point))
    }
}
