//! The registration response: all registered metadata, with the claims of the software statement. Source: DCR-030,
//! DCR-031.

use crate::error::OAuthError;
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::{Client, ClientAuthentication};
use lombard_domain::pending_registration::PendingRegistration;
use lombard_domain::registration::{ApplicationType, GrantType, ResponseType};
use lombard_domain::scope::Scope;
use lombard_jose::CompactJws;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// A registration response: all registered metadata and the claims of the software statement. Source: DCR-030.
pub type RegistrationResponse = Map<String, Value>;

/// The only supported signature algorithm. Source: DCR-013.
const PS256: &str = "PS256";

/// The metadata of a client. Beside it stand the claims of its software statement.
#[derive(Debug, Serialize, JsonSchema)]
struct ClientMetadata<'a> {
    /// The id of the client.
    client_id: &'a str,
    /// When the client registered, in seconds since 1970.
    client_id_issued_at: i64,
    /// The redirect URIs.
    redirect_uris: &'a [String],
    /// How the client authenticates: private_key_jwt or tls_client_auth.
    token_endpoint_auth_method: &'static str,
    /// How the client signs its assertions: with private_key_jwt.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_endpoint_auth_signing_alg: Option<&'static str>,
    /// The subject of the client certificate: with tls_client_auth.
    #[serde(skip_serializing_if = "Option::is_none")]
    tls_client_auth_subject_dn: Option<&'a str>,
    /// The grants that the client may use.
    grant_types: Vec<&'static str>,
    /// The response types that the client may use.
    response_types: Vec<&'static str>,
    /// web, mobile or native.
    application_type: &'static str,
    /// The scopes that the client may use.
    scope: String,
    /// How identity tokens are signed.
    id_token_signed_response_alg: &'static str,
    /// How the client signs request objects.
    request_object_signing_alg: &'static str,
    /// Whether the client must push its authorisation requests: with FAPI 2.0. Source: AS-154, RFC 9126 section 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    require_pushed_authorization_requests: Option<bool>,
    /// Whether the client must sign its authorisation requests: with FAPI 2.0. Source: AS-154, RFC 9101 section 10.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    require_signed_request_object: Option<bool>,
    /// How authorisation responses are signed, if the profile of the client asks for it. Source: AS-154, JARM section 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_signed_response_alg: Option<&'static str>,
    /// The algorithm with which introspection responses are signed, if they are always signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    introspection_signed_response_alg: Option<&'static str>,
    /// The software that registered.
    software_id: &'a str,
    /// The software statement as it was sent.
    software_statement: &'a str,
    /// The members whose values in the last replacement of the registration await the bank's approval. Source: DCR-042.
    #[serde(skip_serializing_if = "Option::is_none")]
    pending_approval: Option<Vec<&'static str>>,
    #[serde(flatten)]
    backchannel: Option<BackchannelMetadata<'a>>,
}

/// The metadata of a client that asks customers without a browser.
#[derive(Debug, Serialize, JsonSchema)]
struct BackchannelMetadata<'a> {
    /// How the client learns of the answer to a backchannel request: poll or ping.
    backchannel_token_delivery_mode: &'static str,
    /// How the client signs backchannel requests.
    backchannel_authentication_request_signing_alg: &'static str,
    /// Whether the client sends user codes.
    backchannel_user_code_parameter: bool,
    /// Where the client is notified: with ping.
    #[serde(skip_serializing_if = "Option::is_none")]
    backchannel_client_notification_endpoint: Option<&'a str>,
}

/// Claims of the statement that belong to its JWT and do not describe the client.
const OF_THE_TOKEN: [&str; 6] = ["iss", "aud", "iat", "nbf", "exp", "jti"];
/// Claims of a statement that clients could mistake for values of this server. Source: DCR-030.
const ISSUED_BY_SERVERS: [&str; 4] =
    ["client_secret", "client_secret_expires_at", "registration_access_token", "registration_client_uri"];

