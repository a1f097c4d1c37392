//! Owners of records.

use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;

/// Whose share of the log a record takes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RecordOwner {
    /// A client.
    Client(ClientId),
    /// Whoever has this certificate, which is not that of one client alone.
    Certificate(Digest),
    /// Everybody without a certificate.
    Anonymous,
}

impl RecordOwner {
    /// Whether records of this owner may be a client's: a certificate may be that of several.
    pub(super) fn may_be(&self, client: &ClientId) -> bool {
        match self {
            Self::Client(owner) => owner == client,
            Self::Certificate(_) => true,
            Self::Anonymous => false,
        }
    }
}
