//! The rules of client metadata: one rule for each member. Source: DCR-009 to DCR-015, DCR-050, DCR-053.

use super::error::refused;
use super::request::{RequestClaims, SignedRequest};
use crate::AuthorisationServer;
use crate::addresses::{is_redirect_uri, is_tpp_address};
use crate::certificates::{ClientCertificate, DistinguishedName};
use crate::error::{OAuthError, OAuthErrorCode};
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::ClientAuthentication;
use lombard_domain::registration::{ApplicationType, GrantType, Registration, ResponseType};
use lombard_domain::scope::{Scope, Scopes, TppRole};
use lombard_domain::security_profile::SignedMessages;
use lombard_service::clients::REDIRECT_URIS_MAX;
use std::collections::HashSet;

/// The only supported signature algorithm. Source: DCR-013.
const PS256: &str = "PS256";
/// The most characters of a list of scopes. Source: DCR-012.
const SCOPE_CHARS_MAX: usize = 256;
/// The most characters of a certificate subject. Source: DCR-013.
const SUBJECT_CHARS_MAX: usize = 512;
/// The most characters of an address for notifications.
const NOTIFICATION_CHARS_MAX: usize = 512;

/// The members of a registration that were accepted.
#[derive(Debug, Clone)]
pub(super) struct RegisteredMetadata {
    pub(super) roles: Vec<TppRole>,
    pub(super) redirect_uris: Vec<String>,
    pub(super) authentication: ClientAuthentication,
    pub(super) registration: Registration,
    /// Whether the request names response types instead of using the default.
    pub(super) names_response_types: bool,
    pub(super) backchannel: Option<BackchannelDelivery>,
    /// The messages to sign beyond those that the profile demands; `None` if the request does not mention them. Source: AS-182.
    pub(super) signed_messages: Option<SignedMessages>,
}

/// Checks every member.
pub(super) fn check_metadata(
    auth: &AuthorisationServer,
    signed: &SignedRequest,
    certificate: &ClientCertificate,
) -> Result<RegisteredMetadata, OAuthError> {
    let claims = &signed.claims;
    algorithms(claims)?;
    let grant_types = grant_types(claims)?;
    Ok(RegisteredMetadata {
        redirect_uris: redirect_uris(claims, &signed.statement.redirect_uris)?,
        authentication: authentication(claims, certificate)?,
        backchannel: backchannel(claims, &grant_types, auth.settings.notifies_clients)?,
        registration: Registration {
            application_type: application_type(claims)?,
            response_types: response_types(claims, &grant_types)?,
            grant_types,
        },
        signed_messages: signed_messages(claims),
        names_response_types: claims.response_types.as_ref().is_some_and(|types| !types.is_empty()),
        roles: roles(claims, &signed.statement.roles, certificate)?,
    })
}

/// Checks that every named algorithm is PS256. Source: DCR-013.
fn algorithms(claims: &RequestClaims) -> Result<(), OAuthError> {
    let named = [
        (&claims.id_token_signed_response_alg, "id_token_signed_response_alg must be PS256."),
        (&claims.request_object_signing_alg, "request_object_signing_alg must be PS256."),
        (&claims.token_endpoint_auth_signing_alg, "token_endpoint_auth_signing_alg must be PS256."),
        (
            &claims.backchannel_authentication_request_signing_alg,
            "backchannel_authentication_request_signing_alg must be PS256.",
        ),
        (&claims.authorization_signed_response_alg, "authorization_signed_response_alg must be PS256."),
        (&claims.introspection_signed_response_alg, "introspection_signed_response_alg must be PS256."),
    ];
    for (name, refusal) in named {
        if name.as_ref().is_some_and(|name| name != PS256) {
            return Err(refused(refusal, "algorithm"));
        }
    }
    Ok(())
}

/// The switches of Message Signing that the request names. Source: AS-182.
fn signed_messages(claims: &RequestClaims) -> Option<SignedMessages> {
    let (requests, responses) = (claims.require_signed_request_object, &claims.authorization_signed_response_alg);
    let introspection = &claims.introspection_signed_response_alg;
    let is_named = requests.is_some() || responses.is_some() || introspection.is_some();
    is_named.then(|| SignedMessages {
        requests: requests == Some(true),
        responses: responses.is_some(),
        introspection: introspection.is_some(),
    })
}

