//! Errors of the bank port.

/// A failed call of the bank's core.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    /// The bank cannot be reached or is busy; the call may succeed later.
    #[error("the bank is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The bank is busy and asks to be left alone for a while.
    #[error("the bank is busy")]
    Busy {
        /// How long.
        retry_after: Option<std::time::Duration>,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Its answer is invalid.
    #[error("the bank's answer cannot be used: {0}")]
    Broken(String),
}
