//! The document that a TPP submitted, kept to be shown again.

use crate::version::Version;

/// What the TPP submitted: the `Data` member in its version's own form, for echoing. The facts are in the domain types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// The version it was submitted in: the consent's provenance. Source: RW-015.
    pub version: Version,
    /// A JSON object.
    pub json: String,
}
