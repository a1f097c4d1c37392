//! The hint by which a client names the customer whom it wants to be asked. Source: AS-161.

use lombard_domain::ids::PsuId;

/// What a client knows of a customer. Every text is the client's and is not trusted.
#[derive(Clone, PartialEq, Eq)]
pub enum CustomerHint {
    /// A name or number that the bank has given to the customer: `sub`.
    Sub(String),
    /// `email`.
    Email(String),
    /// `phone_number`.
    PhoneNumber(String),
    /// A code that the bank has given to the customer for this occasion: `ephemeral_sub`.
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

/// Whom a hint means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HintedCustomer {
    /// This customer.
    Known(PsuId),
    /// Nobody.
    Unknown,
    /// The provider does not find customers by this kind of hint.
    Unsupported,
}
