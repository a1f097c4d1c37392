//! The discovery document: it states exactly what works today. Source: AS-003 to AS-006.

use crate::AuthSettings;
use crate::endpoints::OAuthEndpoint;
use lombard_domain::registration::{GrantType, ResponseType};
use lombard_domain::scope::Scope;
use schemars::JsonSchema;
use serde::Serialize;

/// Signatures: PS256 and nothing else, in every list. Source: AS-005.
const ALGORITHMS: [&str; 1] = ["PS256"];
/// How clients prove themselves. Source: AS-005, AS-020.
const CLIENT_AUTHENTICATION: [&str; 2] = ["tls_client_auth", "private_key_jwt"];

/// The document.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiscoveryDocument {
    /// The issuer: the `aud` of request objects and the `iss` of what the server signs.
    issuer: String,
    /// Where the browser of the customer is sent.
    authorization_endpoint: String,
    /// The server's public keys.
    jwks_uri: String,
    #[serde(flatten)]
    mutual: MtlsEndpoints,
    /// The same addresses again for readers of RFC 8705 section 5. Source: AS-006.
    mtls_endpoint_aliases: MtlsEndpoints,
    /// The scopes there are.
    scopes_supported: Vec<&'static str>,
    /// The response types there are.
    response_types_supported: [&'static str; 2],
    /// How an authorisation response may be returned.
    response_modes_supported: [&'static str; 5],
    /// Whether an authorisation response names the issuer. Source: AS-154, RFC 9207 section 3.
    authorization_response_iss_parameter_supported: bool,
    /// The grants of the token endpoint.
    grant_types_supported: [&'static str; 4],
    /// How subjects are named: the subject is the consent.
    subject_types_supported: [&'static str; 1],
    /// The authentication context classes that can be asked for.
    acr_values_supported: [&'static str; 2],
    /// The kinds of claims.
    claim_types_supported: [&'static str; 1],
    /// The claims that may be in an identity token.
    claims_supported: &'static [&'static str],
    /// How identity tokens are signed.
    id_token_signing_alg_values_supported: [&'static str; 1],
    /// How authorisation responses are signed, where a client asks for that. Source: AS-153.
    authorization_signing_alg_values_supported: [&'static str; 1],
    /// How request objects must be signed.
    request_object_signing_alg_values_supported: [&'static str; 1],
    /// How clients authenticate at the token endpoint.
    token_endpoint_auth_methods_supported: [&'static str; 2],
    /// How assertions at the token endpoint must be signed.
    token_endpoint_auth_signing_alg_values_supported: [&'static str; 1],
    /// How clients authenticate at the introspection endpoint.
    introspection_endpoint_auth_methods_supported: [&'static str; 2],
    /// How assertions at the introspection endpoint must be signed.
    introspection_endpoint_auth_signing_alg_values_supported: [&'static str; 1],
    /// How introspection responses are signed, where a client asks for that. Source: AS-154, RFC 9701 section 7.
    introspection_signing_alg_values_supported: [&'static str; 1],
    /// How clients authenticate at the revocation endpoint.
    revocation_endpoint_auth_methods_supported: [&'static str; 2],
    /// How assertions at the revocation endpoint must be signed.
    revocation_endpoint_auth_signing_alg_values_supported: [&'static str; 1],
    /// The methods of code challenges.
    code_challenge_methods_supported: [&'static str; 1],
    /// Whether access tokens are bound to the client certificate.
    tls_client_certificate_bound_access_tokens: bool,
    /// Whether a request may hold the parameter claims.
    claims_parameter_supported: bool,
    /// Whether a request object may be sent by value.
    request_parameter_supported: bool,
    /// Whether a request may be sent by an address of the client's. Stated because the default is true. Source: AS-004.
    request_uri_parameter_supported: bool,
    /// Whether every client must send a signed request object: one of FAPI 2.0 without Message Signing pushes its parameters
    /// themselves. Source: AS-061, AS-154.
    require_signed_request_object: bool,
    /// Whether every client must push its requests: those of FAPI 2.0 must, as their registrations say. Source: AS-151, AS-154.
    require_pushed_authorization_requests: bool,
    /// How a client learns of the answer to a backchannel request: never by push, and by ping only where clients can be notified.
    /// Source: AS-160.
    backchannel_token_delivery_modes_supported: &'static [&'static str],
    /// How backchannel requests must be signed.
    backchannel_authentication_request_signing_alg_values_supported: [&'static str; 1],
    /// Whether a backchannel request may hold a user code.
    backchannel_user_code_parameter_supported: bool,
}

/// The endpoints that ask for a client certificate.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct MtlsEndpoints {
    /// Tokens.
    token_endpoint: String,
    /// Where authorisation requests are pushed.
    pushed_authorization_request_endpoint: String,
    /// Where a customer is asked without a browser.
    backchannel_authentication_endpoint: String,
    /// Revocation of tokens.
    revocation_endpoint: String,
    /// Introspection of tokens.
    introspection_endpoint: String,
    /// Claims about a token's subject.
    userinfo_endpoint: String,
    /// Absent where no directory is configured, so that nobody can register. Source: DCR-001.
    #[serde(skip_serializing_if = "Option::is_none")]
    registration_endpoint: Option<String>,
}

/// The document of a server with these addresses.
pub fn discovery_document(settings: &AuthSettings) -> DiscoveryDocument {
    let mutual = MtlsEndpoints {
        token_endpoint: OAuthEndpoint::Token.url(settings),
        pushed_authorization_request_endpoint: OAuthEndpoint::PushedAuthorization.url(settings),
        backchannel_authentication_endpoint: OAuthEndpoint::BackchannelAuthentication.url(settings),
        revocation_endpoint: OAuthEndpoint::Revocation.url(settings),
        introspection_endpoint: OAuthEndpoint::Introspection.url(settings),
        userinfo_endpoint: OAuthEndpoint::Userinfo.url(settings),
        registration_endpoint: settings.registration.as_ref().map(|_| OAuthEndpoint::Registration.url(settings)),
    };
    DiscoveryDocument {
        issuer: settings.issuer.clone(),
        authorization_endpoint: OAuthEndpoint::Authorization.url(settings),
        jwks_uri: OAuthEndpoint::Jwks.url(settings),
        mtls_endpoint_aliases: mutual.clone(),
        mutual,
        scopes_supported: Scope::ALL.iter().map(|scope| scope.name()).collect(),
        response_types_supported: ResponseType::ALL.map(ResponseType::name),
        response_modes_supported: ["fragment", "jwt", "fragment.jwt", "query.jwt", "query"],
        authorization_response_iss_parameter_supported: true,
        grant_types_supported: GrantType::ALL.map(GrantType::name),
        subject_types_supported: ["public"],
        acr_values_supported: ["urn:openbanking:psd2:sca", "urn:openbanking:psd2:ca"],
        claim_types_supported: ["normal"],
        claims_supported: &[
            "iss",
            "sub",
            "aud",
            "exp",
            "iat",
            "nonce",
            "auth_time",
            "acr",
            "c_hash",
            "s_hash",
            "at_hash",
            "openbanking_intent_id",
            "http://openbanking.org.uk/refresh_token_expires_at",
        ],
        id_token_signing_alg_values_supported: ALGORITHMS,
        authorization_signing_alg_values_supported: ALGORITHMS,
        request_object_signing_alg_values_supported: ALGORITHMS,
        token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
        token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
        introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
        introspection_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
        introspection_signing_alg_values_supported: ALGORITHMS,
        revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
        revocation_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
        code_challenge_methods_supported: ["S256"],
        tls_client_certificate_bound_access_tokens: true,
        claims_parameter_supported: true,
        request_parameter_supported: true,
        request_uri_parameter_supported: false,
        require_signed_request_object: false,
        require_pushed_authorization_requests: false,
        backchannel_token_delivery_modes_supported: if settings.notifies_clients {
            &["poll", "ping"]
        } else {
            &["poll"]
        },
        backchannel_authentication_request_signing_alg_values_supported: ALGORITHMS,
        backchannel_user_code_parameter_supported: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registration::RegistrationSettings;

    fn settings() -> AuthSettings {
        AuthSettings {
            issuer: "https://bank.example".into(),
            public_url: "https://bank.example".into(),
            mtls_url: "https://mtls.bank.example".into(),
            access_token_secs: 3600,
            code_secs: 60,
            id_token_secs: 600,
            journey_idle_secs: 600,
            notifies_clients: false,
            backchannel_requests_max: 5,
            session_secs: 3600,
            login: crate::throttle::LoginLimits::default(),
            headless: None,
            registration: Some(RegistrationSettings::default()),
        }
    }

    fn json() -> serde_json::Value {
        serde_json::to_value(discovery_document(&settings())).unwrap()
    }

    #[test]
    fn as_003_what_must_be_present_is() {
        let document = json();
        for name in [
            "issuer",
            "authorization_endpoint",
            "token_endpoint",
            "jwks_uri",
            "registration_endpoint",
            "userinfo_endpoint",
            "scopes_supported",
            "response_types_supported",
            "response_modes_supported",
            "grant_types_supported",
            "subject_types_supported",
            "acr_values_supported",
            "claims_supported",
            "id_token_signing_alg_values_supported",
            "request_object_signing_alg_values_supported",
            "token_endpoint_auth_methods_supported",
            "token_endpoint_auth_signing_alg_values_supported",
            "introspection_endpoint",
            "revocation_endpoint",
        ] {
            assert!(!document[name].is_null(), "{name}");
        }
        for name in
            ["tls_client_certificate_bound_access_tokens", "claims_parameter_supported", "request_parameter_supported"]
        {
            assert_eq!(document[name], true, "{name}");
        }
        assert_eq!(document["request_uri_parameter_supported"], false, "AS-004");
    }

    #[test]
    fn as_005_every_list_of_algorithms_is_ps256() {
        let document = json();
        let lists = document.as_object().unwrap().iter().filter(|(name, _)| name.contains("_alg_values_"));
        assert_eq!(lists.inspect(|(name, list)| assert_eq!(**list, serde_json::json!(["PS256"]), "{name}")).count(), 8);
    }

    #[test]
    fn as_154_the_document_is_right_for_clients_of_each_profile() {
        let document = json();
        assert_eq!(document["authorization_response_iss_parameter_supported"], true);
        for name in ["require_signed_request_object", "require_pushed_authorization_requests"] {
            assert_eq!(document[name], false, "{name}: some clients need not");
        }
        for (name, values) in [
            ("response_types_supported", ["code id_token", "code"].as_slice()),
            ("response_modes_supported", &["fragment", "query", "query.jwt"]),
            ("code_challenge_methods_supported", &["S256"]),
        ] {
            let listed = document[name].as_array().unwrap();
            assert!(values.iter().all(|value| listed.contains(&(*value).into())), "{name}: {listed:?}");
        }
    }

    #[test]
    fn as_160_backchannel_authentication_is_by_poll_or_ping() {
        for (notifies_clients, modes) in
            [(false, serde_json::json!(["poll"])), (true, serde_json::json!(["poll", "ping"]))]
        {
            let document = discovery_document(&AuthSettings { notifies_clients, ..settings() });
            let document = serde_json::to_value(document).unwrap();
            assert_eq!(document["backchannel_token_delivery_modes_supported"], modes);
        }
        let document = json();
        assert_eq!(document["backchannel_authentication_endpoint"], "https://mtls.bank.example/bc-authorize");
        assert_eq!(document["backchannel_user_code_parameter_supported"], false);
        let grants = document["grant_types_supported"].as_array().unwrap();
        assert!(grants.contains(&"urn:openid:params:grant-type:ciba".into()), "{grants:?}");
    }

    #[test]
    fn dcr_001_registration_is_named_where_a_directory_is_configured() {
        let document = discovery_document(&AuthSettings { registration: None, ..settings() });
        let document = serde_json::to_value(document).unwrap();
        assert_eq!(document.get("registration_endpoint"), None);
        assert_eq!(document["mtls_endpoint_aliases"].get("registration_endpoint"), None);
        assert_eq!(json()["registration_endpoint"], "https://mtls.bank.example/register");
    }

    #[test]
    fn as_006_the_aliases_are_the_top_level_addresses() {
        let document = json();
        for (name, url) in document["mtls_endpoint_aliases"].as_object().unwrap() {
            assert_eq!(document[name], *url);
            assert!(url.as_str().unwrap().starts_with("https://mtls.bank.example/"), "{url}");
        }
        assert_eq!(document["jwks_uri"], "https://bank.example/jwks");
    }
}
