//! Verifies a registration request: it must be signed by a key of the software, addressed to this server, and valid now. Source: DCR-003 to
//! DCR-008.

use super::error::refused;
use super::statement::{self, AcceptedStatement};
use crate::AuthorisationServer;
use crate::certificates::ClientCertificate;
use crate::claims::{NumericDate, TokenAudience, is_from_future, read_claims};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::settings::RegistrationSettings;
use jiff::Timestamp;
use lombard_jose::CompactJws;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use uuid::Uuid;

/// How far in the future the `exp` of a request may be, seconds. Source: DCR-006.
const LIFETIME_SECS_MAX: i64 = 24 * 3600;

/// A registration request as it arrived.
#[derive(Debug, Clone, Copy)]
pub struct RegistrationRequest<'a> {
    /// The body: a compact JWS.
    pub body: &'a str,
    /// The certificate of the connection.
    pub certificate: &'a ClientCertificate,
}

/// The claims of a request. Others are ignored. Source: DCR-015.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub(super) struct RequestClaims {
    /// The software_id of the software statement.
    #[schemars(required)]
    iss: Option<String>,
    /// The issuer of the server, or the bank's organisation id.
    #[schemars(required)]
    aud: Option<TokenAudience>,
    /// When the request expires: at most 24 hours ahead.
    #[schemars(required)]
    exp: Option<NumericDate>,
    /// When the request was signed.
    #[schemars(required)]
    iat: Option<NumericDate>,
    /// A UUID, so that the request is carried out once.
    #[schemars(required)]
    jti: Option<String>,
    /// The software statement of the directory: a signed JWT.
    #[schemars(required)]
    software_statement: Option<String>,
    /// The software_id of the software statement.
    pub(super) software_id: Option<String>,
    /// The redirect URIs: some of those of the software statement. All of them, if this is absent.
    pub(super) redirect_uris: Option<Vec<String>>,
    /// How the client authenticates: private_key_jwt or tls_client_auth.
    #[schemars(required)]
    pub(super) token_endpoint_auth_method: Option<String>,
    /// PS256. Required with private_key_jwt.
    pub(super) token_endpoint_auth_signing_alg: Option<String>,
    /// The subject of the client certificate. Required with tls_client_auth.
    pub(super) tls_client_auth_subject_dn: Option<String>,
    /// The grants that the client uses.
    pub(super) grant_types: Option<Vec<String>>,
    /// The response types that the client uses, with the grant authorization_code alone; code id_token, if this is absent.
    pub(super) response_types: Option<Vec<String>>,
    /// web, mobile or native; web, if this is absent.
    pub(super) application_type: Option<String>,
    /// The scopes that the client uses: all that its software may have, if this is absent.
    pub(super) scope: Option<String>,
    /// PS256.
    pub(super) id_token_signed_response_alg: Option<String>,
    /// PS256.
    pub(super) request_object_signing_alg: Option<String>,
    /// Whether the server accepts signed requests alone.
    pub(super) require_signed_request_object: Option<bool>,
    /// PS256, if authorisation responses must always be signed.
    pub(super) authorization_signed_response_alg: Option<String>,
    /// PS256, if introspection responses must always be signed.
    pub(super) introspection_signed_response_alg: Option<String>,
    /// How the client learns of the answer to a backchannel request: poll or ping. Required with that grant.
    pub(super) backchannel_token_delivery_mode: Option<String>,
    /// Where the client is notified. Required with ping.
    pub(super) backchannel_client_notification_endpoint: Option<String>,
    /// PS256.
    pub(super) backchannel_authentication_request_signing_alg: Option<String>,
    /// false: user codes are not supported.
    pub(super) backchannel_user_code_parameter: Option<bool>,
    /// `backchannel_user_code_parameter_supported`, another name of the member above: false.
    pub(super) backchannel_user_code_parameter_supported: Option<bool>,
    /// All other members. Unsupported members of the protocol are refused unless they request the server's own behaviour; unknown
    /// members are ignored.
    #[serde(flatten)]
    #[schemars(skip)]
    pub(super) others: Map<String, Value>,
}

/// The schema of the claims of a request.
pub fn registration_request_schema() -> serde_json::Value {
    lombard_wire::describe::schema_of_request::<RequestClaims>()
}

/// A request whose two signatures have been verified.
#[derive(Debug, Clone)]
pub(super) struct SignedRequest {
    pub(super) statement: AcceptedStatement,
    pub(super) claims: RequestClaims,
    /// The `jti` in a canonical spelling.
    pub(super) jti: String,
    /// Until when the request could be replayed (wall clock).
    pub(super) expires_at: Timestamp,
}

