//! The answer: all registered metadata, and the claims of the software statement beside it. Source: DCR-030, DCR-031.

use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::{Client, ClientAuthentication};
use lombard_domain::registration::{ApplicationType, GrantType, ResponseType};
use lombard_domain::scope::Scope;
use lombard_jose::CompactJws;
use serde_json::{Map, Value, json};

/// A registration as it is answered: all registered metadata and the claims of the software statement. Source: DCR-030.
pub type RegistrationResponse = Map<String, Value>;

/// Claims of the statement as a token, which describe no client.
const OF_THE_TOKEN: [&str; 6] = ["iss", "aud", "iat", "nbf", "exp", "jti"];

/// The registration of a client.
pub(super) fn registration_response(client: &Client) -> RegistrationResponse {
    // What is registered wins over what the statement says under the same name.
    let mut response = statement_claims(&client.software_statement);
    let (application_type, grants, responses) = match &client.registration {
        Some(it) => {
            (it.application_type, names(&it.grant_types, |it| it.name()), names(&it.response_types, |it| it.name()))
        }
        None => {
            let grants =
                GrantType::ALL.iter().filter(|it| **it != GrantType::Backchannel || client.backchannel.is_some());
            let grants = grants.map(|it| Value::from(it.name())).collect();
            (ApplicationType::Web, grants, names(&ResponseType::ALL, |it| it.name()))
        }
    };
    let profile = client.profile;
    let responses = match (profile.is_fapi2(), client.may_use_response_type(ResponseType::Code)) {
        (false, _) => responses,
        (true, true) => names(&[ResponseType::Code], |it| it.name()),
        (true, false) => Value::Array(Vec::new()),
    };
    let mut set = |name: &str, value: Value| {
        response.insert(name.to_owned(), value);
    };
    set("client_id", client.id.as_str().into());
    set("client_id_issued_at", client.created_at.as_second().into());
    set("redirect_uris", json!(client.redirect_uris));
    set("token_endpoint_auth_method", client.authentication.name().into());
    match &client.authentication {
        ClientAuthentication::PrivateKeyJwt => set("token_endpoint_auth_signing_alg", "PS256".into()),
        ClientAuthentication::TlsClientAuth { subject_dn } => {
            set("tls_client_auth_subject_dn", subject_dn.as_str().into());
        }
    }
    set("grant_types", grants);
    set("response_types", responses);
    set("application_type", application_type.name().into());
    set("scope", client.scopes().with_scope(Scope::OpenId).to_string().into());
    set("id_token_signed_response_alg", "PS256".into());
    set("request_object_signing_alg", "PS256".into());
    // Source: AS-154, RFC 9126 section 6, RFC 9101 section 10.5, JARM section 3.
    if profile.is_fapi2() {
        set("require_pushed_authorization_requests", true.into());
        set("require_signed_request_object", profile.signs_requests().into());
    }
    if profile.signs_responses() {
        set("authorization_signed_response_alg", "PS256".into());
    }
    set("software_id", client.software_id.as_str().into());
    set("software_statement", client.software_statement.as_str().into());
    if let Some(delivery) = &client.backchannel {
        set("backchannel_token_delivery_mode", delivery.name().into());
        set("backchannel_authentication_request_signing_alg", "PS256".into());
        set("backchannel_user_code_parameter", false.into());
        if let Some(endpoint) = BackchannelDelivery::endpoint(delivery) {
            set("backchannel_client_notification_endpoint", endpoint.into());
        }
    }
    response
}

fn names<T>(values: &[T], name: impl Fn(&T) -> &'static str) -> Value {
    values.iter().map(|value| Value::from(name(value))).collect()
}

/// The claims of a statement that was verified when the client registered; none if it cannot be read.
fn statement_claims(text: &str) -> RegistrationResponse {
    let claims = CompactJws::parse(text).ok().and_then(|jws| jws.claims::<RegistrationResponse>().ok());
    let mut claims = claims.unwrap_or_default();
    OF_THE_TOKEN.iter().for_each(|name| drop(claims.remove(*name)));
    claims
}
