//! Owners of records, and their keys.

use lombard_domain::grant::Digest;

/// Whose share of the log a record takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordOwner<'r> {
    /// A client.
    Client(&'r str),
    /// Whoever has this certificate, which is not that of one client alone.
    Certificate(Digest),
    /// Everybody without a certificate.
    Anonymous,
}

impl RecordOwner<'_> {
    const CERTIFICATE: u8 = 1;

    /// Whether this key is that of a certificate.
    pub(super) fn is_certificate(key: &[u8]) -> bool {
        key.first() == Some(&Self::CERTIFICATE)
    }

    /// The kind of owner and what tells it from others of its kind.
    fn parts(&self) -> (u8, &[u8]) {
        match self {
            Self::Client(id) => (0, id.as_bytes()),
            Self::Certificate(thumbprint) => (Self::CERTIFICATE, &thumbprint.0),
            Self::Anonymous => (2, &[]),
        }
    }

    /// Writes the owner's key to the beginning of this memory; its length, or `None` if there is no room for it.
    pub(super) fn write_key(&self, memory: &mut [u8]) -> Option<usize> {
        let (kind, text) = self.parts();
        let (first, rest) = memory.split_first_mut()?;
        rest.get_mut(..text.len())?.copy_from_slice(text);
        *first = kind;
        text.len().checked_add(1)
    }

    /// The owner's key.
    pub(super) fn key(&self) -> Vec<u8> {
        let (kind, text) = self.parts();
        [&[kind], text].concat()
    }
}
