//! The types a request passes through, and the two ways it can fail.

use super::claims::RequestObjectClaims;
use super::faults::invalid;
use super::replay::RequestUse;
use crate::authorisation::response::{ResponseMode, ResponseTarget};
use crate::error::{FailedCheck, OAuthError, OAuthErrorCode};
use crate::form::Form;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::grant::Digest;
use serde::{Deserialize, Serialize};

/// An authorisation request as it came: the query string of a GET or the body of a form POST. Source: AS-060.
#[derive(Clone)]
pub struct RawRequest {
    /// `application/x-www-form-urlencoded`.
    pub encoded: String,
}

impl std::fmt::Debug for RawRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawRequest").field("bytes", &self.encoded.len()).finish()
    }
}

/// The check behind a rule; a failure of the server breaks the one about internal failures.
fn failed_check(rule: &'static str, error: &OAuthError) -> FailedCheck {
    if rule == INTERNAL { error.failed_check() } else { FailedCheck { rule, reason: error.description } }
}

/// In the place of a rule: a failure of the server.
const INTERNAL: &str = "internal";

/// A failure that stays on a page of our own: there is no address we may send it to. Source: AS-064.
#[derive(Debug)]
pub struct LocalProblem {
    /// The rule that was broken, for the log.
    pub rule: &'static str,
    /// What is wrong, in words that do not tell which clients exist.
    pub error: OAuthError,
    /// Whether the request was simply too long. Source: AS-066.
    pub too_long: bool,
}

impl LocalProblem {
    pub(super) fn new(rule: &'static str, error: OAuthError) -> Self {
        Self { rule, error, too_long: false }
    }

    /// The check that refused the request.
    pub fn failed_check(&self) -> FailedCheck {
        failed_check(self.rule, &self.error)
    }

    /// The one problem of everything about who asks: unknown client, foreign signature, foreign address.
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
    /// What the client learns.
    pub error: OAuthError,
}

impl RuleRefusal {
    /// Counts the refusal of a request that no browser brought; the error, with the rule for the log.
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

impl From<LocalProblem> for RuleRefusal {
    fn from(LocalProblem { rule, error, .. }: LocalProblem) -> Self {
        Self { rule, error }
    }
}

impl<E: Into<OAuthError>> From<E> for RuleRefusal {
    fn from(error: E) -> Self {
        Self { rule: INTERNAL, error: error.into() }
    }
}

/// How a request object reached us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestSource {
    /// With the PSU's browser.
    ByValue,
    /// Pushed ahead by its client, who got a reference for it. Source: AS-151.
    Pushed {
        /// When it was pushed: by this time its own dates are judged.
        at: Timestamp,
        /// When its reference stops working.
        until: Timestamp,
        /// The hash of its reference.
        reference: Digest,
    },
}

/// What a client that has proven itself asks for: a request object with a verified signature, or the parameters that it pushed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct VerifiedRequest {
    /// The `typ` of its header.
    pub typ: Option<String>,
    /// What it says.
    pub claims: RequestObjectClaims,
    /// Whether it is a request object. Requests stored by earlier releases are.
    #[serde(default = "signed")]
    pub is_signed: bool,
}

const fn signed() -> bool {
    true
}

/// A request of a known client, signed by it, with a redirect URI of its own: errors may go there from here on.
#[derive(Debug, Clone)]
pub(crate) struct IdentifiedRequest {
    /// Who asks.
    pub client: Client,
    /// Where the answer goes.
    pub redirect_uri: String,
    /// What the client wants to see again with the answer.
    pub state: Option<String>,
    /// How the answer is given.
    pub mode: ResponseMode,
    /// The signed request.
    pub object: VerifiedRequest,
    /// How the signed request came.
    pub source: RequestSource,
    /// What came beside the signed request; only compared, never used.
    pub outer_parameters: Form,
}

impl IdentifiedRequest {
    /// Where an answer goes.
    pub(crate) fn return_to(&self) -> ResponseTarget<'_> {
        let (redirect_uri, state) = (self.redirect_uri.as_str(), self.state.as_deref());
        ResponseTarget { client: &self.client.id, redirect_uri, state, mode: self.mode }
    }

    /// What makes this request answerable only once, unless it never can be answered with a code.
    pub(crate) fn one_time(&self, now: Timestamp) -> Option<RequestUse> {
        let claims = &self.object.claims;
        match self.source {
            RequestSource::ByValue => RequestUse::of(claims, now, None),
            RequestSource::Pushed { until, reference, .. } => {
                let of_object = RequestUse::of(claims, now, Some(until)).filter(|_| self.object.is_signed);
                of_object.or_else(|| Some(RequestUse::of_reference(&reference, until)))
            }
        }
    }

    /// The moment by which the dates of the request object are judged: a pushed one was judged when it came, and may
    /// outlive its own `exp` by the short life of its reference.
    pub(super) fn judged_at(&self, now: Timestamp) -> Timestamp {
        match self.source {
            RequestSource::ByValue => now,
            RequestSource::Pushed { at, .. } => at,
        }
    }
}

/// Told to a client that has proven who it is; a browser is told less. Source: AS-064, AS-151.
pub(crate) const UNREGISTERED_ADDRESS: OAuthError =
    invalid("The request object must hold a redirect_uri that is registered.");
