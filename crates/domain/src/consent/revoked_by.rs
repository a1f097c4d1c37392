//! The party that revokes access: the PSU or the bank.

/// The party that revoked access at the bank. For some kinds a revocation by the PSU is final. Source: CON-31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RevokedBy {
    /// The PSU, on the bank's pages.
    Psu,
    /// The bank.
    Bank,
}
