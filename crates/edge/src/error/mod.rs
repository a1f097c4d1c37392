//! Turns all errors of the API into responses: `OBErrorResponse1`, or 401 without a body.
//!
//! The cause of an error is logged only here, with the id in the response, and is never disclosed (RW-114). OAuth errors and the errors of
//! pages are rendered elsewhere.

use crate::App;
use crate::endpoint_facts::ResponseMedia;
use crate::faults::{self, InjectedFault, RESPONSE_TEXT, api_status};
use crate::guide_links::IDEMPOTENCY_RULES;
use crate::header_names::IDEMPOTENCY_KEY;
use crate::limits::RateExceeded;
use crate::maintenance;
use crate::request_log::{AnsweredErrorId, RefusedBy};
use axum::Extension;
use axum::response::{IntoResponse, Response};
pub use checks::InsufficientToken;
use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use lombard_auth::FailedCheck;
use lombard_auth::callers::{self, CallerProblem};
use lombard_domain::consent::EffectiveConsentStatus;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation, Field, Refusal, RefusalKind};
use lombard_domain::scope::{Scope, Scopes};
use lombard_domain::version::Version;
use lombard_service::Failure;
use lombard_service::maintenance::Downtime;
use lombard_wire::RenderError;
use lombard_wire::codes::{code, consent_status_reasons};
use lombard_wire::document::BadDocument;
use lombard_wire::errors::{ErrorBody, ErrorEntry};
use names::ErrorNames;
use retry::retry_after_secs;
use std::borrow::Cow;
use std::error::Error;

/// The `Content-Type` of JSON responses. Source: RW-071.
pub const JSON: HeaderValue = HeaderValue::from_static(JSON_TEXT);
/// The media type of [`JSON`], as text.
pub const JSON_TEXT: &str = "application/json; charset=utf-8";

/// Why a request is not answered with a resource.
#[derive(Debug)]
pub enum ApiError {
    /// The caller was not authenticated: 401 without a body, with this challenge. Source: RW-059, RW-109.
    Unauthorized {
        /// The `WWW-Authenticate` header.
        challenge: &'static str,
        /// The check that the caller did not pass, for the log.
        check: FailedCheck,
    },
    /// The token's consent expired or was ended by the bank: 401, with a reason in v4.0. Source: RW-133.
    AccessEnded {
        /// The `WWW-Authenticate` header.
        challenge: &'static str,
        /// The status of the consent.
        status: EffectiveConsentStatus,
    },
    /// The token lacks the scope. Source: RW-105.
    ScopeMissing {
        /// The scopes of which one is needed.
        needed: &'static [Scope],
        /// The scopes of the token.
        held: Scopes,
    },
    /// The token's consent was made in a newer version than the path's. Source: RW-017.
    ConsentVersionNewer,
    /// The token is valid, but the PSU has to authenticate again first. Source: RW-108, ERR-009.
    ReauthenticationRequired,
    /// The path's version is no longer served. Source: RW-010.
    VersionRetired,
    /// The bank is in maintenance. Source: DTN-006.
    InMaintenance(Downtime),
    /// The path is undefined, not implemented or switched off. Source: RW-008, RW-009.
    UnknownPath,
    /// The path exists, but not with this method. Source: RW-110.
    MethodNotAllowed {
        /// The `Allow` header.
        allow: String,
    },
    /// `Accept` allows none of the endpoint's media types. Source: RW-069, AIS-156.
    NotAcceptable {
        /// The media types of the endpoint.
        offered: &'static [ResponseMedia],
    },
    /// The endpoint does not accept this `Content-Type`. Source: RW-067, FILE-007.
    UnsupportedMediaType {
        /// The media types that the endpoint reads.
        read: &'static [&'static str],
    },
    /// The body is larger than allowed. Source: RW-115.
    BodyTooLarge,
    /// The client calls too often. Source: RW-112.
    TooManyRequests {
        /// Seconds after which the client may call again.
        retry_after_secs: i64,
    },
    /// A fault that a tester injected in a sandbox.
    Injected(InjectedFault),
    /// The caller's mistake, in domain words.
    Refused(Refusal),
    /// A temporary error of the server; the same request may succeed later.
    Unavailable(Box<dyn Error + Send + Sync>),
    /// An internal error; an operator has to act.
    Internal(Box<dyn Error + Send + Sync>),
}