impl SignedRequest {
    /// Verifies a request in the order of DCR-003, and checks that the certificate of the connection belongs to the organisation.
    pub(super) async fn verify(
        auth: &AuthorisationServer,
        settings: &RegistrationSettings,
        request: RegistrationRequest<'_>,
    ) -> Result<Self, OAuthError> {
        let now = auth.context.clocks.wall_now();
        if !request.certificate.is_usable(now) {
            return Err(other_certificate("The client certificate is not valid now, or not one for TLS clients."));
        }
        let jws = CompactJws::parse(request.body).map_err(|_| refused("The body is not a signed JWT.", "malformed"))?;
        let jws = Arc::new(jws);
        let claims: RequestClaims = read_claims(&jws).map_err(|sentence| {
            refused(sentence.unwrap_or("The request is not one JSON object without repeated names."), "malformed")
        })?;
        let Some(text) = &claims.software_statement else {
            let description = "software_statement is missing.";
            return Err(OAuthError::new(OAuthErrorCode::InvalidSoftwareStatement, description));
        };
        let statement = statement::accept(auth, settings, text).await?;
        let Some(kid) = jws.header().kid.as_deref() else {
            return Err(refused("The header of the request has no kid.", "no_kid"));
        };
        let Some(keys) = auth.client_keys.published_keys(&statement.key_set, Some(kid)).await else {
            let description = "The keys at software_jwks_endpoint cannot be fetched, or are not a set of at most 50 public keys, RSA of at \
                               most 4096 bits.";
            return Err(OAuthError::new(OAuthErrorCode::InvalidSoftwareStatement, description));
        };
        if auth.client_keys.verify_compact(Arc::clone(&jws), Arc::clone(&keys)).await.is_err() {
            return Err(refused("The request is not signed with PS256 by a key of the software.", "signature"));
        }
        let certificate = request.certificate;
        let (organisation, software) = (statement.org_id.as_str().into(), statement.software_id.as_str().into());
        let belongs = certificate.belongs_to_software(&organisation, &software, &statement.authorities)
            || keys.lists_certificate(&certificate.thumbprint());
        if !belongs {
            return Err(other_certificate("The client certificate is not one of the software's organisation."));
        }
        if keys.revokes_certificate(&certificate.thumbprint(), certificate.key_thumbprint()) {
            return Err(other_certificate("The directory has revoked the client certificate."));
        }
        let audiences = settings.audiences.iter().map(String::as_str).chain([auth.settings.issuer.as_str()]);
        let (jti, expires_at) = check_claims(&claims, &statement, &audiences.collect::<Vec<_>>(), now)?;
        Ok(Self { statement, claims, jti, expires_at })
    }
}

/// Checks the claims about the request itself; returns its `jti` and its expiry.
fn check_claims(
    claims: &RequestClaims,
    statement: &AcceptedStatement,
    audiences: &[&str],
    now: Timestamp,
) -> Result<(String, Timestamp), OAuthError> {
    if claims.iss.as_deref() != Some(statement.software_id.as_str()) {
        return Err(refused("iss must be the software_id of the software statement.", "issuer"));
    }
    if claims.software_id.as_ref().is_some_and(|given| *given != statement.software_id) {
        return Err(refused("software_id is not that of the software statement.", "software_id"));
    }
    if !claims.aud.as_ref().is_some_and(|audience| audience.contains_any(audiences)) {
        return Err(refused("aud must be the bank's organisation id or the issuer.", "audience"));
    }
    let second = now.as_second();
    let Some(NumericDate(end)) = claims.exp else { return Err(refused("exp is missing.", "exp")) };
    if end <= second {
        return Err(refused("The request has expired.", "expired"));
    }
    if end > second.saturating_add(LIFETIME_SECS_MAX) {
        return Err(refused("exp must be at most 24 hours ahead.", "too_long"));
    }
    let Some(NumericDate(issued)) = claims.iat else { return Err(refused("iat is missing.", "iat")) };
    if is_from_future(issued, now) {
        return Err(refused("iat is in the future.", "not_yet"));
    }
    let jti = claims.jti.as_deref().filter(|text| text.len() == UUID_CHARS).and_then(|text| Uuid::parse_str(text).ok());
    let jti = jti.ok_or(refused("jti must be a UUID.", "jti"))?;
    let expires_at = Timestamp::from_second(end).map_err(|_| refused("exp is not a time.", "exp"))?;
    Ok((jti.to_string(), expires_at))
}

/// The length of a UUID in its usual form.
const UUID_CHARS: usize = 36;

/// The error for a certificate that does not belong to the software. Source: DCR-032.
fn other_certificate(description: &'static str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidClient, description)
        .with_log_reason("other_certificate")
        .with_rule("DCR-032")
}
