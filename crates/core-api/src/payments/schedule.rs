//! When a payment is executed: at once, on a day, or on the days of a standing order.

use crate::form::faults::JsonLocation;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, MemberList};
use crate::form::shape::{FieldForm, FormOf, FormReader, MemberReader, MemberWriter, ObjectForm};
use crate::objects;
use jiff::civil::{Date, Weekday};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::Amount;
use lombard_domain::payment::order::{Schedule, ScheduleEnd, Timing};
use lombard_wire::v3_1::names;
use std::num::NonZeroU16;

objects! {
    /// A schedule of payments. Its days are London's.
    Schedule as "Schedule" {
        /// The frequency.
        frequency: needed(AnyFrequency, "Frequency");
        /// The day of the first payment, independent of the frequency.
        first_on: needed(FormOf<Date>, "FirstPaymentDate");
        /// The day of the second payment, if the first does not imply it. Equal to the first day it has no effect.
        recurring_from: maybe(FormOf<Date>, "RecurringPaymentDate");
        end: flat(ScheduleEnd);
        /// The amount of the payments after the first, if different.
        regular: maybe(FormOf<Amount>, "RecurringPaymentAmount");
        /// The amount of the last payment, if different.
        last: maybe(FormOf<Amount>, "FinalPaymentAmount");
    }
}

/// Neither member is present for a payment at once.
impl ObjectForm for Timing {
    type Value = Self;

    fn name() -> String {
        "Timing".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        let about = "The day of execution, in London. A payment without it and without a schedule is executed at once.";
        list.maybe::<FormOf<Date>>("RequestedExecutionDate", about);
        list.maybe::<FormOf<Schedule>>("StandingOrder", "The schedule of a standing order.");
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let day = members.maybe::<Date, FormOf<Date>>("RequestedExecutionDate");
        let schedule = members.maybe::<Schedule, FormOf<Schedule>>("StandingOrder");
        match (day?, schedule?) {
            (None, None) => Some(Self::Immediate),
            (Some(day), None) => Some(Self::Scheduled(day)),
            (None, Some(schedule)) => Some(Self::StandingOrder(schedule)),
            (Some(_), Some(_)) => {
                members.reader.fault(members.at, "Must not have both RequestedExecutionDate and StandingOrder.")
            }
        }
    }

    fn put(value: &Self, object: &mut MemberWriter) {
        match value {
            Self::Immediate => {}
            Self::Scheduled(day) => object.needed::<_, FormOf<Date>>("RequestedExecutionDate", day),
            Self::StandingOrder(schedule) => object.needed::<_, FormOf<Schedule>>("StandingOrder", schedule),
        }
    }
}

/// Neither member is present for a schedule without an end.
impl ObjectForm for ScheduleEnd {
    type Value = Self;

    fn name() -> String {
        "ScheduleEnd".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        let about =
            "The number of payments, the first included. A schedule without it and without a last day has no end.";
        list.maybe::<FormOf<u16>>("NumberOfPayments", about);
        list.maybe::<FormOf<Date>>("FinalPaymentDate", "The day of the last payment.");
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let count = members.maybe::<u16, FormOf<u16>>("NumberOfPayments");
        let day = members.maybe::<Date, FormOf<Date>>("FinalPaymentDate");
        match (count?, day?) {
            (None, None) => Some(Self::Open),
            (None, Some(day)) => Some(Self::On(day)),
            (Some(count), None) => match NonZeroU16::new(count) {
                Some(count) => Some(Self::After(count)),
                None => {
                    members.reader.fault(&JsonLocation::Member(members.at, "NumberOfPayments"), "Must be at least 1.")
                }
            },
            (Some(_), Some(_)) => {
                members.reader.fault(members.at, "Must not have both NumberOfPayments and FinalPaymentDate.")
            }
        }
    }

    fn put(value: &Self, object: &mut MemberWriter) {
        match value {
            Self::Open => {}
            Self::After(count) => object.needed::<_, FormOf<u16>>("NumberOfPayments", &count.get()),
            Self::On(day) => object.needed::<_, FormOf<Date>>("FinalPaymentDate", day),
        }
    }
}

/// A frequency: a pattern of v3.1, or one of four words for what v3.1 cannot say.
pub(crate) struct AnyFrequency;

const STATUTORY: &str = "QtrDay:SCOTTISHSTATUTORY";
const MONTH_END: &str = "LastWorkgDay:";
const QUARTER_END: &str = "QtrEndDay:";
const SECOND_WEEK: &str = "SecondWkDay:";

impl AnyFrequency {
    /// Whether the patterns of v3.1 say the same.
    pub(crate) fn is_pattern(frequency: Frequency) -> bool {
        frequency == Frequency::NotKnown || names::read_frequency(&names::frequency(frequency)) == Some(frequency)
    }

    fn parse(text: &str) -> Option<Frequency> {
        let back = |word| text.strip_prefix(word).and_then(|rest| rest.parse().ok()).filter(|it| (1..=5).contains(it));
        if text == STATUTORY {
            Some(Frequency::QuarterDay(lombard_domain::frequency::Quarter::ScottishStatutory))
        } else if let Some(back) = back(MONTH_END) {
            Some(Frequency::WorkingDayFromMonthEnd(back))
        } else if let Some(back) = back(QUARTER_END) {
            Some(Frequency::DayFromQuarterEnd(back))
        } else if let Some(day) = text.strip_prefix(SECOND_WEEK) {
            let number = day.strip_prefix('0').and_then(|digit| digit.parse().ok())?;
            Weekday::from_monday_one_offset(number).ok().map(Frequency::SecondWeekDay)
        } else if text == "NotKnown" {
            Some(Frequency::NotKnown)
        } else {
            names::read_frequency(text)
        }
    }
}

impl HasSchema for AnyFrequency {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        let pattern = r"^(NotKnown|EvryDay|EvryWorkgDay|IntrvlDay:\d{2}|IntrvlWkDay:\d{2}:\d{2}|WkInMnthDay:\d{2}:\d{2}|IntrvlMnthDay:\d{2}:-?\d{2}|QtrDay:(ENGLISH|SCOTTISH|SCOTTISHSTATUTORY|RECEIVED)|LastWorkgDay:[1-5]|QtrEndDay:[1-5]|SecondWkDay:0[1-7])$";
        JsonNode::object([("type", JsonNode::text("string")), ("pattern", JsonNode::text(pattern))])
    }
}

impl FieldForm<Frequency> for AnyFrequency {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Frequency> {
        let known = if let JsonNode::Text(text) = &node { Self::parse(text) } else { None };
        match known {
            Some(frequency) => Some(frequency),
            None => reader.fault(at, "Must be a frequency of the standard, as IntrvlMnthDay:01:28."),
        }
    }

    fn write(value: &Frequency) -> JsonNode<'static> {
        JsonNode::text(if let Frequency::WorkingDayFromMonthEnd(back) = value {
            format!("{MONTH_END}{back}")
        } else if let Frequency::DayFromQuarterEnd(back) = value {
            format!("{QUARTER_END}{back}")
        } else if let Frequency::SecondWeekDay(day) = value {
            format!("{SECOND_WEEK}{:02}", day.to_monday_one_offset())
        } else if Self::is_pattern(*value) {
            names::frequency(*value)
        } else {
            STATUTORY.to_owned()
        })
    }
}
