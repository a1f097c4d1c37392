//! Errors of the bank port.

use std::error::Error;
use std::time::Duration;

/// A failed call of the bank's core.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    /// The bank cannot be reached or is busy; the call may succeed later.
    #[error("the bank is unavailable")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The bank is busy and asks to be left alone for a while.
    #[error("the bank is busy")]
    Busy {
        /// How long.
        retry_after: Option<Duration>,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Its answer is invalid.
    #[error("the bank's answer cannot be used: {0}")]
    Broken(String),
    /// The core has no such method: it was made for an earlier version of the core API.
    #[error("the bank has no method {0}")]
    UnknownMethod(&'static str),
}

impl BankError {
    /// How long the bank asks to be left alone, if an error was caused by a busy bank that says so.
    pub fn retry_after_in(error: &(dyn Error + 'static)) -> Option<Duration> {
        let causes = std::iter::successors(Some(error), |error| (*error).source());
        causes.filter_map(|error| error.downcast_ref::<Self>()).find_map(|error| match error {
            Self::Busy { retry_after, .. } => *retry_after,
            Self::Unavailable(_) | Self::Broken(_) | Self::UnknownMethod(_) => None,
        })
    }
}
