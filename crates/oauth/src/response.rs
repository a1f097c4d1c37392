//! The responses of the OAuth endpoints: JSON that must not be stored, and errors in the format of RFC 6749. Source: AS-036, AS-037.

use axum::Extension;
use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lombard_auth::{OAuthError, OAuthErrorCode};
use lombard_edge::faults::{InjectedCode, InjectedFault, REFUSED_BY, RESPONSE_TEXT};
use lombard_edge::limits::RateExceeded;
use lombard_edge::request_log::RefusedBy;
use serde::Serialize;

/// The headers of every response that contains a secret or information about one.
pub(super) const NO_STORE_HEADERS: [(HeaderName, HeaderValue); 2] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::PRAGMA, HeaderValue::from_static("no-cache")),
];

/// A successful response as JSON that must not be stored.
pub(super) fn json(body: &impl Serialize) -> Response {
    (NO_STORE_HEADERS, Json(body)).into_response()
}

/// An OAuth error with its HTTP status and headers.
#[derive(Debug)]
pub(super) struct OAuthErrorResponse {
    error: OAuthError,
    status: StatusCode,
    challenge: Option<&'static str>,
    /// The seconds after which the client may call again.
    retry_after_secs: Option<i64>,
}

/// The schema of an error. Source: RFC 6749 section 5.2, RFC 7591 section 3.2.2.
pub fn error_schema() -> serde_json::Value {
    let codes: Vec<_> = OAuthErrorCode::ALL.iter().map(|code| code.name()).collect();
    serde_json::json!({
        "type": "object",
        "required": ["error", "error_description"],
        "properties": {
            "error": { "type": "string", "enum": codes, "description": "What kind of refusal this is." },
            "error_description": { "type": "string", "description": "What is wrong, for the developer of the client." },
        },
    })
}

#[derive(Serialize)]
struct Body {
    error: &'static str,
    error_description: &'static str,
}

impl From<OAuthError> for OAuthErrorResponse {
    fn from(error: OAuthError) -> Self {
        // Only `/userinfo` requires a scope. Source: RFC 6750 section 3.1.
        let lacks_scope = error.code == OAuthErrorCode::InsufficientScope;
        let challenge = lacks_scope.then_some(r#"Bearer error="insufficient_scope", scope="openid""#);
        Self { status: status(error.code), error, challenge, retry_after_secs: None }
    }
}

/// The error for a client that exceeds its rate. Source: RW-112, RFC 6585 section 4.
impl From<RateExceeded> for OAuthErrorResponse {
    fn from(RateExceeded { retry_after_secs }: RateExceeded) -> Self {
        let description = "The client calls too often; it may call again later.";
        let error = OAuthError::new(OAuthErrorCode::TemporarilyUnavailable, description).with_rule("RW-112");
        let status = StatusCode::TOO_MANY_REQUESTS;
        Self { error, status, challenge: None, retry_after_secs: Some(retry_after_secs) }
    }
}

/// The error for a fault that a tester injected in a sandbox. Error codes of the API do not exist in OAuth, so the status determines the
/// code.
impl From<InjectedFault> for OAuthErrorResponse {
    fn from(fault: InjectedFault) -> Self {
        let (known, code) = match fault {
            InjectedFault::Refusal { status, code } => (status, code),
            InjectedFault::ExpiredToken => (None, Some(InjectedCode::OAuth(OAuthErrorCode::InvalidToken))),
            InjectedFault::Cut => (Some(StatusCode::SERVICE_UNAVAILABLE), None),
            InjectedFault::BadHeader(_) => {
                return Self::invalid_request(StatusCode::BAD_REQUEST, "The header x-lombard-fault cannot be read.");
            }
        };
        let code = match code {
            Some(InjectedCode::OAuth(code)) => code,
            Some(InjectedCode::Standard(_)) | None => code_of(known.unwrap_or(StatusCode::BAD_REQUEST)),
        };
        let refused = Self::from(OAuthError::new(code, RESPONSE_TEXT));
        let status = known.unwrap_or(refused.status);
        let retry_after_secs = (status == StatusCode::TOO_MANY_REQUESTS).then_some(1);
        Self { status, retry_after_secs, ..refused }
            .with_challenge(r#"Bearer error="invalid_token""#)
            .refused_by(REFUSED_BY)
    }
}

/// The response to a request to which an injected fault applies before the request is read.
pub fn injected_response(fault: InjectedFault) -> Response {
    OAuthErrorResponse::from(fault).into_response()
}

/// The OAuth error code for a status without further information.
fn code_of(status: StatusCode) -> OAuthErrorCode {
    match status {
        StatusCode::UNAUTHORIZED => OAuthErrorCode::InvalidClient,
        StatusCode::FORBIDDEN => OAuthErrorCode::AccessDenied,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => OAuthErrorCode::TemporarilyUnavailable,
        other if other.is_server_error() => OAuthErrorCode::ServerError,
        _ => OAuthErrorCode::InvalidRequest,
    }
}

impl OAuthErrorResponse {
    /// The error for a request that is invalid as HTTP.
    pub(super) const fn invalid_request(status: StatusCode, description: &'static str) -> Self {
        Self {
            error: OAuthError::new(OAuthErrorCode::InvalidRequest, description),
            status,
            challenge: None,
            retry_after_secs: None,
        }
    }

