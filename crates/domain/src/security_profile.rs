//! The security profile that a client's requests are held to.

/// A security profile of the authorisation server. An operator sets it for each client. Source: AS-154.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SecurityProfile {
    /// FAPI 1.0 Advanced, as the Read/Write API demands it.
    #[default]
    Fapi1Advanced,
    /// FAPI 2.0 Security Profile: pushed requests, responses with a code alone, PKCE, and an issuer in each response.
    Fapi2Security,
    /// FAPI 2.0 Security Profile with Message Signing: requests and responses are signed as well.
    Fapi2MessageSigning,
}

impl SecurityProfile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Fapi1Advanced, Self::Fapi2Security, Self::Fapi2MessageSigning];

    /// The name that operators use, and that is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fapi1Advanced => "fapi1",
            Self::Fapi2Security => "fapi2",
            Self::Fapi2MessageSigning => "fapi2-message-signing",
        }
    }

    /// The profile with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Whether it is one of FAPI 2.0: requests are pushed, responses have a code alone, and the audience of an assertion is the
    /// issuer.
    pub const fn is_fapi2(self) -> bool {
        match self {
            Self::Fapi1Advanced => false,
            Self::Fapi2Security | Self::Fapi2MessageSigning => true,
        }
    }

    /// Whether an authorisation request must be a signed request object.
    pub const fn signs_requests(self) -> bool {
        match self {
            Self::Fapi1Advanced | Self::Fapi2MessageSigning => true,
            Self::Fapi2Security => false,
        }
    }

    /// Whether an authorisation response must be a signed JWT (JARM).
    pub const fn signs_responses(self) -> bool {
        match self {
            Self::Fapi1Advanced | Self::Fapi2Security => false,
            Self::Fapi2MessageSigning => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_154_a_profile_has_a_name_and_three_switches() {
        for (name, is_fapi2, signs_requests, signs_responses) in
            [("fapi1", false, true, false), ("fapi2", true, false, false), ("fapi2-message-signing", true, true, true)]
        {
            let profile = SecurityProfile::from_name(name).unwrap();
            assert_eq!(profile.name(), name);
            let switches = (profile.is_fapi2(), profile.signs_requests(), profile.signs_responses());
            assert_eq!(switches, (is_fapi2, signs_requests, signs_responses), "{name}");
        }
        assert_eq!(SecurityProfile::from_name("FAPI1"), None);
        assert_eq!(SecurityProfile::default(), SecurityProfile::Fapi1Advanced);
    }
}
