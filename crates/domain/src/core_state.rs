//! The state that a bank's core keeps with records of this server.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Text that a core sets on a consent, an account or an order. It is stored with the record and passed back unchanged with every
/// call about that record. The server does not interpret the text. At most [`CoreState::BYTES_MAX`] bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct CoreState(Arc<str>);

/// The text is longer than [`CoreState::BYTES_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a core's state has more than {} bytes", CoreState::BYTES_MAX)]
pub struct CoreStateTooLong;

impl CoreState {
    /// The largest size of a state, in bytes.
    pub const BYTES_MAX: usize = 4_096;

    /// Makes a state of a text.
    ///
    /// # Errors
    /// [`CoreStateTooLong`].
    pub fn new(text: impl Into<Arc<str>>) -> Result<Self, CoreStateTooLong> {
        let text = text.into();
        if text.len() > Self::BYTES_MAX { Err(CoreStateTooLong) } else { Ok(Self(text)) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for CoreState {
    type Error = CoreStateTooLong;

    fn try_from(text: String) -> Result<Self, CoreStateTooLong> {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_at_most_4096_bytes() {
        let longest = "é".repeat(CoreState::BYTES_MAX / 2);
        assert_eq!(CoreState::new(longest.as_str()).unwrap().as_str(), longest);
        assert_eq!(CoreState::try_from(format!("{longest}e")), Err(CoreStateTooLong));
    }
}
