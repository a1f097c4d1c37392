//! The timeline of a consent or an order, one line for each event.

use super::formatting::{are_apart, moment};
use super::paths::{EVENTS, escaped};
use jiff::Timestamp;
use lombard_ops::support::words::event_type_names;
use lombard_ports::clock::Clocks;
use lombard_ports::store::ClientEvent;

/// A line of a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimelineLine {
    at: Timestamp,
    pub time: String,
    pub text: String,
    /// The URL of a page with more details.
    pub link: Option<String>,
}

impl TimelineLine {
    /// A line for something that happened at this time.
    pub(super) fn at(at: Timestamp, text: impl Into<String>) -> Self {
        Self { at, time: moment(at), text: text.into(), link: None }
    }

    /// A line for an event, at the given time of the bank's clock.
    fn of_event(found: &ClientEvent, at: Timestamp, is_moved: bool) -> Self {
        let state = match (found.parked_at, found.deliveries) {
            (Some(_), _) => "parked",
            (None, 0) => "waits to be fetched",
            (None, _) => "delivered, not acknowledged",
        };
        let text = format!("Event {}, {state}.", event_type_names(&found.event.claims.types));
        let link = format!("{EVENTS}/{}", escaped(found.event.id.as_str()));
        let occurred = moment(found.event.occurred_at);
        let time = if is_moved { format!("{occurred} by the wall clock") } else { occurred };
        Self { at, time, text, link: Some(link) }
    }
}

/// Builds the history of a resource in the order of the bank's time; lines of the same time keep their order. The first line is the
/// creation.
///
/// Events have wall-clock times. Each event is placed at the bank's time that corresponds to it by the present offset, and never before the
/// preceding event. It thus follows its cause even after the clock was moved forward. The creation of a resource raises no event, so no
/// event precedes the first change.
pub(super) fn timeline(mut lines: Vec<TimelineLine>, events: &[ClientEvent], clocks: &Clocks) -> Vec<TimelineLine> {
    lines.sort_by_key(|line| line.at);
    let (wall, bank) = clocks.wall_and_bank();
    let moved = bank.duration_since(wall);
    let is_moved = are_apart(wall, bank);
    let mut earliest = lines.get(1).or(lines.first()).map_or(Timestamp::MIN, |line| line.at);
    for found in events {
        // Events are listed in the order in which they were raised.
        earliest = found.event.occurred_at.checked_add(moved).map_or(earliest, |at| at.max(earliest));
        lines.push(TimelineLine::of_event(found, earliest, is_moved));
    }
    lines.sort_by_key(|line| line.at);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::event::{Event, EventClaims, EventType};
    use lombard_domain::scope::Scope;
    use lombard_ports::clock::ManualClock;
    use std::sync::Arc;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn event(id: &str, second: i64) -> ClientEvent {
        let claims = EventClaims {
            issuer: "i".to_owned(),
            about: "https://bank.example/c".to_owned(),
            resource_id: "c".to_owned(),
            resource_type: "t".to_owned(),
            links: Vec::new(),
            types: vec![EventType::ResourceUpdate],
            reason: None,
        };
        let event = Event {
            id: id.into(),
            client: "t".into(),
            interaction_id: "i".into(),
            occurred_at: at(second),
            recorded_at: at(second),
            claims,
            scope: Scope::Accounts,
        };
        ClientEvent { number: second, event, parked_at: None, deliveries: 0, reports: 0, err: None, description: None }
    }

    fn told(moved_secs: i64) -> Vec<String> {
        let clocks = Clocks::new(Arc::new(ManualClock::starting_at(at(1_000))));
        clocks.set_bank_offset_micros(moved_secs * 1_000_000);
        let lines = [("Created", 100), ("Authorised", 110), ("Stopped", 200)];
        let lines = lines.map(|(text, second)| TimelineLine::at(at(second + moved_secs), text));
        let story = timeline(lines.into(), &[event("a", 110), event("b", 201)], &clocks);
        story.into_iter().map(|line| line.text.split(' ').next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn an_event_stands_behind_what_caused_it_however_the_clock_was_moved() {
        for moved_secs in [0, 7 * 24 * 3_600, -50] {
            assert_eq!(told(moved_secs), ["Created", "Authorised", "Event", "Stopped", "Event"], "{moved_secs}");
        }
    }
}