    /// Logs the refusal with the check that failed. Faults of a token are logged where the token is checked.
    fn log(&self) {
        let OAuthError { code, description, cause, reason, .. } = &self.error;
        let status = self.status.as_u16();
        let refusal = reason.unwrap_or(code.name());
        match cause {
            Some(cause) => {
                let error = cause.as_ref() as &(dyn std::error::Error + 'static);
                tracing::error!(http.status = status, oauth.error = code.name(), error, "oauth request failed");
            }
            None if *code == OAuthErrorCode::InvalidToken => {}
            None => {
                tracing::info!(
                    security.refusal = refusal,
                    http.status = status,
                    oauth.error = code.name(),
                    reason = description,
                    "oauth request refused"
                );
            }
        }
    }

    /// Adds the rule of the failed check, for the log.
    pub(super) fn refused_by(self, rule: &'static str) -> Self {
        Self { error: self.error.with_rule(rule), ..self }
    }

    /// Sets status 403 for `access_denied`, as the backchannel authentication endpoint requires. Source: CIBA Core section 13.
    pub(super) fn forbidding_denied_access(mut self) -> Self {
        if self.error.code == OAuthErrorCode::AccessDenied {
            self.status = StatusCode::FORBIDDEN;
        }
        self
    }

    /// Sets the `WWW-Authenticate` header, if the status requires one.
    pub(super) fn with_challenge(mut self, challenge: &'static str) -> Self {
        self.challenge = (self.status == StatusCode::UNAUTHORIZED).then_some(challenge);
        self
    }
}

impl IntoResponse for OAuthErrorResponse {
    fn into_response(self) -> Response {
        self.log();
        let body = Body { error: self.error.code.name(), error_description: self.error.description };
        let refused = Extension(RefusedBy::from(self.error.failed_check()));
        let mut response = (self.status, refused, NO_STORE_HEADERS, Json(body)).into_response();
        if let Some(secs) = self.retry_after_secs {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(secs));
        }
        if let Some(challenge) = self.challenge {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        response
    }
}

const fn status(code: OAuthErrorCode) -> StatusCode {
    match code {
        OAuthErrorCode::InvalidClient | OAuthErrorCode::InvalidToken => StatusCode::UNAUTHORIZED,
        OAuthErrorCode::InsufficientScope => StatusCode::FORBIDDEN,
        OAuthErrorCode::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        OAuthErrorCode::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        OAuthErrorCode::AccessDenied
        | OAuthErrorCode::AuthorizationPending
        | OAuthErrorCode::ConsentRequired
        | OAuthErrorCode::ExpiredLoginHintToken
        | OAuthErrorCode::ExpiredToken
        | OAuthErrorCode::InvalidBindingMessage
        | OAuthErrorCode::InvalidClientMetadata
        | OAuthErrorCode::InvalidGrant
        | OAuthErrorCode::InvalidRedirectUri
        | OAuthErrorCode::InvalidRequest
        | OAuthErrorCode::InvalidRequestObject
        | OAuthErrorCode::InvalidRequestUri
        | OAuthErrorCode::InvalidScope
        | OAuthErrorCode::InvalidSoftwareStatement
        | OAuthErrorCode::LoginRequired
        | OAuthErrorCode::RegistrationNotSupported
        | OAuthErrorCode::RequestUriNotSupported
        | OAuthErrorCode::SlowDown
        | OAuthErrorCode::UnapprovedSoftwareStatement
        | OAuthErrorCode::UnauthorizedClient
        | OAuthErrorCode::UnknownUserId
        | OAuthErrorCode::UnsupportedGrantType
        | OAuthErrorCode::UnsupportedResponseType => StatusCode::BAD_REQUEST,
    }
}

/// Responds to a method that the path does not support; the router adds `Allow`. Source: AS-035.
pub(super) async fn method_not_allowed() -> OAuthErrorResponse {
    let description = "The endpoint does not have this method.";
    OAuthErrorResponse::invalid_request(StatusCode::METHOD_NOT_ALLOWED, description).refused_by("RW-110")
}