/// The redirect URIs of the request, which must be among those of the statement; all of the statement's, if the request has none. Source:
/// DCR-009.
fn redirect_uris(claims: &RequestClaims, stated: &[String]) -> Result<Vec<String>, OAuthError> {
    let invalid = |description| OAuthError::new(OAuthErrorCode::InvalidRedirectUri, description);
    let allowed: HashSet<&String> = stated.iter().collect();
    let mut wanted: Vec<String> = Vec::new();
    for uri in claims.redirect_uris.as_deref().unwrap_or(stated) {
        if !allowed.contains(uri) {
            return Err(invalid("A redirect URI is not among those of the software statement."));
        }
        if !is_redirect_uri(uri) {
            let description = "A redirect URI must be an https:// URL of at most 256 characters, without user name and \
                               fragment, and not of this machine or its network.";
            return Err(invalid(description));
        }
        if !wanted.contains(uri) {
            wanted.push(uri.clone());
        }
        if wanted.len() > REDIRECT_URIS_MAX {
            break;
        }
    }
    if !(1..=REDIRECT_URIS_MAX).contains(&wanted.len()) {
        return Err(invalid("A registration has 1 to 32 redirect URIs."));
    }
    Ok(wanted)
}

/// The authentication method of the client. Source: DCR-010, DCR-013.
fn authentication(claims: &RequestClaims, certificate: &ClientCertificate) -> Result<ClientAuthentication, OAuthError> {
    match claims.token_endpoint_auth_method.as_deref() {
        Some("private_key_jwt") => {
            if claims.token_endpoint_auth_signing_alg.is_none() {
                let description = "token_endpoint_auth_signing_alg is missing; private_key_jwt needs it.";
                return Err(refused(description, "algorithm"));
            }
            Ok(ClientAuthentication::PrivateKeyJwt)
        }
        Some("tls_client_auth") => {
            let Some(subject_dn) = claims.tls_client_auth_subject_dn.as_deref() else {
                let description = "tls_client_auth_subject_dn is missing; tls_client_auth needs it.";
                return Err(refused(description, "subject"));
            };
            let is_own = subject_dn.chars().count() <= SUBJECT_CHARS_MAX
                && DistinguishedName::parse(subject_dn).is_ok_and(|name| name.is_same(certificate.subject()));
            if !is_own {
                let description = "tls_client_auth_subject_dn is not the subject of the client certificate.";
                return Err(refused(description, "subject"));
            }
            Ok(ClientAuthentication::TlsClientAuth { subject_dn: subject_dn.to_owned() })
        }
        _ => Err(refused("token_endpoint_auth_method must be private_key_jwt or tls_client_auth.", "method")),
    }
}

/// The grant types of the client. Source: DCR-011.
fn grant_types(claims: &RequestClaims) -> Result<Vec<GrantType>, OAuthError> {
    let Some(names) = &claims.grant_types else {
        return Ok(vec![GrantType::ClientCredentials, GrantType::AuthorizationCode, GrantType::RefreshToken]);
    };
    let known = |name: &String| GrantType::ALL.into_iter().find(|grant| grant.name() == name);
    let Some(grants) = names.iter().map(known).collect::<Option<Vec<_>>>() else {
        let description = "grant_types may be client_credentials, authorization_code, refresh_token and that of CIBA.";
        return Err(refused(description, "grant_types"));
    };
    if grants.is_empty() {
        return Err(refused("grant_types is empty.", "grant_types"));
    }
    Ok(GrantType::ALL.into_iter().filter(|grant| grants.contains(grant)).collect())
}

