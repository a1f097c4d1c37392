//! The frequencies of standing orders.

use crate::form::faults::JsonLocation;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema};
use crate::form::shape::{FieldForm, FormReader};
use jiff::civil::Weekday;
use lombard_domain::frequency::{Frequency, Quarter};
use lombard_wire::v3_1::names;

/// The form of a frequency: a pattern of v3.1, or one of four names for frequencies that v3.1 cannot express.
pub(crate) struct AnyFrequency;

const STATUTORY: &str = "QtrDay:SCOTTISHSTATUTORY";
const MONTH_END: &str = "LastWorkgDay:";
const QUARTER_END: &str = "QtrEndDay:";
const SECOND_WEEK: &str = "SecondWkDay:";

impl AnyFrequency {
    /// Whether the patterns of v3.1 can express the frequency.
    pub(crate) fn is_pattern(frequency: Frequency) -> bool {
        frequency == Frequency::NotKnown || names::read_frequency(&names::frequency(frequency)) == Some(frequency)
    }

    fn parse(text: &str) -> Option<Frequency> {
        let back = |word| text.strip_prefix(word).and_then(|rest| rest.parse().ok()).filter(|it| (1..=5).contains(it));
        if text == STATUTORY {
            Some(Frequency::QuarterDay(Quarter::ScottishStatutory))
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
