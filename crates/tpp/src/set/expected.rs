//! The values that the reader of a token expects.

use jiff::Timestamp;

/// The values with which a token is compared.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedSet<'a> {
    /// The issuer of the bank's discovery document, if it is known.
    pub issuer: Option<&'a str>,
    /// The expected audience: the reader's client id. Not checked if `None`.
    pub audience: Option<&'a str>,
    /// The present time (wall clock).
    pub now: Timestamp,
}
