//! The persons that a provider knows, and the error of a provider that cannot answer.

use lombard_domain::ids::PsuId;

/// The identity provider is unavailable.
#[derive(Debug, thiserror::Error)]
#[error("the identity provider is unavailable")]
pub struct IdentityError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// A customer, with the name that pages show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The PSU's id.
    pub psu: PsuId,
    /// The name to show.
    pub name: String,
}
