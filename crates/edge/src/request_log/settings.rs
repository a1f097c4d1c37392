//! The settings of the request log.

use jiff::SignedDuration;
use lombard_domain::ids::ClientId;
use std::collections::BTreeSet;

/// The limits of the request log. Sizes are bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLogSettings {
    /// Most bytes of all records.
    pub bytes_max: usize,
    /// Most bytes of the records of one client, so that no client displaces those of all others.
    pub client_bytes_max: usize,
    /// Most bytes of one body; of a longer one the beginning is kept.
    pub body_bytes_max: usize,
    /// How long a record is kept.
    pub age_max: SignedDuration,
    /// The clients whose requests are recorded.
    pub recorded: RecordedClients,
}

/// The clients whose requests are recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedClients {
    /// All requests, including those of unknown callers; in a sandbox only.
    All,
    /// Requests of these clients.
    Only(BTreeSet<ClientId>),
}

impl RecordedClients {
    /// Whether a request of this client is recorded.
    pub(super) fn include(&self, client: Option<&ClientId>) -> bool {
        match self {
            Self::All => true,
            Self::Only(clients) => client.is_some_and(|client| clients.contains(client)),
        }
    }

    /// Whether a request is recorded whose certificate belongs to these clients. It is not if the requests of any of them are not recorded.
    pub(super) fn include_all(&self, holders: &[ClientId]) -> bool {
        holders.iter().all(|holder| self.include(Some(holder)))
    }
}
