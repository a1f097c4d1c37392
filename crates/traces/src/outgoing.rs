//! `traceparent` and `tracestate` of requests that are sent. Source: W3C Trace Context, sections 3.2 and 3.3.

use crate::headers::{TRACE_PARENT, TRACE_STATE, read_parent};
use crate::recorder::is_recording;
use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, TraceContextExt};

/// Adds the headers to a request that the work in progress sends. `received` is the `traceparent` of the request that is being answered.
///
/// In a recorded trace, the current span is named as the parent. Otherwise the received header is passed on; if spans are
/// recorded here, it is passed on without the sampled flag, so that a stranger's flag does not decide in the servers behind this
/// one.
pub fn write_headers(headers: &mut HeaderMap, received: Option<&str>) {
    let current =
        Context::map_current(|context| context.has_active_span().then(|| context.span().span_context().clone()));
    if let Some(span) = current.filter(SpanContext::is_valid) {
        let flags = span.trace_flags().to_u8();
        let parent = format!("00-{}-{}-{flags:02x}", span.trace_id(), span.span_id());
        insert(headers, TRACE_PARENT, &parent);
        let state = span.trace_state().header();
        if !state.is_empty() {
            insert(headers, TRACE_STATE, &state);
        }
        return;
    }
    match (received, received.and_then(read_parent)) {
        (Some(_), Some((trace, span, _))) if is_recording() => {
            insert(headers, TRACE_PARENT, &format!("00-{trace}-{span}-00"));
        }
        (Some(received), _) => insert(headers, TRACE_PARENT, received),
        (None, _) => {}
    }
}

fn insert(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    // A value that is not valid in a header is left out.
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
