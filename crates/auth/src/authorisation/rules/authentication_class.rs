//! The authentication context classes, by their names in the protocol.

/// The authentication context class that the client is told. Every journey asks for both factors; the weaker name is used only for a client
/// that accepts no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acr {
    /// Strong customer authentication.
    Sca,
    /// Customer authentication.
    Ca,
}

impl Acr {
    /// The name of the class on the wire. Source: AS-005.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sca => "urn:openbanking:psd2:sca",
            Self::Ca => "urn:openbanking:psd2:ca",
        }
    }

    /// The class with this name on the wire.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Sca, Self::Ca].into_iter().find(|acr| acr.name() == name)
    }
}
