//! The failure of a use-case: the caller's error, a temporary error, or an internal error.

use lombard_domain::refusal::Refusal;
use lombard_ports::bank::BankError;
use lombard_ports::store::StoreError;
use std::sync::Arc;

/// A failed use-case.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The caller's mistake.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A temporary error of the server; the same request may succeed later.
    #[error("unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An internal error; an operator has to act.
    #[error("broken")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Failure {
    /// A copy of the failure. A transaction closure that may be run again needs one for each run.
    pub(crate) fn again(self: &Arc<Self>) -> Self {
        match &**self {
            Self::Refused(refusal) => Self::Refused(refusal.clone()),
            Self::Unavailable(_) => Self::Unavailable(Arc::clone(self).into()),
            Self::Broken(_) => Self::Broken(Arc::clone(self).into()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contended | StoreError::Unavailable(_) => Self::Unavailable(error.into()),
            StoreError::Duplicate(_) | StoreError::Corrupt { .. } => Self::Broken(error.into()),
        }
    }
}

impl From<BankError> for Failure {
    fn from(error: BankError) -> Self {
        match error {
            BankError::Unavailable(_) | BankError::Busy { .. } => Self::Unavailable(error.into()),
            BankError::Broken(_) | BankError::UnknownMethod(_) => Self::Broken(error.into()),
        }
    }
}
