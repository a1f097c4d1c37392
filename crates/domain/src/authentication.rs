//! The factors by which a customer was authenticated.

/// The category of an authentication factor. Source: Delegated Regulation (EU) 2018/389, articles 6 to 8, as kept in the FCA's
/// technical standards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AuthenticationFactor {
    /// Something that only the customer knows: a password, a PIN.
    Knowledge,
    /// Something that only the customer has: a device, a card.
    Possession,
    /// Something that the customer is: a fingerprint, a face.
    Inherence,
}

crate::code::document_codes! {
    AuthenticationFactor { Knowledge = "knowledge", Possession = "possession", Inherence = "inherence", }
}
