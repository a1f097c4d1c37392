//! The factors by which a customer was authenticated.

/// What an element of an authentication rests on. Source: Delegated Regulation (EU) 2018/389, articles 6 to 8, as the FCA's
/// technical standards keep them.
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
