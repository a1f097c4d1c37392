//! The JSON of the operations on TPPs.

use lombard_domain::client::{Client, Jwks};
use lombard_domain::ids::ClientId;
use lombard_domain::scope::TppRole;
use lombard_service::clients::{ClientDetails, ClientList};
use serde::{Deserialize, Serialize};

/// A page of the list of TPPs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TppListView {
    /// The TPPs, by client id.
    pub tpps: Vec<TppSummaryView>,
    /// The client id after which the next page begins; absent in the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<ClientId>,
}

/// A TPP in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TppSummaryView {
    /// The client id.
    pub client_id: ClientId,
    /// The name of the software.
    pub software_name: String,
    /// The name of the organisation.
    pub org_name: String,
    /// `active`, `disabled` or `deleted`.
    pub status: String,
    /// Why an operator last changed the status, if the operator said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_reason: Option<String>,
    /// The roles.
    pub roles: Vec<String>,
}

/// A TPP as it is registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TppView {
    /// The client id.
    pub client_id: ClientId,
    /// The id of the software.
    pub software_id: String,
    /// The name of the software.
    pub software_name: String,
    /// The id of the organisation.
    pub org_id: String,
    /// The name of the organisation.
    pub org_name: String,
    /// `active`, `disabled` or `deleted`.
    pub status: String,
    /// When an operator last changed the status (wall clock, RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_changed_at: Option<String>,
    /// Why an operator last changed the status, if the operator said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_reason: Option<String>,
    /// The roles.
    pub roles: Vec<String>,
    /// The roles that can be set.
    pub allowed_roles: Vec<String>,
    /// The redirect URIs, compared exactly.
    pub redirect_uris: Vec<String>,
    /// The client authentication method.
    pub token_endpoint_auth_method: String,
    /// The security profile: `fapi1`, `fapi2` or `fapi2-message-signing`. Source: AS-154.
    pub profile: String,
    /// The messages that are signed beyond those that the profile demands: `requests`, `responses`, `introspection`. Source: AS-182.
    #[serde(default)]
    pub signed_messages: Vec<String>,
    /// The address of the key set; absent if the keys are stored here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks_uri: Option<String>,
    /// The certificates in its key set, as it was fetched last, those that end first before others; at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub certificates: Vec<TppCertificateView>,
    /// When the TPP was registered (wall clock, RFC 3339).
    pub registered_at: String,
    /// The registration that the TPP asked for and that waits for approval; absent if none does. Source: DCR-042.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<TppPendingView>,
}

/// A certificate that a TPP publishes with a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TppCertificateView {
    /// The `kid` of the key; empty without one.
    pub kid: String,
    /// The `use` of the key, such as `sig` or `tls`; empty without one.
    pub purpose: String,
    /// The last instant of the validity period (RFC 3339).
    pub not_after: String,
}

/// A registration that waits for approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TppPendingView {
    /// The members of the registration that differ from those in force.
    pub changes: Vec<String>,
    /// The name of the software.
    pub software_name: String,
    /// The name of the organisation.
    pub org_name: String,
    /// The roles.
    pub roles: Vec<String>,
    /// The redirect URIs.
    pub redirect_uris: Vec<String>,
}

impl From<ClientList> for TppListView {
    fn from(ClientList { clients, next }: ClientList) -> Self {
        Self { tpps: clients.into_iter().map(TppSummaryView::from).collect(), next }
    }
}

impl From<ClientDetails> for TppSummaryView {
    fn from(ClientDetails { client, changes }: ClientDetails) -> Self {
        Self {
            status: client.status.name().to_owned(),
            status_reason: changes.status_reason.map(|reason| reason.as_str().to_owned()),
            roles: names(&client.roles),
            client_id: client.id,
            software_name: client.software_name,
            org_name: client.org_name,
        }
    }
}

impl TppView {
    /// Makes the view of a client, with the roles that can be set, and without certificates.
    pub fn new(details: ClientDetails, allowed_roles: &[TppRole]) -> Self {
        let ClientDetails { client, changes } = details;
        let pending = changes.pending_registration.map(|pending| TppPendingView {
            changes: pending.changed_members(&client).into_iter().map(str::to_owned).collect(),
            software_name: pending.software_name,
            org_name: pending.org_name,
            roles: pending.roles,
            redirect_uris: pending.redirect_uris,
        });
        let Client { authentication, jwks, roles, redirect_uris, created_at, status, profile, signed_messages, .. } =
            client;
        Self {
            client_id: client.id,
            software_id: client.software_id.to_string(),
            software_name: client.software_name,
            org_id: client.org_id.to_string(),
            org_name: client.org_name,
            status: status.name().to_owned(),
            status_changed_at: changes.status_changed_at.map(|at| at.to_string()),
            status_reason: changes.status_reason.map(|reason| reason.as_str().to_owned()),
            roles: names(&roles),
            allowed_roles: names(allowed_roles),
            redirect_uris,
            token_endpoint_auth_method: authentication.name().to_owned(),
            profile: profile.name().to_owned(),
            signed_messages: signed_messages.names().into_iter().map(str::to_owned).collect(),
            jwks_uri: match jwks {
                Jwks::Remote(address) => Some(address.url),
                Jwks::Local(_) => None,
            },
            certificates: Vec::new(),
            registered_at: created_at.to_string(),
            pending,
        }
    }
}

fn names(roles: &[TppRole]) -> Vec<String> {
    roles.iter().map(|role| role.name().to_owned()).collect()
}

/// A login of a TPP's developer at the portal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TppLoginView {
    /// The client.
    pub client_id: ClientId,
    /// The one-time link.
    pub url: String,
    /// When the link expires (wall clock, RFC 3339).
    pub expires_at: String,
}

/// The body of a change of status.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TppStatusCommand {
    /// Why the status is changed: one line of at most 200 characters, without personal data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The body of a change of roles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TppRolesCommand {
    /// All roles of the TPP from now on (`aisp`, `pisp`, `cbpii`).
    pub roles: Vec<String>,
    /// The reason for the change, for the audit line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The body of a change of redirect URIs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TppRedirectUrisCommand {
    /// All redirect URIs of the TPP from now on.
    pub redirect_uris: Vec<String>,
    /// The reason for the change, for the audit line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The body of a change of the security profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TppProfileCommand {
    /// The profile from now on (`fapi1`, `fapi2`, `fapi2-message-signing`).
    pub profile: String,
    /// The reason for the change, for the audit line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The body of a change of the signed messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TppSignedMessagesCommand {
    /// All messages that are signed from now on beyond those that the profile demands (`requests`, `responses`, `introspection`).
    pub signed_messages: Vec<String>,
    /// The reason for the change, for the audit line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A change of a TPP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TppChange {
    /// All requests of the TPP are refused until it is enabled.
    Disable,
    /// Requests of a disabled TPP are served again.
    Enable,
    /// The TPP has the roles with these names.
    SetRoles(Vec<String>),
    /// The TPP has these redirect URIs.
    SetRedirectUris(Vec<String>),
    /// The TPP must follow the security profile with this name. Source: AS-154.
    SetProfile(String),
    /// The registration that waits for approval takes effect. Source: DCR-042.
    Approve,
    /// The registration that waits for approval is dropped. Source: DCR-042.
    Refuse,
    /// The messages of these kinds are signed for the TPP, beyond what its profile demands. Source: AS-182.
    SetSignedMessages(Vec<String>),
    /// All requests of the TPP are refused for good. Source: DCR-043.
    Delete,
}
