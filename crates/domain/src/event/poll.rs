//! What a client asks of its queue. Source: `OBEventPolling1`, EVT-020.

use crate::ids::EventId;
use std::collections::HashSet;

/// A poll: what is taken as received, what could not be read, and how much is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poll {
    /// Most events in the answer; absent means as many as the server gives. Source: EVT-027.
    pub max: Option<u64>,
    /// Whether the client waits if there is nothing. Source: EVT-071.
    pub wait: bool,
    /// Events that were received, each once. Source: EVT-035, EVT-041.
    pub acknowledged: Vec<EventId>,
    /// Events that could not be read; none of them acknowledged here. Source: EVT-042.
    pub reported: Vec<EventErrorReport>,
    /// Reports on events that are acknowledged here as well: the acknowledgement wins. Source: EVT-041.
    pub overruled: Vec<EventErrorReport>,
}

/// A negative acknowledgement. Source: EVT-042, EVT-043.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventErrorReport {
    /// The event.
    pub id: EventId,
    /// The client's code, any text of at most 40 characters.
    pub err: String,
    /// What the client says about it, at most 256 characters.
    pub description: String,
}

/// Codes by which a client says that it cannot check our signatures: perhaps nobody can. Source: EVT-044.
const SIGNATURE_CODES: [&str; 4] = ["invalid_key", "jwtCrypto", "jws", "authentication_failed"];

impl Poll {
    /// The poll that says this. What is acknowledged twice counts once, and over a report.
    pub fn new(max: Option<u64>, wait: bool, acknowledged: Vec<EventId>, reported: Vec<EventErrorReport>) -> Self {
        let mut seen = HashSet::with_capacity(acknowledged.len());
        let acknowledged: Vec<_> = acknowledged.into_iter().filter(|id| seen.insert(id.clone())).collect();
        let (overruled, reported) = reported.into_iter().partition(|report| seen.contains(&report.id));
        Self { max, wait, acknowledged, reported, overruled }
    }

    /// What is left of it once its acknowledgements and reports are written down: what it still asks for.
    #[must_use]
    pub fn without_acknowledgements(&self) -> Self {
        let named = |report: &EventErrorReport| EventErrorReport {
            id: report.id.clone(),
            err: String::new(),
            description: String::new(),
        };
        Self {
            acknowledged: Vec::new(),
            reported: self.reported.iter().map(named).collect(),
            overruled: Vec::new(),
            ..*self
        }
    }

    /// What it says of these events, and what it asks for.
    #[must_use]
    pub fn only_about(self, events: &HashSet<EventId>) -> Self {
        let mut poll = self;
        poll.acknowledged.retain(|id| events.contains(id));
        poll.reported.retain(|report| events.contains(&report.id));
        poll.overruled.retain(|report| events.contains(&report.id));
        poll
    }

    /// Whether it may be held: it wants events and agrees to wait. Source: EVT-070 to EVT-072.
    pub fn may_be_held(&self) -> bool {
        self.wait && self.max != Some(0)
    }

    /// How many events it may be answered with, given the most the server gives. Source: EVT-027.
    pub fn limit(&self, cap: u32) -> u32 {
        let asked = self.max.map_or(cap, |max| u32::try_from(max).unwrap_or(u32::MAX));
        asked.min(cap)
    }

    /// Whether it says nothing about earlier events.
    pub fn is_fetch_only(&self) -> bool {
        self.acknowledged.is_empty() && self.reported.is_empty()
    }
}

impl EventErrorReport {
    /// Whether it says that our signature could not be checked. Source: EVT-044.
    pub fn is_signature_error(&self) -> bool {
        SIGNATURE_CODES.contains(&self.err.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poll(max: Option<u64>, wait: bool) -> Poll {
        Poll::new(max, wait, Vec::new(), Vec::new())
    }

    #[test]
    fn evt_027_the_cap_is_the_most_and_any_number_may_be_asked_for() {
        for (max, limit) in
            [(None, 100), (Some(0), 0), (Some(1), 1), (Some(100), 100), (Some(101), 100), (Some(u64::MAX), 100)]
        {
            assert_eq!(poll(max, false).limit(100), limit, "{max:?}");
        }
    }

    #[test]
    fn evt_070_to_072_who_wants_nothing_is_not_held() {
        assert!(poll(None, true).may_be_held() && poll(Some(1), true).may_be_held());
        assert!(!poll(None, false).may_be_held() && !poll(Some(0), true).may_be_held());
    }
}
