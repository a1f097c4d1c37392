//! The names of the protocol for how strongly a PSU was authenticated.

/// What a journey's authentication is worth to the client. Every journey asks for both factors; the weaker name is
/// given only to a client that accepts no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acr {
    /// Strong customer authentication.
    Sca,
    /// Customer authentication.
    Ca,
}

impl Acr {
    /// Its name on the wire. Source: AS-005.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sca => "urn:openbanking:psd2:sca",
            Self::Ca => "urn:openbanking:psd2:ca",
        }
    }

    /// The one with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Sca, Self::Ca].into_iter().find(|acr| acr.name() == name)
    }
}
