//! Owners of records.

use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;

/// The owner of the share of the log that a record takes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RecordOwner {
    /// A known client.
    Client(ClientId),
    /// The holder of a certificate that does not belong to exactly one client.
    Certificate(Digest),
    /// All callers without a certificate.
    Anonymous,
}

impl RecordOwner {
    /// Whether records of this owner may be those of a client; a certificate may belong to several clients.
    pub(super) fn may_be(&self, client: &ClientId) -> bool {
        match self {
            Self::Client(owner) => owner == client,
            Self::Certificate(_) => true,
            Self::Anonymous => false,
        }
    }
}
