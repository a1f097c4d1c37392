//! The recorder of the process: the tracer that starts spans, and the choice of traces. Without one there are no spans.

use crate::choice::TraceChoice;
use opentelemetry::global::BoxedTracer;
use std::sync::OnceLock;

static RECORDER: OnceLock<Recorder> = OnceLock::new();

/// What a process needs to record spans.
pub(crate) struct Recorder {
    pub(crate) tracer: BoxedTracer,
    pub(crate) choice: TraceChoice,
}

/// Records the spans of this process from now on. Returns false if they are recorded already; then nothing changes.
///
/// The tracer must record every span that it is asked for, because the choice is made here.
pub fn record_spans(tracer: BoxedTracer, choice: TraceChoice) -> bool {
    RECORDER.set(Recorder { tracer, choice }).is_ok()
}

/// Whether this process records spans.
pub fn is_recording() -> bool {
    RECORDER.get().is_some()
}

pub(crate) fn recorder() -> Option<&'static Recorder> {
    RECORDER.get()
}
