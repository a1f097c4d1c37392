//! A registration that a client asked for and that waits for the approval of an operator. Source: DCR-042.

use crate::backchannel::BackchannelDelivery;
use crate::client::{Client, ClientAuthentication, Jwks, KeySetAddress};
use crate::registration::Registration;
use crate::scope::TppRole;
use crate::security_profile::SignedMessages;
use serde::{Deserialize, Serialize};

/// The whole registration of a client, as the client last requested it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingRegistration {
    /// The id of its organisation.
    pub org_id: String,
    /// The organisation's name.
    pub org_name: String,
    /// The software's name.
    pub software_name: String,
    /// The party on whose behalf it acts.
    pub on_behalf_of: Option<String>,
    /// The names of its roles.
    pub roles: Vec<String>,
    /// Its redirect URIs.
    pub redirect_uris: Vec<String>,
    /// The subject of its certificate, if it authenticates by certificate.
    tls_subject_dn: Option<String>,
    /// The address of its key set; `None` if the key set is stored with the client.
    jwks_url: Option<String>,
    /// The address of its revoked keys.
    jwks_revoked_url: Option<String>,
    /// The software statement.
    software_statement: String,
    /// Whether the client may use backchannel authentication.
    has_backchannel: bool,
    /// The address at which the client is notified of answers to backchannel requests.
    notification_endpoint: Option<String>,
    /// The protocol members of the registration.
    registration: Option<Registration>,
    /// The names of the kinds of messages that are signed for the client.
    #[serde(default)]
    signed_messages: Vec<String>,
}

impl PendingRegistration {
    /// The registration that the client has now, in the form of a pending registration.
    pub fn of_client(client: &Client) -> Self {
        let address = client.jwks.address();
        Self {
            org_id: client.org_id.to_string(),
            org_name: client.org_name.clone(),
            software_name: client.software_name.clone(),
            on_behalf_of: client.on_behalf_of.clone(),
            roles: client.roles.iter().map(|role| role.name().to_owned()).collect(),
            redirect_uris: client.redirect_uris.clone(),
            tls_subject_dn: match &client.authentication {
                ClientAuthentication::PrivateKeyJwt => None,
                ClientAuthentication::TlsClientAuth { subject_dn } => Some(subject_dn.clone()),
            },
            jwks_url: address.map(|address| address.url.clone()),
            jwks_revoked_url: address.and_then(|address| address.revoked_url.clone()),
            software_statement: client.software_statement.clone(),
            has_backchannel: client.backchannel.is_some(),
            notification_endpoint: client
                .backchannel
                .as_ref()
                .and_then(BackchannelDelivery::endpoint)
                .map(str::to_owned),
            registration: client.registration.clone(),
            signed_messages: client.signed_messages.names().into_iter().map(str::to_owned).collect(),
        }
    }

    /// The client as it is once this registration is approved.
    pub fn apply_to(&self, client: &Client) -> Client {
        let endpoint = self.notification_endpoint.clone();
        Client {
            org_id: self.org_id.as_str().into(),
            org_name: self.org_name.clone(),
            software_name: self.software_name.clone(),
            on_behalf_of: self.on_behalf_of.clone(),
            roles: TppRole::ALL.into_iter().filter(|role| self.roles.iter().any(|name| name == role.name())).collect(),
            redirect_uris: self.redirect_uris.clone(),
            authentication: match &self.tls_subject_dn {
                None => ClientAuthentication::PrivateKeyJwt,
                Some(subject_dn) => ClientAuthentication::TlsClientAuth { subject_dn: subject_dn.clone() },
            },
            jwks: match &self.jwks_url {
                None => client.jwks.clone(),
                Some(url) => {
                    Jwks::Remote(KeySetAddress { url: url.clone(), revoked_url: self.jwks_revoked_url.clone() })
                }
            },
            software_statement: self.software_statement.clone(),
            backchannel: self
                .has_backchannel
                .then(|| endpoint.map_or(BackchannelDelivery::Poll, |endpoint| BackchannelDelivery::Ping { endpoint })),
            registration: self.registration.clone(),
            signed_messages: SignedMessages::from_names(self.signed_messages.iter().map(String::as_str))
                .unwrap_or_default(),
            ..client.clone()
        }
    }

    fn signs(&self, messages: &str) -> bool {
        self.signed_messages.iter().any(|name| name == messages)
    }

    /// The names in the standard of the members that differ between this registration and the client's present one.
    pub fn changed_members(&self, client: &Client) -> Vec<&'static str> {
        let served = Self::of_client(client);
        let grants = self.registration.as_ref();
        let served_grants = served.registration.as_ref();
        let members = [
            ("scope", self.roles != served.roles),
            ("redirect_uris", self.redirect_uris != served.redirect_uris),
            ("software_client_name", self.software_name != served.software_name),
            ("org_id", self.org_id != served.org_id),
            ("org_name", self.org_name != served.org_name),
            ("software_on_behalf_of_org", self.on_behalf_of != served.on_behalf_of),
            ("token_endpoint_auth_method", self.tls_subject_dn.is_some() != served.tls_subject_dn.is_some()),
            ("tls_client_auth_subject_dn", self.tls_subject_dn != served.tls_subject_dn),
            ("software_jwks_endpoint", self.jwks_url != served.jwks_url),
            ("software_jwks_revoked_endpoint", self.jwks_revoked_url != served.jwks_revoked_url),
            ("grant_types", grants.map(|it| &it.grant_types) != served_grants.map(|it| &it.grant_types)),
            ("response_types", grants.map(|it| &it.response_types) != served_grants.map(|it| &it.response_types)),
            ("application_type", grants.map(|it| it.application_type) != served_grants.map(|it| it.application_type)),
            ("backchannel_client_notification_endpoint", self.notification_endpoint != served.notification_endpoint),
            ("require_signed_request_object", self.signs("requests") != served.signs("requests")),
            ("authorization_signed_response_alg", self.signs("responses") != served.signs("responses")),
            ("introspection_signed_response_alg", self.signs("introspection") != served.signs("introspection")),
            ("software_statement", self.software_statement != served.software_statement),
        ];
        members.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
    }
}
