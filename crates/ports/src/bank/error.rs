//! Why a bank did not answer.

/// A failed call of the bank's core.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    /// It cannot be reached or is busy; the same call may work later.
    #[error("the bank is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Its answer is invalid.
    #[error("the bank's answer cannot be used: {0}")]
    Broken(String),
}
