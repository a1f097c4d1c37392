//! The request of a poll. Source: EVT-020 to EVT-031.

use crate::document::WholeNumber;
use crate::parse::{
    ArraySource, FaultCollector, FromJson, JsonMember, JsonPath, MemberName, ObjectSource, ReadSeed, Stopped,
    body_with, kind_of_notation, object, read_elements,
};
use lombard_domain::event::{EventErrorReport, EventPoll};
use lombard_domain::ids::EventId;
use lombard_domain::refusal::{Fault, FaultCode};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The maximum number of members of `setErrs`. Acknowledgements are limited by the size of the body only. Source:
/// EVT-029.
const REPORTS_MAX: usize = 1_000;

/// The maximum length of a `jti`. Source: EVT-020.
const JTI_CHARS_MAX: usize = 128;

object! {
    /// Source: `OBEventPolling1`.
    struct EventPollingRequest: Closed {
        optional max_events: MaxEvents = "maxEvents",
        optional return_immediately: bool = "returnImmediately",
        optional ack: AcknowledgedIds = "ack",
        optional set_errs: ReportedErrors = "setErrs",
    }
}

object! {
    /// Empty texts are accepted, so that an empty report does not prevent the acknowledgements in the same request.
    /// Source: `OBEventPolling1/setErrs`.
    struct SetErr: Open {
        required err: Remark<40> = "err",
        required description: Remark<256> = "description",
    }
}

/// Parses a poll. Here a value of the wrong type is an invalid field, unlike in the rest of the standard (EVT-024).
pub(super) fn poll(bytes: &[u8], depth_max: usize) -> Result<EventPoll, Vec<Fault>> {
    let asked: EventPollingRequest = body_with(bytes, depth_max, FaultCode::FieldInvalid)?;
    Ok(EventPoll::new(
        asked.max_events.map(|max| max.0),
        !asked.return_immediately.unwrap_or(false),
        asked.ack.map(|ack| ack.0).unwrap_or_default(),
        asked.set_errs.map(|errs| errs.0).unwrap_or_default(),
    ))
}

/// The schema of a poll.
pub(super) fn schema() -> Value {
    EventPollingRequest::schema()
}

/// The number of events requested; larger numbers than `u64` are saturated. Source: EVT-024, EVT-026, EVT-027.
#[derive(Debug)]
pub(crate) struct MaxEvents(u64);

impl FromJson for MaxEvents {
    const WANTED: &'static str = "a whole number, zero or more";

    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 0 })
    }

    /// Parsed from the number's text, so that no digit is lost. `2.0` and `2e0` denote the integer 2.
    const IS_NOTATION: bool = true;

    fn notation(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> JsonMember<Self> {
        match (text, WholeNumber::read(text)) {
            ("null", _) => JsonMember::Null,
            (_, Some(WholeNumber::Unsigned(number))) => JsonMember::Value(Self(number)),
            (_, Some(WholeNumber::Larger)) => JsonMember::Value(Self(u64::MAX)),
            (_, Some(WholeNumber::Negative) | None) => {
                reader.wrong_type(at, Self::WANTED, kind_of_notation(text));
                JsonMember::Faulty
            }
        }
    }
}

impl FromJson for bool {
    const WANTED: &'static str = "a boolean";

    fn truth(_: &FaultCollector, _: &JsonPath<'_>, value: bool) -> Option<Self> {
        Some(value)
    }
}

/// A text of 1 to `MAX` characters.
#[derive(Debug)]
pub(crate) struct EventText<const MAX: usize>(String);

impl<const MAX: usize> FromJson for EventText<MAX> {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": MAX })
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        has_length(reader, at, text, MAX).then(|| Self(text.to_owned()))
    }
}

/// A text of at most `MAX` characters, which may be empty.
#[derive(Debug)]
pub(crate) struct Remark<const MAX: usize>(String);

impl<const MAX: usize> FromJson for Remark<MAX> {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        json!({ "type": "string", "maxLength": MAX })
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        (text.is_empty() || has_length(reader, at, text, MAX)).then(|| Self(text.to_owned()))
    }
}

fn has_length(reader: &FaultCollector, at: &JsonPath<'_>, text: &str, max: usize) -> bool {
    // A text has no more characters than bytes.
    let fits = !text.is_empty() && (text.len() <= max || text.chars().count() <= max);
    if !fits {
        reader.fault(FaultCode::FieldInvalid, at, format!("Must have 1 to {max} characters."));
    }
    fits
}

/// Acknowledged event ids.
#[derive(Debug)]
pub(crate) struct AcknowledgedIds(Vec<EventId>);

impl FromJson for AcknowledgedIds {
    const WANTED: &'static str = "an array of strings";

    fn schema() -> Value {
        json!({ "type": "array", "items": EventText::<JTI_CHARS_MAX>::schema() })
    }

    fn array(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        elements: &mut dyn ArraySource,
    ) -> Result<Option<Self>, Stopped> {
        let (ids, count) = read_elements::<EventText<JTI_CHARS_MAX>>(reader, at, elements, usize::MAX)?;
        Ok((ids.len() == count).then(|| Self(ids.into_iter().map(|id| EventId::new(id.0)).collect())))
    }
}

/// Error reports by event id.
#[derive(Debug)]
pub(crate) struct ReportedErrors(Vec<EventErrorReport>);

impl FromJson for ReportedErrors {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        json!({
            "type": "object",
            "propertyNames": { "minLength": 1, "maxLength": JTI_CHARS_MAX },
            "maxProperties": REPORTS_MAX,
            "additionalProperties": SetErr::schema(),
        })
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        let mut reports = Vec::new();
        let mut names = HashSet::new();
        let mut count: usize = 0;
        while let Some(MemberName::Unknown(name)) = members.next_name(|_| None)? {
            count = count.saturating_add(1);
            let at = at.member(&name);
            let good_name = has_length(reader, &at, &name, JTI_CHARS_MAX);
            let first = !names.contains(&name);
            if !first {
                reader.duplicate(&at);
            }
            match ReadSeed::<SetErr>::new(reader, &at).member(members)? {
                JsonMember::Value(it) if good_name && first => {
                    let id = EventId::new(name.as_str());
                    reports.push(EventErrorReport { id, err: it.err.0, description: it.description.0 });
                }
                JsonMember::Value(_) | JsonMember::Faulty => {}
                JsonMember::Null => reader.wrong_type(&at, SetErr::WANTED, "null"),
            }
            names.insert(name);
        }
        if count > REPORTS_MAX {
            reader.fault(FaultCode::FieldInvalid, at, format!("Must have at most {REPORTS_MAX} entries."));
        }
        Ok((count <= REPORTS_MAX && reports.len() == count).then_some(Self(reports)))
    }
}
