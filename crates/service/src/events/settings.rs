//! The settings of polls, and of the retention of events.

use jiff::SignedDuration;
use std::time::Duration;

/// How polls are answered.
#[derive(Debug, Clone)]
pub struct PollingSettings {
    /// Most events of an answer. Source: EVT-027.
    pub events_max: u32,
    /// Most bytes of tokens in an answer that has more than one. Source: EVT-054.
    pub answer_bytes_max: usize,
    /// How long a poll is held at most; zero holds none. Source: EVT-071.
    pub hold_duration: Duration,
    /// Most held polls of a client. Source: EVT-076.
    pub held_per_client_max: usize,
    /// Most held polls of all. Source: EVT-076.
    pub held_total_max: usize,
    /// Reports that park an event, if any number does. Source: EVT-042.
    pub reports_max: Option<u32>,
    /// Deliveries that park an event, if any number does. Source: EVT-057.
    pub deliveries_max: Option<u32>,
    /// Whether a token's scope narrows what it is answered. Source: EVT-006.
    pub filter_by_scope: bool,
    /// How long events are kept. Source: EVT-085, EVT-086.
    pub retention: RetentionLimits,
}

impl Default for PollingSettings {
    /// What the rules publish.
    fn default() -> Self {
        Self {
            events_max: 100,
            answer_bytes_max: 1_048_576,
            hold_duration: Duration::from_secs(10),
            held_per_client_max: 4,
            held_total_max: 10_000,
            reports_max: None,
            deliveries_max: None,
            filter_by_scope: false,
            retention: RetentionLimits::default(),
        }
    }
}

/// How long events are kept. Source: EVT-085, EVT-086.
#[derive(Debug, Clone, Copy)]
pub struct RetentionLimits {
    /// How long an event waits for its acknowledgement; without end if `None`.
    pub retention: Option<SignedDuration>,
    /// How long the id of an acknowledged event is remembered, for the log. Source: EVT-039.
    pub remembered: SignedDuration,
    /// Most events that wait for a client, if there is a limit.
    pub queue_max: Option<u32>,
}

impl Default for RetentionLimits {
    /// Events wait until they are acknowledged; then their ids are remembered for 90 days.
    fn default() -> Self {
        Self { retention: None, remembered: SignedDuration::from_hours(90 * 24), queue_max: None }
    }
}