/// The response types of the client. Source: DCR-011, RFC 7591 section 2.1.
fn response_types(claims: &RequestClaims, grants: &[GrantType]) -> Result<Vec<ResponseType>, OAuthError> {
    let has_codes = grants.contains(&GrantType::AuthorizationCode);
    let Some(names) = &claims.response_types else {
        return Ok(if has_codes { vec![ResponseType::CodeIdToken] } else { Vec::new() });
    };
    let known = names.iter().map(|name| ResponseType::from_name(name)).collect::<Option<Vec<_>>>();
    let Some(types) = known else {
        return Err(refused("response_types may be code id_token and code.", "response_types"));
    };
    if types.is_empty() == has_codes {
        let description = "response_types and the grant type authorization_code come together.";
        return Err(refused(description, "response_types"));
    }
    Ok(ResponseType::ALL.into_iter().filter(|kind| types.contains(kind)).collect())
}

/// The application type of the client. Source: DCR-012.
fn application_type(claims: &RequestClaims) -> Result<ApplicationType, OAuthError> {
    let Some(name) = &claims.application_type else { return Ok(ApplicationType::Web) };
    let known = ApplicationType::ALL.into_iter().find(|kind| kind.name() == name);
    known.ok_or(refused("application_type must be web or native.", "application_type"))
}

/// The roles whose scopes are requested: some or all of those that statement and certificate grant. Source: DCR-012, DCR-053.
fn roles(
    claims: &RequestClaims,
    stated: &[TppRole],
    certificate: &ClientCertificate,
) -> Result<Vec<TppRole>, OAuthError> {
    let granted = certificate.restrict_scopes(stated.iter().map(|role| role.scope()).collect());
    let invalid = |description| refused(description, "scope");
    let wanted = match &claims.scope {
        None => granted,
        Some(text) if text.chars().count() > SCOPE_CHARS_MAX => {
            return Err(invalid("scope has at most 256 characters."));
        }
        Some(text) => Scopes::parse(text).map_err(|_| invalid("A scope is not known."))?,
    };
    let roles: Vec<_> = TppRole::ALL.into_iter().filter(|role| wanted.contains(role.scope())).collect();
    if roles.iter().any(|role| !granted.contains(role.scope())) {
        return Err(invalid("A scope is beyond the roles of the software statement or of the client certificate."));
    }
    // A client may request openid alone. It gets no token for resources until it requests more.
    if roles.is_empty() && !wanted.contains(Scope::OpenId) {
        return Err(invalid(
            "scope has none of openid, accounts, payments and fundsconfirmations that the software may have.",
        ));
    }
    Ok(roles)
}

/// The settings of the client for backchannel requests. Source: DCR-014, AS-160.
fn backchannel(
    claims: &RequestClaims,
    grants: &[GrantType],
    notifies_clients: bool,
) -> Result<Option<BackchannelDelivery>, OAuthError> {
    let invalid = |description| refused(description, "backchannel");
    let endpoint = claims.backchannel_client_notification_endpoint.as_ref();
    let user_codes = [claims.backchannel_user_code_parameter, claims.backchannel_user_code_parameter_supported];
    if user_codes.contains(&Some(true)) {
        return Err(invalid("backchannel_user_code_parameter must be false, under either of its names."));
    }
    if !grants.contains(&GrantType::Backchannel) {
        let is_named = claims.backchannel_token_delivery_mode.is_some()
            || endpoint.is_some()
            || claims.backchannel_authentication_request_signing_alg.is_some()
            || user_codes.into_iter().any(|named| named.is_some());
        let description = "Members of backchannel authentication need its grant type.";
        return if is_named { Err(invalid(description)) } else { Ok(None) };
    }
    match claims.backchannel_token_delivery_mode.as_deref() {
        Some("poll") => Ok(Some(BackchannelDelivery::Poll)),
        Some("ping") if notifies_clients => {
            let is_address = |text: &&String| text.len() <= NOTIFICATION_CHARS_MAX && is_tpp_address(text);
            let description = "backchannel_client_notification_endpoint is not an https:// URL.";
            let endpoint = endpoint.filter(is_address).ok_or(invalid(description))?;
            Ok(Some(BackchannelDelivery::Ping { endpoint: endpoint.clone() }))
        }
        Some("ping") => Err(invalid("This server notifies no clients; backchannel_token_delivery_mode may be poll.")),
        _ => Err(invalid("backchannel_token_delivery_mode must be poll or ping.")),
    }
}
