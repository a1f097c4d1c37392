//! OAuth errors: the codes of RFC 6749 and OpenID Connect with one fixed sentence each. No error repeats a part of the
//! request.

use lombard_domain::ids::ClientId;
use lombard_ports::store::{Source, StoreError};
use lombard_service::Failure;
use std::fmt;

/// The error codes that the authorisation server returns. Source: RFC 6749 sections 4.1.2.1 and 5.2, OIDC Core 3.1.2.6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OAuthErrorCode {
    /// The PSU or the bank refused.
    AccessDenied,
    /// The PSU has not decided yet. Source: CIBA Core section 11.
    AuthorizationPending,
    /// The PSU must decide, but the request forbids asking.
    ConsentRequired,
    /// The hint that names the PSU has expired. Source: CIBA Core section 13.
    ExpiredLoginHintToken,
    /// The time for a backchannel request has run out. Source: CIBA Core section 11.
    ExpiredToken,
    /// The binding message cannot be shown to the PSU. Source: CIBA Core section 13.
    InvalidBindingMessage,
    /// The client could not be authenticated.
    InvalidClient,
    /// A member of a registration request cannot be accepted. Source: RFC 7591 section 3.2.2.
    InvalidClientMetadata,
    /// The code or refresh token is not valid, or no longer valid.
    InvalidGrant,
    /// A parameter is missing, malformed, repeated or contradicts another.
    InvalidRequest,
    /// The request object cannot be accepted.
    InvalidRequestObject,
    /// A redirect URI cannot be registered. Source: RFC 7591 section 3.2.2.
    InvalidRedirectUri,
    /// The reference to a pushed request is unknown, another client's, expired or used up. Source: RFC 9101 section 7.
    InvalidRequestUri,
    /// A scope is unknown or not permitted for this client.
    InvalidScope,
    /// The software statement cannot be accepted. Source: RFC 7591 section 3.2.2.
    InvalidSoftwareStatement,
    /// The access token is not valid, or no longer valid. Source: RFC 6750 section 3.1.
    InvalidToken,
    /// The access token does not permit this request. Source: RFC 6750 section 3.1.
    InsufficientScope,
    /// The PSU must log in, but the request forbids asking.
    LoginRequired,
    /// The authorisation request contains registration parameters.
    RegistrationNotSupported,
    /// The request object is referenced by an address that this server did not issue.
    RequestUriNotSupported,
    /// An internal error; an operator has to act.
    ServerError,
    /// The PSU has not decided yet, and the client polls too often. Source: CIBA Core section 11.
    SlowDown,
    /// A temporary error of the server.
    TemporarilyUnavailable,
    /// The software statement is not one that this server registers. Source: RFC 7591 section 3.2.2.
    UnapprovedSoftwareStatement,
    /// The client may not use this grant.
    UnauthorizedClient,
    /// The hint names no customer. Source: CIBA Core section 13.
    UnknownUserId,
    /// The server does not support the grant type.
    UnsupportedGrantType,
    /// The server does not support the response type.
    UnsupportedResponseType,
}

/// Generates the table of codes and their names on the wire.
macro_rules! wire_codes {
    ($($code:ident = $name:literal;)*) => {
        impl OAuthErrorCode {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// The code on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)*
                }
            }

            /// The code with this name on the wire.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$code),)*
                    _ => None,
                }
            }
        }
    };
}

wire_codes! {
    AccessDenied = "access_denied";
    AuthorizationPending = "authorization_pending";
    ConsentRequired = "consent_required";
    ExpiredLoginHintToken = "expired_login_hint_token";
    ExpiredToken = "expired_token";
    InvalidBindingMessage = "invalid_binding_message";
    InvalidClient = "invalid_client";
    InvalidClientMetadata = "invalid_client_metadata";
    InvalidGrant = "invalid_grant";
    InvalidRequest = "invalid_request";
    InvalidRequestObject = "invalid_request_object";
    InvalidRedirectUri = "invalid_redirect_uri";
    InvalidRequestUri = "invalid_request_uri";
    InvalidScope = "invalid_scope";
    InvalidSoftwareStatement = "invalid_software_statement";
    InvalidToken = "invalid_token";
    InsufficientScope = "insufficient_scope";
    LoginRequired = "login_required";
    RegistrationNotSupported = "registration_not_supported";
    RequestUriNotSupported = "request_uri_not_supported";
    ServerError = "server_error";
    SlowDown = "slow_down";
    TemporarilyUnavailable = "temporarily_unavailable";
    UnapprovedSoftwareStatement = "unapproved_software_statement";
    UnauthorizedClient = "unauthorized_client";
    UnknownUserId = "unknown_user_id";
    UnsupportedGrantType = "unsupported_grant_type";
    UnsupportedResponseType = "unsupported_response_type";
}

