//! The effect of a fault on a call.

use http::StatusCode;
use lombard_auth::OAuthErrorCode;
use lombard_core_api::form::node::JsonNode;
use lombard_core_api::form::shape::SingleForm;
use lombard_domain::refusal::FaultCode;
use lombard_wire::codes;
use std::time::Duration;

/// The longest delay of a call, or of the body of its response, in milliseconds.
pub(super) const DELAY_MS_MAX: u64 = 60_000;

/// The name of the header in which a request asks for a fault.
pub const FAULT_HEADER_TEXT: &str = "x-lombard-fault";

/// The text that the log adds for a connection that was cut.
const NO_ANSWER: &str = " (the caller got no answer)";

/// The error for a wrong signature of an operation that does not sign.
pub(super) const UNSIGNED: &str = "The operation does not sign its answers.";

/// The error message of injected responses.
pub const RESPONSE_TEXT: &str = "A tester of this sandbox asked for this fault.";

/// The value that the request log has in place of a rule.
pub const REFUSED_BY: &str = "sandbox-fault";

/// The effect of a fault. The members are independent, except for the combinations that `contradiction` refuses.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FaultEffect {
    /// The status of the response.
    pub(super) status: Option<FaultStatus>,
    /// The error code of the response.
    pub(super) code: Option<CodeName>,
    /// The delay before the call is processed.
    pub(super) delay: Option<Delay>,
    /// When the connection is cut.
    pub(super) cut: Option<Cut>,
    /// The milliseconds over which the body of the response is sent.
    pub(super) slow_body_ms: Option<Milliseconds>,
    /// Whether the signature of the response is falsified.
    pub(super) wrong_signature: Option<bool>,
    /// Whether the token counts as expired.
    pub(super) expired_token: Option<bool>,
}

impl FaultEffect {
    /// Why these members cannot be combined, with the member at fault; `None` if they can.
    pub(super) fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let refuses = self.status.is_some() || self.code.is_some();
        let expired = self.expired_token == Some(true);
        if self.cut.is_some() && (refuses || expired || self.slow_body_ms.is_some()) {
            return Some(("cut", "A connection that is cut has no answer; leave out what shapes the answer."));
        }
        if expired && refuses {
            return Some(("expired_token", "An expired token has its own answer; leave out status and code."));
        }
        let is_idle = Self { wrong_signature: None, expired_token: None, ..self.clone() } == Self::default();
        if is_idle && !expired && self.wrong_signature != Some(true) {
            return Some((
                "",
                "Must have an effect: status, code, delay_ms, cut, slow_body, wrong_signature or expired_token.",
            ));
        }
        None
    }

    /// The effect in the form of the header of a single request, for the request log.
    pub(super) fn summary(&self) -> String {
        let members = match self.write() {
            JsonNode::Object(members) => members,
            _ => Vec::new(),
        };
        let told = |(name, value): (_, JsonNode)| match value {
            JsonNode::Text(text) => format!("{name}={text}"),
            other => format!("{name}={}", serde_json::to_value(&other).unwrap_or_default()),
        };
        let told: Vec<String> = members.into_iter().map(told).collect();
        format!("{}{}", told.join("; "), if self.cut.is_some() { NO_ANSWER } else { "" })
    }

    /// The response to the authenticated call that replaces its execution; `None` if the call is executed.
    pub(super) fn refusal(&self) -> Option<InjectedFault> {
        if self.cut == Some(Cut::Before) {
            return Some(InjectedFault::Cut);
        }
        if self.expired_token == Some(true) {
            return Some(InjectedFault::ExpiredToken);
        }
        let status = self.status.map(|it| it.0);
        let code = self.code.as_ref().map(|it| it.code);
        (status.is_some() || code.is_some()).then_some(InjectedFault::Refusal { status, code })
    }
}

/// The status of an error, 400 to 599.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FaultStatus(pub(super) StatusCode);

/// A number of milliseconds, at most [`DELAY_MS_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Milliseconds(pub(super) u64);

impl Milliseconds {
    pub(super) const fn duration(self) -> Duration {
        Duration::from_millis(self.0)
    }
}

/// The delay of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delay {
    /// A fixed delay.
    Fixed(Milliseconds),
    /// A random delay between these bounds, both included, with equal probability.
    Between(Milliseconds, Milliseconds),
}

impl Delay {
    /// Chooses the delay of one call by a random number.
    pub(super) fn draw(self, random: u64) -> Duration {
        match self {
            Self::Fixed(delay) => delay.duration(),
            Self::Between(Milliseconds(least), Milliseconds(most)) => {
                let choices = most.saturating_sub(least).saturating_add(1);
                Milliseconds(least.saturating_add(random % choices)).duration()
            }
        }
    }
}

/// When a connection is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// The connection is cut before the call is executed.
    Before,
    /// The connection is cut after the call is executed; the response is dropped.
    After,
}

/// An error code as a tester wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeName {
    pub(super) text: String,
    pub(super) code: InjectedCode,
}

impl CodeName {
    /// Finds the code with this name: one of the standard, in the form of either version, or one of OAuth.
    pub(super) fn find(text: &str) -> Option<Self> {
        let standard = codes::ALL.iter().copied().find(|fault| {
            let row = codes::code(*fault);
            row.v3_1 == text || row.v4_0 == text
        });
        let code = match standard {
            Some(fault) => InjectedCode::Standard(fault),
            None => InjectedCode::OAuth(OAuthErrorCode::from_name(text)?),
        };
        Some(Self { text: text.to_owned(), code })
    }
}

/// The error code of an injected refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InjectedCode {
    /// A code of the API, in the form of the call's version.
    Standard(FaultCode),
    /// A code of OAuth.
    OAuth(OAuthErrorCode),
}

/// The response to a call that a tester's fault demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InjectedFault {
    /// An error. At least one of status and code is given, and the other follows from it.
    Refusal {
        /// The status.
        status: Option<StatusCode>,
        /// The code.
        code: Option<InjectedCode>,
    },
    /// The error for a token that has expired.
    ExpiredToken,
    /// The connection is cut, and no response is sent.
    Cut,
    /// The request asks for a fault by a header that cannot be parsed; holds the reason.
    BadHeader(String),
}

/// The status and the standard's code of a refusal by the API. The default status is that of the code; OAuth codes are ignored.
pub(crate) fn api_status(status: Option<StatusCode>, code: Option<InjectedCode>) -> (StatusCode, Option<FaultCode>) {
    let code = match code {
        Some(InjectedCode::Standard(fault)) => Some(fault),
        Some(InjectedCode::OAuth(_)) | None => None,
    };
    let own = code.and_then(|fault| StatusCode::from_u16(codes::code(fault).status).ok());
    (status.or(own).unwrap_or(StatusCode::BAD_REQUEST), code)
}
