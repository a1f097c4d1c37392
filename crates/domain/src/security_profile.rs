//! The security profile that applies to a client's requests.

/// A security profile of the authorisation server. An operator sets it for each client. Source: AS-154.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SecurityProfile {
    /// FAPI 1.0 Advanced, as the Read/Write API demands it.
    #[default]
    Fapi1Advanced,
    /// FAPI 2.0 Security Profile: pushed requests, responses with a code alone, PKCE, and an issuer in each response.
    Fapi2Security,
    /// FAPI 2.0 Security Profile with signed requests (Message Signing); responses are signed where the client asks for it.
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

    /// Whether this is a FAPI 2.0 profile: requests are pushed, responses carry only a code, and the audience of an assertion is
    /// the issuer.
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
}

/// Messages that are signed for a client beyond what its profile demands. Each kind can be switched separately.
///
/// Source: AS-182, FAPI 2.0 Message Signing sections 5.3 to 5.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SignedMessages {
    /// The client's authorisation requests must be signed request objects.
    pub requests: bool,
    /// Authorisation responses to the client are signed JWTs (JARM), even if the client does not ask for that.
    pub responses: bool,
    /// Token introspection responses to the client are signed JWTs, even if the client does not ask for that.
    pub introspection: bool,
}

impl SignedMessages {
    /// The names of the kinds of messages, as operators use them and as they are stored.
    pub const NAMES: [&'static str; 3] = ["requests", "responses", "introspection"];

    /// The names of the kinds of messages that are signed.
    pub fn names(self) -> Vec<&'static str> {
        let switches = [self.requests, self.responses, self.introspection];
        Self::NAMES.into_iter().zip(switches).filter_map(|(name, is_on)| is_on.then_some(name)).collect()
    }

    /// The signed messages with these names; `None` if a name is unknown.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut signed = Self::default();
        for name in names {
            match name {
                "requests" => signed.requests = true,
                "responses" => signed.responses = true,
                "introspection" => signed.introspection = true,
                _ => return None,
            }
        }
        Some(signed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_154_a_profile_has_a_name_and_two_switches() {
        for (name, is_fapi2, signs_requests) in
            [("fapi1", false, true), ("fapi2", true, false), ("fapi2-message-signing", true, true)]
        {
            let profile = SecurityProfile::from_name(name).unwrap();
            assert_eq!(profile.name(), name);
            assert_eq!((profile.is_fapi2(), profile.signs_requests()), (is_fapi2, signs_requests), "{name}");
        }
        assert_eq!(SecurityProfile::from_name("FAPI1"), None);
        assert_eq!(SecurityProfile::default(), SecurityProfile::Fapi1Advanced);
    }

    #[test]
    fn as_182_signed_messages_are_three_switches_with_names() {
        for switches in 0..8_u8 {
            let on = |bit: u8| switches & (1 << bit) != 0;
            let signed = SignedMessages { requests: on(0), responses: on(1), introspection: on(2) };
            assert_eq!(signed.names().len(), switches.count_ones() as usize);
            assert_eq!(SignedMessages::from_names(signed.names()), Some(signed));
        }
        assert_eq!(SignedMessages::from_names(["responses", "tokens"]), None);
    }
}
