//! Metrics and spans of calls of the provider.

use crate::error::ProviderError;
use http::StatusCode;
use lombard_traces::{Span, SpanKind};
use std::time::Instant;

/// What a call of the provider is for. The names are labels of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProviderCall {
    /// Fetches the metadata.
    Metadata,
    /// Fetches the public keys.
    Keys,
    /// Exchanges a code, or asks for the result of a decoupled login.
    Token,
    /// Pushes an authorisation request.
    PushedRequest,
    /// Starts a decoupled login.
    Backchannel,
}

impl ProviderCall {
    const fn name(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Keys => "keys",
            Self::Token => "token",
            Self::PushedRequest => "pushed-request",
            Self::Backchannel => "backchannel",
        }
    }
}

/// A call in progress. Dropping it counts the call, so that a call that its caller gives up is counted too.
pub(crate) struct ActiveCall {
    call: ProviderCall,
    started: Instant,
    outcome: &'static str,
    pub(crate) span: Span,
}

impl ActiveCall {
    pub(crate) fn start(call: ProviderCall) -> Self {
        let span = Span::child("provider call", SpanKind::Client);
        span.set("lombard.provider.call", call.name());
        Self { call, started: Instant::now(), outcome: "given-up", span }
    }

    /// Ends the call with its result.
    pub(crate) fn end(mut self, result: Result<StatusCode, &ProviderError>) {
        if let Ok(status) = result {
            self.span.set("http.response.status_code", i64::from(status.as_u16()));
        }
        self.outcome = match result {
            Ok(status) if status.is_server_error() => "failed",
            Ok(_) => "answered",
            Err(ProviderError::Unreachable(_)) => "lost",
            Err(_) => "unreadable",
        };
    }
}

impl Drop for ActiveCall {
    fn drop(&mut self) {
        let call = self.call.name();
        let outcome = self.outcome;
        self.span.set("lombard.provider.outcome", outcome);
        if outcome != "answered" {
            self.span.fail(outcome);
        }
        metrics::counter!("lombard_identity_calls_total", "call" => call, "outcome" => outcome).increment(1);
        metrics::histogram!("lombard_identity_call_duration_seconds", "call" => call).record(self.started.elapsed());
    }
}
