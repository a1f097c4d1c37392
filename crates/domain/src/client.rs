//! Registered clients, with the data of their software statement and registration.

use crate::backchannel::BackchannelDelivery;
use crate::ids::{ClientId, OrgId, PsuId, SoftwareId};
use crate::registration::{GrantType, Registration, ResponseType};
use crate::scope::{Scopes, TppRole};
use crate::security_profile::{SecurityProfile, SignedMessages};
use jiff::Timestamp;

/// How a client authenticates at the token endpoint. Source: AS-020.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientAuthentication {
    /// A JWT signed with a registered key (`private_key_jwt`).
    PrivateKeyJwt,
    /// The subject of its TLS certificate (`tls_client_auth`), registered as an RFC 4514 string.
    TlsClientAuth {
        /// `tls_client_auth_subject_dn`.
        subject_dn: String,
    },
}

impl ClientAuthentication {
    /// The registered name of the method.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::PrivateKeyJwt => "private_key_jwt",
            Self::TlsClientAuth { .. } => "tls_client_auth",
        }
    }
}

/// The status of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientStatus {
    /// The client is active.
    Active,
    /// The client was disabled by the operator or the directory. All its requests are refused until it is enabled.
    Disabled,
    /// The client was deleted. All its requests are refused, it is never enabled again, and its id is never given to another.
    /// Source: DCR-016, DCR-043.
    Deleted,
}

crate::code::document_codes! {
    ClientStatus { Active = "active", Disabled = "disabled", Deleted = "deleted", }
}

impl ClientStatus {
    /// The name that operators see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
            Self::Deleted => "deleted",
        }
    }
}

/// The source of a client's public keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Jwks {
    /// A stored JWK set document: the keys of the sandbox's own TPPs.
    Local(String),
    /// The addresses in the client's software statement. Source: AS-009.
    Remote(KeySetAddress),
}

/// The addresses of a key set that others publish. Source: AS-009, DCR-022.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeySetAddress {
    /// The address of the keys: an `https` URL.
    pub url: String,
    /// The address of the keys that were revoked, if there is one: an `https` URL.
    pub revoked_url: Option<String>,
}

impl Jwks {
    /// The stored document; `None` for a remote key set.
    pub fn local(&self) -> Option<&str> {
        match self {
            Self::Local(document) => Some(document),
            Self::Remote(_) => None,
        }
    }

    /// The addresses of a remote key set.
    pub fn address(&self) -> Option<&KeySetAddress> {
        match self {
            Self::Local(_) => None,
            Self::Remote(address) => Some(address),
        }
    }
}

/// A registered client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: ClientId,
    /// Its status.
    pub status: ClientStatus,
    /// Its organisation.
    pub org_id: OrgId,
    /// The organisation's name, shown to the PSU.
    pub org_name: String,
    /// Its software statement.
    pub software_id: SoftwareId,
    /// The software's name, shown to the PSU.
    pub software_name: String,
    /// The party on whose behalf it acts, shown to the PSU.
    pub on_behalf_of: Option<String>,
    /// Its regulated roles.
    pub roles: Vec<TppRole>,
    /// The registered redirect URIs, compared exactly.
    pub redirect_uris: Vec<String>,
    /// How it authenticates.
    pub authentication: ClientAuthentication,
    /// Its public keys.
    pub jwks: Jwks,
    /// The software statement it was registered with, a compact JWS.
    pub software_statement: String,
    /// How the client is told the results of backchannel authentication; `None` for a client that may not use it. Source: AS-160.
    pub backchannel: Option<BackchannelDelivery>,
    /// The protocol members of its registration; `None` for a client that the sandbox made, which may use every grant and
    /// response type.
    pub registration: Option<Registration>,
    /// The security profile that its requests must meet; an operator sets it. Source: AS-154.
    pub profile: SecurityProfile,
    /// The messages that are signed beyond those that the profile demands; an operator or the registration sets them. Source:
    /// AS-182.
    pub signed_messages: SignedMessages,
    /// Sandbox only: the PSU for whom every authorisation request is answered without a page. Source: AS-170.
    pub headless: Option<PsuId>,
    /// When it was registered (wall clock).
    pub created_at: Timestamp,
    /// Incremented by every change; a cached caller is valid only for the same epoch. Source: AS-116.
    pub epoch: i64,
}

impl Client {
    /// Whether its requests are served. Source: AS-113.
    pub fn may_act(&self) -> bool {
        self.status == ClientStatus::Active
    }

    /// Whether the client registered for a grant. Source: AS-037, DCR-011.
    pub fn may_use_grant(&self, grant: GrantType) -> bool {
        self.registration.as_ref().is_none_or(|registration| registration.grant_types.contains(&grant))
    }

    /// Whether the client may use a response type. A FAPI 2.0 profile allows `code` alone, to clients that may use the
    /// authorization code grant. Otherwise the client must have registered for the type. Source: AS-086, AS-154, DCR-011.
    pub fn may_use_response_type(&self, kind: ResponseType) -> bool {
        if self.profile.is_fapi2() {
            return kind == ResponseType::Code && self.may_use_grant(GrantType::AuthorizationCode);
        }
        self.registration.as_ref().is_none_or(|registration| registration.response_types.contains(&kind))
    }

    /// Whether the client must send authorisation requests as signed request objects, because of its profile or of its
    /// `signed_messages`. Source: AS-182.
    pub const fn must_sign_requests(&self) -> bool {
        self.profile.signs_requests() || self.signed_messages.requests
    }

    /// Whether an address is, byte for byte, one of its redirect URIs. Source: AS-064, AS-184.
    pub fn has_redirect_uri(&self, address: &str) -> bool {
        self.redirect_uris.iter().any(|registered| registered == address)
    }

    /// The scopes that its roles permit, without `openid`. Source: AS-052.
    pub fn scopes(&self) -> Scopes {
        self.roles.iter().map(|role| role.scope()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::Scope;

    #[test]
    fn as_052_a_client_may_request_the_scopes_of_its_roles() {
        let client = |roles: &[TppRole]| Client {
            id: "c".into(),
            status: ClientStatus::Active,
            org_id: "o".into(),
            org_name: "Org".into(),
            software_id: "s".into(),
            software_name: "Software".into(),
            on_behalf_of: None,
            roles: roles.to_vec(),
            redirect_uris: Vec::new(),
            authentication: ClientAuthentication::PrivateKeyJwt,
            jwks: Jwks::Local("{}".into()),
            software_statement: String::new(),
            backchannel: None,
            registration: None,
            profile: SecurityProfile::Fapi1Advanced,
            signed_messages: SignedMessages::default(),
            headless: None,
            created_at: Timestamp::UNIX_EPOCH,
            epoch: 0,
        };
        let scopes = |roles: &[TppRole]| client(roles).scopes().iter().collect::<Vec<_>>();
        assert_eq!(scopes(&[]), []);
        assert_eq!(scopes(&[TppRole::Pisp]), [Scope::Payments]);
        assert_eq!(scopes(&[TppRole::Cbpii, TppRole::Aisp]), [Scope::Accounts, Scope::FundsConfirmations]);
    }

    #[test]
    fn as_009_keys_are_kept_here_or_fetched_and_never_both() {
        let address = KeySetAddress { url: "https://keys.example".into(), revoked_url: None };
        let kept = Jwks::Local("{}".into());
        let fetched = Jwks::Remote(address.clone());
        assert_eq!((kept.local(), kept.address()), (Some("{}"), None));
        assert_eq!((fetched.local(), fetched.address()), (None, Some(&address)));
    }
}