impl OAuthErrorCode {
    /// The rule that an error with this code follows from, unless the error names another.
    const fn rule(self) -> &'static str {
        match self {
            Self::AccessDenied => "AS-089",
            Self::AuthorizationPending | Self::ExpiredToken | Self::SlowDown => "AS-162",
            Self::ConsentRequired | Self::LoginRequired => "AS-067",
            Self::ExpiredLoginHintToken | Self::UnknownUserId => "AS-161",
            Self::InvalidBindingMessage => "AS-160",
            Self::InvalidClient => "AS-030",
            Self::InvalidClientMetadata | Self::InvalidSoftwareStatement => "DCR-003",
            Self::InvalidGrant => "AS-043",
            Self::InvalidRedirectUri => "DCR-009",
            Self::InvalidRequest => "AS-035",
            Self::InvalidRequestObject => "AS-061",
            Self::InvalidRequestUri => "AS-152",
            Self::InvalidScope => "AS-051",
            Self::InvalidToken => "AS-111",
            Self::InsufficientScope => "AS-122",
            Self::RegistrationNotSupported | Self::RequestUriNotSupported => "AS-063",
            Self::ServerError => "RW-114",
            Self::TemporarilyUnavailable => "RW-112",
            Self::UnapprovedSoftwareStatement => "DCR-023",
            Self::UnauthorizedClient | Self::UnsupportedGrantType => "AS-037",
            Self::UnsupportedResponseType => "AS-086",
        }
    }
}

/// The check that refused a request, for the request log and never for the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedCheck {
    /// The id of the rule, as `docs/reference/rules.md` lists it.
    pub rule: &'static str,
    /// The fault, in one sentence that holds no value of the request.
    pub reason: &'static str,
}

/// A refused OAuth request.
#[derive(Debug)]
pub struct OAuthError {
    /// The OAuth error code.
    pub code: OAuthErrorCode,
    /// One sentence for the client's developer, in printable ASCII and without a part of the request. Source: AS-037.
    pub description: &'static str,
    /// The cause of a server error; for the log, never for the client.
    pub cause: Option<Source>,
    /// The failed check, if it is more specific than the code; for the log, never for the client.
    pub reason: Option<&'static str>,
    /// The failed check with its rule, if code and description do not state it; for the log, never for the client.
    pub check: Option<Box<FailedCheck>>,
    /// The client whose own certificate the request had; for the log, which names only verified clients.
    pub client: Option<ClientId>,
}

impl OAuthError {
    /// An error that the client caused.
    pub const fn new(code: OAuthErrorCode, description: &'static str) -> Self {
        Self { code, description, cause: None, reason: None, check: None, client: None }
    }

    /// Adds the failed check for the log; the client's response does not change.
    #[must_use]
    pub const fn with_log_reason(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Adds the rule of the failed check for the log; the client's response does not change.
    #[must_use]
    pub fn with_rule(self, rule: &'static str) -> Self {
        let check = FailedCheck { rule, ..self.failed_check() };
        self.with_check(check)
    }

    /// Adds the failed check and its rule for the log; the client's response does not change.
    #[must_use]
    pub fn with_check(self, check: FailedCheck) -> Self {
        Self { check: Some(Box::new(check)), ..self }
    }

    /// The check that refused the request.
    pub fn failed_check(&self) -> FailedCheck {
        self.check.as_deref().copied().unwrap_or(FailedCheck { rule: self.code.rule(), reason: self.description })
    }

    /// A temporary error of the server; the same request may succeed later.
    pub fn unavailable(cause: impl Into<Source>) -> Self {
        let description = "The server cannot answer now, please try again.";
        Self { cause: Some(cause.into()), ..Self::new(OAuthErrorCode::TemporarilyUnavailable, description) }
    }

    /// An internal error; an operator has to act.
    pub fn server_error(cause: impl Into<Source>) -> Self {
        let description = "The server failed to answer.";
        Self { cause: Some(cause.into()), ..Self::new(OAuthErrorCode::ServerError, description) }
    }
}

impl fmt::Display for OAuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.description)
    }
}

impl std::error::Error for OAuthError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| &**cause as &(dyn std::error::Error + 'static))
    }
}

impl From<StoreError> for OAuthError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contended | StoreError::Unavailable(_) => Self::unavailable(error),
            StoreError::Duplicate(_) | StoreError::Corrupt { .. } => Self::server_error(error),
        }
    }
}

impl From<Failure> for OAuthError {
    /// A refusal of a use-case becomes one generic sentence, so that a client cannot probe the state of a consent (AS-078).
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(_) => Self::new(OAuthErrorCode::InvalidRequest, "The consent cannot be used for this."),
            Failure::Unavailable(cause) => Self::unavailable(cause),
            Failure::Broken(cause) => Self::server_error(cause),
        }
    }
}
