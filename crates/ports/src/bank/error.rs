//! Why a bank did not answer.

/// Why the bank did not answer.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    /// It cannot be reached or is busy; the same call may work later.
    #[error("the bank is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It answered nonsense.
    #[error("the bank's answer cannot be used: {0}")]
    Broken(String),
}