impl ApiError {
    /// The error for a valid token that does not allow this request; the reason is logged. Source: RW-047, RW-059.
    pub fn invalid_token(reason: InsufficientToken) -> Self {
        callers::log_token_refusal(reason.name());
        Self::Unauthorized { challenge: r#"Bearer error="invalid_token""#, check: reason.failed_check() }
    }

    /// A refusal for one fault.
    pub fn fault(code: FaultCode, place: FaultLocation, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Refused(Refusal::invalid(vec![Fault::at(code, place, message)]))
    }

    /// Renders the response and logs the error.
    pub fn respond(self, app: &App, version: Version) -> Response {
        let rule = self.rule();
        let downtime = if let Self::InMaintenance(downtime) = &self { Some(*downtime) } else { None };
        let names = ErrorNames::of(&app.settings);
        let answer = ErrorResponse::of(self, version, names);
        let refused = Extension(answer.refused_by(rule));
        if answer.errors.is_empty() {
            // A 401 gives no reasons (RW-109); the error was logged where the token was checked.
            return (answer.status, refused, answer.headers).into_response();
        }
        let id = app.context.ids.random_id().hyphenated().to_string();
        answer.log(&id);
        let noted = (refused, Extension(AnsweredErrorId(id.as_str().into())));
        let explained = |entry| help::explained(entry, names.namespace, names.public_url);
        let errors = answer.errors.into_iter().map(explained).collect();
        let body = ErrorBody { code: status_name(answer.status), id, message: answer.message, errors };
        let response = (answer.status, noted, [(CONTENT_TYPE, JSON)], answer.headers, body.to_json()).into_response();
        match downtime {
            Some(downtime) => maintenance::refusing(downtime, response),
            None => response,
        }
    }
}

impl ApiError {
    /// The rule of the check that refused the request.
    fn rule(&self) -> &'static str {
        match self {
            Self::Unauthorized { check, .. } => check.rule,
            Self::AccessEnded { .. } => "RW-133",
            Self::ScopeMissing { .. } => "RW-105",
            Self::ConsentVersionNewer => "RW-017",
            Self::ReauthenticationRequired => "RW-108",
            Self::VersionRetired => "RW-010",
            Self::InMaintenance(_) => maintenance::RULE,
            Self::UnknownPath => "RW-008",
            Self::MethodNotAllowed { .. } => "RW-110",
            Self::NotAcceptable { .. } => "RW-069",
            Self::UnsupportedMediaType { .. } => "RW-067",
            Self::BodyTooLarge => "RW-115",
            Self::TooManyRequests { .. } => "RW-112",
            Self::Refused(refusal) => checks::rule_of_refusal(refusal),
            Self::Unavailable(_) | Self::Internal(_) => "RW-114",
            Self::Injected(_) => faults::REFUSED_BY,
        }
    }
}

impl From<CallerProblem> for ApiError {
    fn from(problem: CallerProblem) -> Self {
        match problem {
            CallerProblem::Unavailable(error) => Failure::from(error).into(),
            refused => match refused.consent_ended() {
                Some(status) => Self::AccessEnded { challenge: refused.challenge(), status },
                None => Self::Unauthorized { challenge: refused.challenge(), check: refused.failed_check() },
            },
        }
    }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => Self::Refused(refusal),
            Failure::Unavailable(cause) => Self::Unavailable(cause),
            Failure::Broken(cause) => Self::Internal(cause),
        }
    }
}

impl From<InjectedFault> for ApiError {
    fn from(fault: InjectedFault) -> Self {
        Self::Injected(fault)
    }
}

impl From<RateExceeded> for ApiError {
    fn from(RateExceeded { retry_after_secs }: RateExceeded) -> Self {
        Self::TooManyRequests { retry_after_secs }
    }
}

/// A document that cannot be parsed here is an internal error, because it was validated when it was stored.
impl From<BadDocument> for ApiError {
    fn from(error: BadDocument) -> Self {
        Self::Internal(error.into())
    }
}

impl From<RenderError> for ApiError {
    fn from(error: RenderError) -> Self {
        Self::Internal(error.into())
    }
}

