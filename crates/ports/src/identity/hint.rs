//! The hint by which a client names the customer who is to be asked. Source: AS-161.

use lombard_domain::ids::PsuId;

/// An identification of a customer by a client. Every text comes from the client and is not trusted.
#[derive(Clone, PartialEq, Eq)]
pub enum CustomerHint {
    /// The `sub`: a name or number that the bank gave to the customer.
    Sub(String),
    /// The `email`.
    Email(String),
    /// The `phone_number`.
    PhoneNumber(String),
    /// The `ephemeral_sub`: a code that the bank gave to the customer for this occasion.
    Ephemeral(String),
}

impl std::fmt::Debug for CustomerHint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sub(_) => "Sub(…)",
            Self::Email(_) => "Email(…)",
            Self::PhoneNumber(_) => "PhoneNumber(…)",
            Self::Ephemeral(_) => "Ephemeral(…)",
        })
    }
}

/// The result of the lookup of a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HintedCustomer {
    /// The hint names this customer.
    Known(PsuId),
    /// The hint names no customer.
    Unknown,
    /// The provider does not find customers by this kind of hint.
    Unsupported,
}
