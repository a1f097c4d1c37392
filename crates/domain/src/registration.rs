//! The protocol members of a client's registration: its kind, its grants and its response types.

use serde::{Deserialize, Serialize};

/// The kind of an application. The standard printed `mobile` for native applications before version 3.4 of its registration.
/// Source: DCR-012.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApplicationType {
    /// An application on a server.
    Web,
    /// A native application, under the name that the standard used before version 3.4.
    Mobile,
    /// A native application.
    Native,
}

impl ApplicationType {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Web, Self::Mobile, Self::Native];

    /// The registered name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Mobile => "mobile",
            Self::Native => "native",
        }
    }
}

/// A grant of the token endpoint. Source: AS-005, DCR-011.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrantType {
    /// `client_credentials`.
    ClientCredentials,
    /// `authorization_code`.
    AuthorizationCode,
    /// `refresh_token`.
    RefreshToken,
    /// Backchannel authentication (CIBA). Source: AS-160.
    Backchannel,
}

impl GrantType {
    /// Every grant.
    pub const ALL: [Self; 4] =
        [Self::ClientCredentials, Self::AuthorizationCode, Self::RefreshToken, Self::Backchannel];

    /// The registered name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClientCredentials => "client_credentials",
            Self::AuthorizationCode => "authorization_code",
            Self::RefreshToken => "refresh_token",
            Self::Backchannel => "urn:openid:params:grant-type:ciba",
        }
    }
}

/// A response type of the authorisation endpoint. Source: AS-005, DCR-011.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponseType {
    /// `code id_token`.
    CodeIdToken,
    /// `code`, in a signed response.
    Code,
}

impl ResponseType {
    /// Every response type.
    pub const ALL: [Self; 2] = [Self::CodeIdToken, Self::Code];

    /// The registered name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CodeIdToken => "code id_token",
            Self::Code => "code",
        }
    }

    /// The response type with this name; the words of the name may be in any order.
    pub fn from_name(text: &str) -> Option<Self> {
        let words = |text: &str| {
            let mut words: Vec<_> = text.split(' ').map(str::to_owned).collect();
            words.sort();
            words
        };
        Self::ALL.into_iter().find(|kind| words(kind.name()) == words(text))
    }
}

/// The protocol members that a client registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// The kind of the application.
    pub application_type: ApplicationType,
    /// The grants it may use.
    pub grant_types: Vec<GrantType>,
    /// The response types it may use.
    pub response_types: Vec<ResponseType>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dcr_011_a_response_type_is_a_set_of_words() {
        for (text, kind) in [
            ("code", Some(ResponseType::Code)),
            ("code id_token", Some(ResponseType::CodeIdToken)),
            ("id_token code", Some(ResponseType::CodeIdToken)),
            ("code code", None),
            ("id_token", None),
            ("code  id_token", None),
            ("", None),
        ] {
            assert_eq!(ResponseType::from_name(text), kind, "{text}");
        }
    }
}
