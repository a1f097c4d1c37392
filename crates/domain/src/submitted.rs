//! The document that a TPP submitted, stored for the echo.

use crate::version::Version;

/// The submitted `Data` object in the form of its version, stored for the echo. The domain types hold the parsed facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// The version of the endpoint that received it: the consent's provenance. Source: RW-015.
    pub version: Version,
    /// The `Data` member, a JSON object.
    pub json: String,
}
