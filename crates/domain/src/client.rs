//! Registered clients: what a TPP's software statement and registration say of it.

use crate::ids::{ClientId, OrgId, PsuId, SoftwareId};
use crate::scope::{Scopes, TppRole};
use jiff::Timestamp;

/// How a client proves itself at the token endpoint. Source: AS-020.
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
    /// The method's registered name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::PrivateKeyJwt => "private_key_jwt",
            Self::TlsClientAuth { .. } => "tls_client_auth",
        }
    }
}

/// Whether a client may act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientStatus {
    /// It may.
    Active,
    /// Ended by itself, the operator or the directory: nothing of it works any more.
    Disabled,
}

/// Where a client's public keys are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Jwks {
    /// Kept here, as a JWK set document: the keys of the sandbox's own TPPs.
    Local(String),
    /// At the address the client's software statement names. Source: AS-009.
    Remote {
        /// An `https` URL.
        url: String,
    },
}

impl Jwks {
    /// The document that is kept here.
    pub fn local(&self) -> Option<&str> {
        match self {
            Self::Local(document) => Some(document),
            Self::Remote { .. } => None,
        }
    }

    /// The address the keys are fetched from.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Local(_) => None,
            Self::Remote { url } => Some(url),
        }
    }
}

/// A registered client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: ClientId,
    /// Whether it may act.
    pub status: ClientStatus,
    /// The organisation it belongs to.
    pub org_id: OrgId,
    /// The organisation's name, shown to the PSU.
    pub org_name: String,
    /// Its software statement.
    pub software_id: SoftwareId,
    /// The software's name, shown to the PSU.
    pub software_name: String,
    /// On whose behalf it acts, shown to the PSU.
    pub on_behalf_of: Option<String>,
    /// Its regulated roles.
    pub roles: Vec<TppRole>,
    /// Exactly the addresses the PSU may be sent back to.
    pub redirect_uris: Vec<String>,
    /// How it proves itself.
    pub authentication: ClientAuthentication,
    /// Its public keys.
    pub jwks: Jwks,
    /// The software statement it was registered with, a compact JWS.
    pub software_statement: String,
    /// Sandbox only: the PSU in whose name every authorisation request is answered at once. Source: AS-170.
    pub headless: Option<PsuId>,
    /// When it was registered (wall clock).
    pub created_at: Timestamp,
    /// Moves whenever anything about the client changes; cached callers are checked against it. Source: AS-116.
    pub epoch: i64,
}

impl Client {
    /// The scopes its roles open, without `openid`. Source: AS-052.
    pub fn scopes(&self) -> Scopes {
        self.roles.iter().map(|role| role.scope()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::Scope;

    #[test]
    fn as_052_a_client_may_ask_for_what_its_roles_open() {
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
        let (kept, fetched) = (Jwks::Local("{}".into()), Jwks::Remote { url: "https://keys.example".into() });
        assert_eq!((kept.local(), kept.url()), (Some("{}"), None));
        assert_eq!((fetched.local(), fetched.url()), (None, Some("https://keys.example")));
    }
}