/// The schema of a registration response. Members that it does not name are claims of the software statement.
pub fn registration_response_schema() -> Value {
    lombard_wire::describe::schema_of::<ClientMetadata<'_>>()
}

/// The registration of a client as it is in force, and the names of the members that wait for approval.
///
/// # Errors
/// `server_error` if the response cannot be serialised.
pub(super) fn registration_response(
    client: &Client,
    pending: Option<&PendingRegistration>,
) -> Result<RegistrationResponse, OAuthError> {
    // A registered member replaces a claim of the statement with the same name.
    let mut response = statement_claims(&client.software_statement);
    let registered =
        ClientMetadata { pending_approval: pending.map(|pending| pending.changed_members(client)), ..metadata(client) };
    if let Value::Object(members) = serde_json::to_value(registered).map_err(OAuthError::server_error)? {
        response.extend(members);
    }
    Ok(response)
}

fn metadata(client: &Client) -> ClientMetadata<'_> {
    let (application_type, grant_types, response_types) = match &client.registration {
        Some(it) => (
            it.application_type,
            it.grant_types.iter().map(|it| it.name()).collect(),
            it.response_types.iter().map(|it| it.name()).collect(),
        ),
        None => {
            let grants =
                GrantType::ALL.iter().filter(|it| **it != GrantType::Backchannel || client.backchannel.is_some());
            (
                ApplicationType::Web,
                grants.map(|it| it.name()).collect(),
                ResponseType::ALL.map(ResponseType::name).into(),
            )
        }
    };
    let profile = client.profile;
    let response_types = match (profile.is_fapi2(), client.may_use_response_type(ResponseType::Code)) {
        (false, _) => response_types,
        (true, true) => vec![ResponseType::Code.name()],
        (true, false) => Vec::new(),
    };
    let (token_endpoint_auth_signing_alg, tls_client_auth_subject_dn) = match &client.authentication {
        ClientAuthentication::PrivateKeyJwt => (Some(PS256), None),
        ClientAuthentication::TlsClientAuth { subject_dn } => (None, Some(subject_dn.as_str())),
    };
    ClientMetadata {
        client_id: client.id.as_str(),
        client_id_issued_at: client.created_at.as_second(),
        redirect_uris: &client.redirect_uris,
        token_endpoint_auth_method: client.authentication.name(),
        token_endpoint_auth_signing_alg,
        tls_client_auth_subject_dn,
        grant_types,
        response_types,
        application_type: application_type.name(),
        scope: client.scopes().with_scope(Scope::OpenId).to_string(),
        id_token_signed_response_alg: PS256,
        request_object_signing_alg: PS256,
        require_pushed_authorization_requests: profile.is_fapi2().then_some(true),
        require_signed_request_object: profile.is_fapi2().then(|| client.must_sign_requests()),
        authorization_signed_response_alg: client.signed_messages.responses.then_some(PS256),
        introspection_signed_response_alg: client.signed_messages.introspection.then_some(PS256),
        software_id: client.software_id.as_str(),
        software_statement: client.software_statement.as_str(),
        pending_approval: None,
        backchannel: client.backchannel.as_ref().map(|delivery| BackchannelMetadata {
            backchannel_token_delivery_mode: delivery.name(),
            backchannel_authentication_request_signing_alg: PS256,
            backchannel_user_code_parameter: false,
            backchannel_client_notification_endpoint: BackchannelDelivery::endpoint(delivery),
        }),
    }
}

/// The claims of the statement, which was verified when the client registered; empty if it cannot be parsed.
fn statement_claims(text: &str) -> RegistrationResponse {
    let claims = CompactJws::parse(text).ok().and_then(|jws| jws.claims::<RegistrationResponse>().ok());
    let mut claims = claims.unwrap_or_default();
    OF_THE_TOKEN.iter().chain(&ISSUED_BY_SERVERS).for_each(|name| drop(claims.remove(*name)));
    claims
}
