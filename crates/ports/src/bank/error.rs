//! Errors of the bank port.

use std::error::Error;
use std::time::Duration;

/// A failed call of the bank's core.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    /// The bank cannot be reached or is busy; the call may succeed later.
    #[error("the bank is unavailable")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The bank is busy and asks the server to wait before the next call.
    #[error("the bank is busy")]
    Busy {
        /// The requested wait.
        retry_after: Option<Duration>,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The bank's answer is invalid.
    #[error("the bank's answer cannot be used: {0}")]
    Broken(String),
    /// The core does not have this method: the core was made for an earlier version of the core API.
    #[error("the bank has no method {0}")]
    UnknownMethod(&'static str),
}

impl BankError {
    /// The wait that the bank asks for, if the error was caused by a busy bank that states one.
    pub fn retry_after_in(error: &(dyn Error + 'static)) -> Option<Duration> {
        let causes = std::iter::successors(Some(error), |error| (*error).source());
        causes.filter_map(|error| error.downcast_ref::<Self>()).find_map(|error| match error {
            Self::Busy { retry_after, .. } => *retry_after,
            Self::Unavailable(_) | Self::Broken(_) | Self::UnknownMethod(_) => None,
        })
    }
}
