//! Queries of the request log.

use super::record::Record;
use lombard_domain::ids::{ClientId, FapiInteractionId};

/// A query of records; a record must meet all conditions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestQuery {
    /// The interaction id of the response, or the `Id` of the error in its body.
    pub interaction_id: Option<FapiInteractionId>,
    /// The client, whose own calls match, and calls of unknown callers with its certificate.
    pub client_id: Option<ClientId>,
    /// The status of the response.
    pub status: Option<StatusFilter>,
    /// The start of the path.
    pub path_prefix: Option<String>,
    /// Whether only refused requests match.
    pub is_refused: bool,
    /// Only records before this number match.
    pub before: Option<u64>,
    /// Only records after this number match, the oldest ones first.
    pub after: Option<u64>,
    /// The most records to return.
    pub limit: usize,
}

/// A status or a class of statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusFilter {
    /// This status.
    Status(u16),
    /// Every status that begins with this digit.
    Class(u16),
}

impl StatusFilter {
    /// Parses a filter such as `401` or `4xx`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_suffix("xx") {
            Some(class) => class.parse().ok().filter(|class| (1..=5).contains(class)).map(Self::Class),
            None => text.parse().ok().filter(|status| (100..=599).contains(status)).map(Self::Status),
        }
    }

    const fn includes(self, status: u16) -> bool {
        match self {
            Self::Status(it) => it == status,
            Self::Class(class) => class == status / 100,
        }
    }
}

impl RequestQuery {
    /// Whether this record meets all conditions except `after`.
    pub(super) fn is_met(&self, record: &Record) -> bool {
        self.before.is_none_or(|before| record.number < before)
            && self.interaction_id.as_ref().is_none_or(|id| record.has_id(id))
            && self.client_id.as_ref().is_none_or(|client| record.is_of(client))
            && self.status.is_none_or(|filter| filter.includes(record.status))
            && self.path_prefix.as_ref().is_none_or(|prefix| record.target.starts_with(prefix.as_str()))
            && (!self.is_refused || record.refused.is_some())
    }
}
