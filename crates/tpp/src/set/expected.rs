//! What the reader of a token knows beforehand.

use jiff::Timestamp;

/// What a token is held against.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedSet<'a> {
    /// The issuer of the bank's discovery document, if it is known.
    pub issuer: Option<&'a str>,
    /// The reader's client id, if the reader is the one the token is for.
    pub audience: Option<&'a str>,
    /// The time (wall clock).
    pub now: Timestamp,
}