/// An error response before it is serialised.
struct ErrorResponse {
    status: StatusCode,
    message: Cow<'static, str>,
    errors: Vec<ErrorEntry>,
    headers: HeaderMap,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl ErrorResponse {
    fn of(error: ApiError, version: Version, names: ErrorNames<'_>) -> Self {
        let own = |status, name, message| Self::own(status, names.entry(version, name, message));
        let standard = |status, fault, message| Self::standard(status, fault, message, version);
        let header = |status, name: &'static str, message: Cow<'static, str>| {
            let fault = Fault::at(FaultCode::HeaderInvalid, FaultLocation::Header(name), message.clone());
            Self::with(status, message, vec![ErrorEntry::from_fault(fault, version)])
        };
        match error {
            ApiError::Unauthorized { challenge, check } => {
                Self { message: Cow::Borrowed(check.reason), ..Self::unauthorized(challenge, Vec::new()) }
            }
            ApiError::AccessEnded { challenge, status } => Self::unauthorized(challenge, ended(status, version)),
            ApiError::ScopeMissing { needed, held } => {
                let entry = names.entry(version, "Forbidden.Scope", messages::scope_missing_message(needed, held));
                let scopes: Vec<&str> = needed.iter().map(|scope| scope.name()).collect();
                let challenge = format!(r#"Bearer error="insufficient_scope", scope="{}""#, scopes.join(" "));
                let answer = Self::own(StatusCode::FORBIDDEN, entry);
                // Source: RFC 6750 section 3.
                HeaderValue::try_from(challenge)
                    .into_iter()
                    .fold(answer, |it, value| it.header(WWW_AUTHENTICATE, value))
            }
            ApiError::ConsentVersionNewer => own(
                StatusCode::FORBIDDEN,
                "Forbidden.Version",
                "The consent was made in a newer version than this path's.",
            ),
            ApiError::ReauthenticationRequired => standard(
                StatusCode::FORBIDDEN,
                FaultCode::Reauthenticate,
                "The customer must authenticate again before account data is shared.",
            ),
            ApiError::VersionRetired => standard(
                StatusCode::SERVICE_UNAVAILABLE,
                FaultCode::UnexpectedError,
                "This version of the API is no longer served.",
            ),
            ApiError::InMaintenance(_) => {
                standard(StatusCode::SERVICE_UNAVAILABLE, FaultCode::UnexpectedError, maintenance::REASON)
            }
            ApiError::UnknownPath => own(StatusCode::NOT_FOUND, "Path.NotFound", "There is no such resource here."),
            ApiError::MethodNotAllowed { allow } => {
                let answer =
                    own(StatusCode::METHOD_NOT_ALLOWED, "Method.NotAllowed", "The resource has other methods.");
                match HeaderValue::try_from(allow) {
                    Ok(allow) => answer.header(ALLOW, allow),
                    Err(_) => answer,
                }
            }
            ApiError::NotAcceptable { offered } => {
                let message = match offered {
                    [ResponseMedia::Json] => "Responses are application/json in UTF-8.".into(),
                    files => {
                        let names = files.iter().map(|media| media.name()).map(|(kind, sub)| format!("{kind}/{sub}"));
                        format!("Files are {} in UTF-8.", names.collect::<Vec<_>>().join(" or ")).into()
                    }
                };
                header(StatusCode::NOT_ACCEPTABLE, "Accept", message)
            }
            ApiError::UnsupportedMediaType { read } => {
                let message = format!("Requests are {} in UTF-8.", read.join(" or "));
                header(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Content-Type", message.into())
            }
            ApiError::BodyTooLarge => {
                own(StatusCode::PAYLOAD_TOO_LARGE, "Body.TooLarge", "The body is larger than this server reads.")
            }
            ApiError::TooManyRequests { retry_after_secs } => own(
                StatusCode::TOO_MANY_REQUESTS,
                "TooManyRequests",
                "The client calls too often; it may call again later.",
            )
            .header(RETRY_AFTER, HeaderValue::from(retry_after_secs)),
            ApiError::Injected(fault) => Self::injected(fault, version, names),
            ApiError::Refused(refusal) => Self::refused(refusal, version, names),
            ApiError::Unavailable(cause) => Self {
                headers: [(RETRY_AFTER, HeaderValue::from(retry_after_secs(&*cause)))].into_iter().collect(),
                cause: Some(cause),
                ..standard(
                    StatusCode::SERVICE_UNAVAILABLE,
                    FaultCode::UnexpectedError,
                    "The service is busy; the same request may work later.",
                )
            },
            ApiError::Internal(cause) => Self {
                cause: Some(cause),
                ..standard(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    FaultCode::UnexpectedError,
                    "Something failed on our side.",
                )
            },
        }
    }

    /// The response that an injected fault demands, in the format of the endpoint's own errors.
    fn injected(fault: InjectedFault, version: Version, names: ErrorNames<'_>) -> Self {
        let (status, code) = match fault {
            InjectedFault::Refusal { status, code } => api_status(status, code),
            InjectedFault::ExpiredToken => {
                return Self::of(ApiError::invalid_token(InsufficientToken::Injected), version, names);
            }
            InjectedFault::Cut => api_status(Some(StatusCode::SERVICE_UNAVAILABLE), None),
            InjectedFault::BadHeader(reason) => {
                let place = FaultLocation::Header(faults::FAULT_HEADER_TEXT);
                return Self::invalid(vec![Fault::at(FaultCode::HeaderInvalid, place, reason)], version);
            }
        };
        let answer = match code {
            Some(code) => Self::standard(status, code, RESPONSE_TEXT, version),
            None if status == StatusCode::UNAUTHORIZED => {
                return Self::of(ApiError::invalid_token(InsufficientToken::Injected), version, names);
            }
            None if status.is_server_error() => {
                Self::standard(status, FaultCode::UnexpectedError, RESPONSE_TEXT, version)
            }
            None => Self::own(status, names.entry(version, "Fault.Injected", RESPONSE_TEXT)),
        };
        match status {
            StatusCode::UNAUTHORIZED => {
                answer.header(WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer error="invalid_token""#))
            }
            StatusCode::TOO_MANY_REQUESTS => answer.header(RETRY_AFTER, HeaderValue::from_static("1")),
            _ => answer,
        }
    }

    fn refused(refusal: Refusal, version: Version, names: ErrorNames<'_>) -> Self {
        let forbidden = |name, message| Self::own(StatusCode::FORBIDDEN, names.entry(version, name, message));
        let standard = |fault, message| Self::standard(StatusCode::BAD_REQUEST, fault, message, version);
        match refusal.kind {
            RefusalKind::Invalid => Self::invalid(refusal.faults, version),
            RefusalKind::NotFound => standard(FaultCode::NotFound, "There is no resource with this id."),
            RefusalKind::ForeignOwner => forbidden("Forbidden.Owner", "The resource belongs to another TPP."),
            RefusalKind::PermissionMissing => {
                let entry = names.entry(
                    version,
                    "Forbidden.Permission",
                    messages::permission_missing_message(&refusal.lacking),
                );
                Self::own(StatusCode::FORBIDDEN, entry)
            }
            RefusalKind::AccountNotSelected => {
                forbidden("Forbidden.Account", "The account is not, or no longer, part of the consent.")
            }
            RefusalKind::OutsidePeriod => {
                forbidden("Forbidden.Period", "The statement lies outside the period of the consent.")
            }
            RefusalKind::AccessEnded => {
                Self::of(ApiError::invalid_token(InsufficientToken::AccessEnded), version, names)
            }
            RefusalKind::LimitReached { retry_after_secs } => {
                Self::of(ApiError::TooManyRequests { retry_after_secs }, version, names)
            }
            RefusalKind::IdempotencyKeyReused => Self::key_reused(version, names),
            // The member of the consent that holds its status (table 1.6 of the payment rules).
            RefusalKind::ConsentState => {
                let message = "The status of the consent forbids this.";
                let fault = Fault::field(FaultCode::InvalidConsentStatus, Field::ConsentStatus, message);
                Self::invalid(vec![fault], version)
            }
        }
    }

    /// The error for an idempotency key that was used with another body before. Source: RW-116, RW-184, ERR-010.
    fn key_reused(version: Version, names: ErrorNames<'_>) -> Self {
        let (status, code) = match version {
            Version::V3_1 => (StatusCode::BAD_REQUEST, FaultCode::HeaderInvalid),
            Version::V4_0 => (StatusCode::UNPROCESSABLE_ENTITY, FaultCode::ResourceAlreadyExists),
        };
        let message = "The idempotency key was used before with another body.";
        // In v4.0 the error has the address of the rules instead of a path (PIS-066).
        let entry = match version {
            Version::V3_1 => Fault::at(code, FaultLocation::Header(IDEMPOTENCY_KEY), message),
            Version::V4_0 => Fault::new(code, message),
        };
        let url = match version {
            Version::V3_1 => None,
            Version::V4_0 => Some(format!("{}{IDEMPOTENCY_RULES}", names.public_url)),
        };
        Self::with(status, message, vec![ErrorEntry { url, ..ErrorEntry::from_fault(entry, version) }])
    }

    fn unauthorized(challenge: &'static str, errors: Vec<ErrorEntry>) -> Self {
        Self::with(StatusCode::UNAUTHORIZED, "Access has ended.", errors)
            .header(WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
    }

    fn invalid(faults: Vec<Fault>, version: Version) -> Self {
        let status = faults.first().and_then(|fault| StatusCode::from_u16(code(fault.code).status).ok());
        let errors = faults.into_iter().map(|fault| ErrorEntry::from_fault(fault, version)).collect();
        Self::with(status.unwrap_or(StatusCode::BAD_REQUEST), "The request is not valid.", errors)
    }

    /// An error with a code of the standard and without a path.
    fn standard(status: StatusCode, fault: FaultCode, message: &'static str, version: Version) -> Self {
        Self::with(status, message, vec![ErrorEntry::from_fault(Fault::new(fault, message), version)])
    }

    /// An error with a code of the bank.
    fn own(status: StatusCode, entry: ErrorEntry) -> Self {
        Self::with(status, entry.message.clone(), vec![entry])
    }

    fn with(status: StatusCode, message: impl Into<Cow<'static, str>>, errors: Vec<ErrorEntry>) -> Self {
        Self { status, message: message.into(), errors, headers: HeaderMap::new(), cause: None }
    }

    fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The failed check under this rule, with the first fault and its path, if the error has one.
    fn refused_by(&self, rule: &'static str) -> RefusedBy {
        let reason = match self.errors.split_first() {
            Some((ErrorEntry { path: Some(path), message, .. }, others)) => {
                let further = if others.is_empty() { String::new() } else { format!(" ({} more)", others.len()) };
                Cow::Owned(format!("{path}: {message}{further}"))
            }
            Some(_) | None => self.message.clone(),
        };
        RefusedBy::new(rule, reason)
    }

    /// Logs the error under the id that the response holds. Source: RW-122.
    fn log(&self, id: &str) {
        let codes = || self.errors.iter().map(|entry| &*entry.error_code).collect::<Vec<_>>().join(" ");
        match &self.cause {
            Some(cause) => {
                tracing::error!(
                    error.id = id,
                    http.status = self.status.as_u16(),
                    error = &**cause as &dyn Error,
                    "failed"
                );
            }
            None => {
                tracing::info!(
                    error.id = id,
                    http.status = self.status.as_u16(),
                    error.codes = codes(),
                    reason = &*self.message,
                    "refused"
                );
            }
        }
    }
}

/// The errors that explain why a token ended with its consent; empty in versions that do not tell it. Source: RW-109, RW-133.
fn ended(status: EffectiveConsentStatus, version: Version) -> Vec<ErrorEntry> {
    match version {
        Version::V3_1 => Vec::new(),
        Version::V4_0 => consent_status_reasons(status, None).iter().copied().map(ErrorEntry::from_code).collect(),
    }
}

/// The name of a status, such as `400 BadRequest`. Source: RW-121.
fn status_name(status: StatusCode) -> String {
    let reason = status.canonical_reason().unwrap_or("Error");
    let joined: String = reason.chars().filter(|letter| !letter.is_whitespace()).collect();
    format!("{} {joined}", status.as_u16())
}

mod checks;
mod help;
mod messages;
mod names;
mod retry;
#[cfg(test)]
mod tests;
