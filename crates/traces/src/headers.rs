//! `traceparent` and `tracestate` of requests that are received. Source: W3C Trace Context, sections 3.2 and 3.3.

use http::{HeaderMap, HeaderName};
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use std::str::FromStr;

/// Names the trace and the span of the caller.
pub(crate) const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
/// What tracers of other vendors pass on.
pub(crate) const TRACE_STATE: HeaderName = HeaderName::from_static("tracestate");

/// The longest `tracestate` that is passed on, which is what others must pass on at least. Source: W3C Trace Context, section 3.3.1.5.
const STATE_CHARS_MAX: usize = 512;

/// The length of a `traceparent` of version 00.
const PARENT_CHARS: usize = 55;

/// The trace that a caller names in the headers of its request.
#[derive(Debug, Clone)]
pub struct CallerTrace(SpanContext);

impl CallerTrace {
    /// Reads the headers of a request; `None` without exactly one well-formed `traceparent`.
    pub fn read(headers: &HeaderMap) -> Option<Self> {
        let mut parents = headers.get_all(TRACE_PARENT).iter();
        let parent = parents.next()?.to_str().ok()?;
        if parents.next().is_some() {
            return None;
        }
        let (trace, span, flags) = read_parent(parent)?;
        Some(Self(SpanContext::new(trace, span, flags, true, read_state(headers))))
    }

    /// Whether the caller records the trace, and asks to have it recorded here too.
    pub(crate) fn is_sampled(&self) -> bool {
        self.0.is_sampled()
    }

    pub(crate) fn into_context(self) -> Context {
        Context::new().with_remote_span_context(self.0)
    }
}

/// The ids and the sampled flag of a well-formed `traceparent`.
pub(crate) fn read_parent(parent: &str) -> Option<(TraceId, SpanId, TraceFlags)> {
    let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let mut parts = parent.splitn(5, '-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_complete = [(version, 2), (trace, 32), (span, 16), (flags, 2)];
    if !is_complete.iter().all(|(text, length)| text.len() == *length && is_hex(text)) || version == "ff" {
        return None;
    }
    // A later version may have further parts.
    if version == "00" && parent.len() != PARENT_CHARS {
        return None;
    }
    let trace = TraceId::from_hex(trace).ok().filter(|id| *id != TraceId::INVALID)?;
    let span = SpanId::from_hex(span).ok().filter(|id| *id != SpanId::INVALID)?;
    let flags = u8::from_str_radix(flags, 16).ok()?;
    // Flags other than "sampled" are not known here and must not be passed on.
    Some((trace, span, TraceFlags::new(flags) & TraceFlags::SAMPLED))
}

/// The `tracestate` to pass on; empty if it is too long or malformed.
fn read_state(headers: &HeaderMap) -> TraceState {
    let lines: Option<Vec<_>> = headers.get_all(TRACE_STATE).iter().map(|line| line.to_str().ok()).collect();
    let state = lines.unwrap_or_default().join(",");
    if state.is_empty() || state.len() > STATE_CHARS_MAX {
        return TraceState::NONE;
    }
    TraceState::from_str(&state).unwrap_or(TraceState::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn headers(parents: &[&'static str], states: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, values) in [(TRACE_PARENT, parents), (TRACE_STATE, states)] {
            for value in values {
                headers.append(&name, HeaderValue::from_static(value));
            }
        }
        headers
    }

    #[test]
    fn a_well_formed_trace_parent_is_read_with_the_sampled_flag_alone() {
        let CallerTrace(read) = CallerTrace::read(&headers(&[PARENT], &[])).unwrap();
        assert_eq!(read.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
        assert_eq!(read.span_id().to_string(), "b7ad6b7169203331");
        assert!(read.is_sampled() && read.is_remote());
        let other_flags = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-fe";
        assert_eq!(CallerTrace::read(&headers(&[other_flags], &[])).unwrap().0.trace_flags().to_u8(), 0);
        let later = "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more";
        assert!(CallerTrace::read(&headers(&[later], &[])).is_some());
    }

    #[test]
    fn a_malformed_or_repeated_trace_parent_is_ignored() {
        for bad in [
            "",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ] {
            assert!(CallerTrace::read(&headers(&[bad], &[])).is_none(), "{bad}");
        }
        assert!(CallerTrace::read(&headers(&[PARENT, PARENT], &[])).is_none());
    }

    #[test]
    fn a_trace_state_is_kept_as_it_came_unless_it_is_malformed_or_too_long() {
        let state = |states: &[&'static str]| read_state(&headers(&[], states)).header();
        assert_eq!(state(&["rojo=1,congo=2"]), "rojo=1,congo=2");
        assert_eq!(state(&["rojo=1", "congo=2"]), "rojo=1,congo=2");
        assert_eq!(state(&["no value"]), "");
        let long: &'static str = Box::leak(format!("a={}", "x".repeat(STATE_CHARS_MAX)).into_boxed_str());
        assert_eq!(state(&[long]), "");
    }
}
