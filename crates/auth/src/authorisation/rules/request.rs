//! The types that a request passes through, and the two ways in which it can fail.

use super::claims::RequestObjectClaims;
use super::faults::invalid;
use super::replay::OneTimeUse;
use crate::authorisation::response::{ResponseMode, ResponseTarget};
use crate::error::{FailedCheck, OAuthError, OAuthErrorCode};
use crate::form::Form;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::grant::Digest;
use serde::{Deserialize, Serialize};

/// An authorisation request as it arrived: the query string of a GET or the body of a form POST. Source: AS-060.
#[derive(Clone)]
pub struct RawRequest {
    /// The parameters as `application/x-www-form-urlencoded` text.
    pub encoded: String,
}

impl std::fmt::Debug for RawRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawRequest").field("bytes", &self.encoded.len()).finish()
    }
}

/// The check that failed under a rule; a failure of the server is reported under the rule about internal failures.
fn failed_check(rule: &'static str, error: &OAuthError) -> FailedCheck {
    if rule == INTERNAL { error.failed_check() } else { FailedCheck { rule, reason: error.description } }
}

/// The value of `rule` for a failure of the server.
const INTERNAL: &str = "internal";

/// A failure that a page of this server shows, because there is no verified address for it. Source: AS-064.
#[derive(Debug)]
pub struct UnverifiedRequestError {
    /// The rule that was broken, for the log.
    pub rule: &'static str,
    /// The error, in words that do not disclose which clients exist.
    pub error: OAuthError,
    /// Whether the request was refused for its length. Source: AS-066.
    pub too_long: bool,
}

impl UnverifiedRequestError {
    pub(super) fn new(rule: &'static str, error: OAuthError) -> Self {
        Self { rule, error, too_long: false }
    }

    /// The check that refused the request.
    pub fn failed_check(&self) -> FailedCheck {
        failed_check(self.rule, &self.error)
    }

    /// The one problem for every doubt about the client: unknown client, wrong signature, unregistered address.
    pub(super) fn unidentified(rule: &'static str) -> Self {
        let description = "The request does not come from a registered application, or its signature or return address \
                           is not one that was registered.";
        Self::new(rule, OAuthError::new(OAuthErrorCode::InvalidRequest, description))
    }
}

/// A failure that goes to the client's verified address.
#[derive(Debug)]
pub(crate) struct RuleRefusal {
    /// The rule that was broken, for the log.
    pub rule: &'static str,
    /// The error for the client.
    pub error: OAuthError,
}

impl RuleRefusal {
    /// Counts the refusal of a request that arrived without a browser; returns the error, with the rule for the log.
    pub(crate) fn count(self) -> OAuthError {
        count_refusal(self.rule, &self.error);
        let check = failed_check(self.rule, &self.error);
        self.error.with_log_reason(self.rule).with_rule(check.rule)
    }

    /// The check that refused the request.
    pub(crate) fn failed_check(&self) -> FailedCheck {
        failed_check(self.rule, &self.error)
    }
}

/// Counts a refused authorisation request.
pub(crate) fn count_refusal(rule: &'static str, error: &OAuthError) {
    let code = error.code.name();
    metrics::counter!("lombard_authorisation_refusals_total", "rule" => rule, "error" => code).increment(1);
}

impl From<UnverifiedRequestError> for RuleRefusal {
    fn from(UnverifiedRequestError { rule, error, .. }: UnverifiedRequestError) -> Self {
        Self { rule, error }
    }
}

impl<E: Into<OAuthError>> From<E> for RuleRefusal {
    fn from(error: E) -> Self {
        Self { rule: INTERNAL, error: error.into() }
    }
}

/// How a request object arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestSource {
    /// The PSU's browser sent it.
    ByValue,
    /// The client pushed it and got a reference for it. Source: AS-151.
    Pushed {
        /// When the object was pushed. Its dates are checked against this time.
        at: Timestamp,
        /// When the reference expires.
        until: Timestamp,
        /// The hash of the reference.
        reference: Digest,
    },
}

/// The request of an authenticated client: a request object with a verified signature, or the parameters that it pushed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct VerifiedRequest {
    /// The `typ` of the object's header.
    pub typ: Option<String>,
    /// The claims of the request.
    pub claims: RequestObjectClaims,
    /// Whether the request is a signed object. Requests stored by earlier releases always are.
    #[serde(default = "signed")]
    pub is_signed: bool,
}

const fn signed() -> bool {
    true
}

/// A request that a known client signed, with a redirect URI of that client. From here on errors may be sent to that address.
#[derive(Debug, Clone)]
pub(crate) struct IdentifiedRequest {
    /// The client that asks.
    pub client: Client,
    /// The verified redirect URI.
    pub redirect_uri: String,
    /// The `state`, which the response repeats.
    pub state: Option<String>,
    /// The form of the response.
    pub mode: ResponseMode,
    /// The signed request.
    pub object: VerifiedRequest,
    /// How the signed request arrived.
    pub source: RequestSource,
    /// The parameters outside the signed request. They are only compared, never used.
    pub outer_parameters: Form,
}

impl IdentifiedRequest {
    /// The target of the response.
    pub(crate) fn return_to(&self) -> ResponseTarget<'_> {
        let (redirect_uri, state) = (self.redirect_uri.as_str(), self.state.as_deref());
        ResponseTarget { client: &self.client.id, redirect_uri, state, mode: self.mode }
    }

    /// The record of use that lets the request be answered only once; `None` if it can never be answered with a code.
    pub(crate) fn one_time(&self, now: Timestamp) -> Option<OneTimeUse> {
        let claims = &self.object.claims;
        match self.source {
            RequestSource::ByValue => OneTimeUse::of(claims, now, None),
            RequestSource::Pushed { until, reference, .. } => {
                let of_object = OneTimeUse::of(claims, now, Some(until)).filter(|_| self.object.is_signed);
                of_object.or_else(|| Some(OneTimeUse::of_reference(&reference, until)))
            }
        }
    }

    /// The time against which the dates of the request object are checked. A pushed object was checked when it arrived, and may outlive its
    /// own `exp` by the short lifetime of its reference.
    pub(super) fn checked_at(&self, now: Timestamp) -> Timestamp {
        match self.source {
            RequestSource::ByValue => now,
            RequestSource::Pushed { at, .. } => at,
        }
    }
}

/// The error about an unregistered redirect URI, for an authenticated client; a browser is told less. Source: AS-064, AS-151.
pub(crate) const UNREGISTERED_ADDRESS: OAuthError =
    invalid("The request object must hold a redirect_uri that is registered.");
