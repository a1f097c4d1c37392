//! The settings of the request log.

use jiff::SignedDuration;
use lombard_domain::ids::ClientId;
use std::collections::BTreeSet;

/// The bounds of the log. Sizes are bytes.
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
    /// Whose requests are recorded.
    pub recorded: RecordedClients,
}

/// Whose requests are recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedClients {
    /// Everybody's, in a sandbox: also those of callers that are not known.
    All,
    /// Those of these clients.
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

    /// Whether a request is recorded whose certificate is that of these clients: not if it may be of one whose requests are not.
    pub(super) fn include_all(&self, holders: &[ClientId]) -> bool {
        holders.iter().all(|holder| self.include(Some(holder)))
    }
}
