//! The settings of polls, and of the retention of events.

use jiff::SignedDuration;
use std::time::Duration;

/// The settings of polls.
#[derive(Debug, Clone)]
pub struct PollingSettings {
    /// The largest number of events in a response. Source: EVT-027.
    pub events_max: u32,
    /// The largest size in bytes of all tokens in a response with more than one token. Source: EVT-054.
    pub answer_bytes_max: usize,
    /// The longest time for which a poll is held; zero means that no poll is held. Source: EVT-071.
    pub hold_duration: Duration,
    /// The largest number of held polls of a client. Source: EVT-076.
    pub held_per_client_max: usize,
    /// The largest number of held polls of all clients. Source: EVT-076.
    pub held_total_max: usize,
    /// The number of error reports after which an event is parked; `None` if reports never park. Source: EVT-042.
    pub reports_max: Option<u32>,
    /// The number of deliveries after which an event is parked; `None` if deliveries never park. Source: EVT-057.
    pub deliveries_max: Option<u32>,
    /// Whether a response contains only events within the scopes of the token. Source: EVT-006.
    pub filter_by_scope: bool,
    /// How long events are kept. Source: EVT-085, EVT-086.
    pub retention: RetentionLimits,
}

impl Default for PollingSettings {
    /// The values that the rules publish.
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
    /// How long an event is kept without an acknowledgement; `None` means without limit.
    pub retention: Option<SignedDuration>,
    /// How long the id of an acknowledged event is kept, for the log. Source: EVT-039.
    pub remembered: SignedDuration,
    /// The largest number of queued events of a client; `None` means no limit.
    pub queue_max: Option<u32>,
}

impl Default for RetentionLimits {
    /// Events are kept until they are acknowledged; their ids are kept for 90 days afterwards.
    fn default() -> Self {
        Self { retention: None, remembered: SignedDuration::from_hours(90 * 24), queue_max: None }
    }
}
