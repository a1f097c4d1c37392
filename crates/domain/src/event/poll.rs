//! The request of `POST /events`. Source: `OBEventPolling1`, EVT-020.

use crate::ids::EventId;
use std::collections::HashSet;

/// A poll: acknowledgements, error reports, and the number of events requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPoll {
    /// `maxEvents`; absent means as many as the server returns. Source: EVT-027.
    pub max: Option<u64>,
    /// Whether the client agrees to wait if there is no event. Source: EVT-071.
    pub wait: bool,
    /// The acknowledged events (`ack`), each once. Source: EVT-035, EVT-041.
    pub acknowledged: Vec<EventId>,
    /// The error reports (`setErrs`) on events that are not acknowledged here. Source: EVT-042.
    pub reported: Vec<EventErrorReport>,
    /// The error reports on events that the same poll acknowledges; the acknowledgement takes precedence. Source: EVT-041.
    pub superseded_reports: Vec<EventErrorReport>,
}

/// A negative acknowledgement, one entry of `setErrs`. Source: EVT-042, EVT-043.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventErrorReport {
    /// The event.
    pub id: EventId,
    /// The error code, any text of at most 40 characters.
    pub err: String,
    /// The client's description, at most 256 characters.
    pub description: String,
}

/// Error codes that report an invalid signature; the cause may be the server's key. Source: EVT-044.
const SIGNATURE_CODES: [&str; 4] = ["invalid_key", "jwtCrypto", "jws", "authentication_failed"];

impl EventPoll {
    /// Makes a poll. Repeated acknowledgements count once, and an acknowledgement takes precedence over an error
    /// report.
    pub fn new(max: Option<u64>, wait: bool, acknowledged: Vec<EventId>, reported: Vec<EventErrorReport>) -> Self {
        let mut seen = HashSet::with_capacity(acknowledged.len());
        let acknowledged: Vec<_> = acknowledged.into_iter().filter(|id| seen.insert(id.clone())).collect();
        let (superseded_reports, reported) = reported.into_iter().partition(|report| seen.contains(&report.id));
        Self { max, wait, acknowledged, reported, superseded_reports }
    }

    /// The same request for queries after its acknowledgements and reports have been applied: only the event ids of the reports
    /// are kept.
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
            superseded_reports: Vec::new(),
            ..*self
        }
    }

    /// The same request with only the acknowledgements and reports of these events.
    #[must_use]
    pub fn only_about(self, events: &HashSet<EventId>) -> Self {
        let mut poll = self;
        poll.acknowledged.retain(|id| events.contains(id));
        poll.reported.retain(|report| events.contains(&report.id));
        poll.superseded_reports.retain(|report| events.contains(&report.id));
        poll
    }

    /// Whether the request may be held open: it requests events and agrees to wait. Source: EVT-070 to EVT-072.
    pub fn may_be_held(&self) -> bool {
        self.wait && self.max != Some(0)
    }

    /// The number of events to return, at most `cap`. Source: EVT-027.
    pub fn limit(&self, cap: u32) -> u32 {
        let asked = self.max.map_or(cap, |max| u32::try_from(max).unwrap_or(u32::MAX));
        asked.min(cap)
    }

    /// Whether the poll contains no acknowledgement and no report.
    pub fn is_fetch_only(&self) -> bool {
        self.acknowledged.is_empty() && self.reported.is_empty()
    }
}

impl EventErrorReport {
    /// Whether the report states that the server's signature could not be verified. Source: EVT-044.
    pub fn is_signature_error(&self) -> bool {
        SIGNATURE_CODES.contains(&self.err.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poll(max: Option<u64>, wait: bool) -> EventPoll {
        EventPoll::new(max, wait, Vec::new(), Vec::new())
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
    fn evt_070_to_072_a_poll_for_no_events_is_not_held() {
        assert!(poll(None, true).may_be_held() && poll(Some(1), true).may_be_held());
        assert!(!poll(None, false).may_be_held() && !poll(Some(0), true).may_be_held());
    }
}
