#![doc = include_str!("../README.md")]

mod choice;
mod headers;
mod outgoing;
mod recorder;
mod span;

pub use choice::{CallerTrust, TraceChoice};
pub use headers::CallerTrace;
pub use outgoing::write_headers;
pub use recorder::{is_recording, record_spans};
pub use span::{Span, with_current_trace_id};

#[doc(no_inline)]
pub use opentelemetry::trace::SpanKind;

#[cfg(test)]
mod tests;
