//! What became of a consent or an order, line by line.

use super::paths::{EVENTS, escaped};
use super::written::moment;
use jiff::Timestamp;
use lombard_domain::event::EventType;
use lombard_ports::store::ClientEvent;
use lombard_wire::events::event_type;

/// A line of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::pages) struct StoryLine {
    at: Timestamp,
    pub time: String,
    pub text: String,
    /// Where more is said of it.
    pub link: Option<String>,
}

impl StoryLine {
    /// Something happened at this time.
    pub(super) fn at(at: Timestamp, text: impl Into<String>) -> Self {
        Self { at, time: moment(at), text: text.into(), link: None }
    }

    /// An event was raised.
    pub(super) fn of_event(found: &ClientEvent) -> Self {
        let state = match (found.parked_at, found.deliveries) {
            (Some(_), _) => "parked",
            (None, 0) => "waits to be fetched",
            (None, _) => "delivered, not acknowledged",
        };
        let text = format!("Event {}, {state}.", type_names(&found.event.claims.types));
        let link = format!("{EVENTS}/{}", escaped(found.event.id.as_str()));
        Self { link: Some(link), ..Self::at(found.event.occurred_at, text) }
    }
}

/// The names of the types of an event, without what all of them begin with.
pub(super) fn type_names(types: &[EventType]) -> String {
    let short = |kind: &EventType| event_type(*kind).rsplit(':').next().unwrap_or_default();
    types.iter().map(short).collect::<Vec<_>>().join(", ")
}

/// The lines in the order of time; of one time, as they were noted.
pub(super) fn sorted(mut lines: Vec<StoryLine>) -> Vec<StoryLine> {
    lines.sort_by_key(|line| line.at);
    lines
}
