//! A span: a piece of work with its beginning, its end and a few attributes.

use crate::choice::CallerTrust;
use crate::headers::CallerTrace;
use crate::recorder::{Recorder, recorder};
use futures_util::future::Either;
use http::HeaderMap;
use opentelemetry::context::FutureExt;
use opentelemetry::trace::{SpanBuilder, SpanKind, Status, TraceContextExt, TraceId, Tracer};
use opentelemetry::{Context, ContextGuard, KeyValue, Value};
use std::borrow::Cow;

/// A span that ends when its last clone and the work that it surrounds are dropped, or nothing where no trace is recorded.
#[derive(Debug, Clone, Default)]
pub struct Span(Option<Context>);

impl Span {
    /// Begins the span of a request, if its trace is recorded. The trace is that which the headers name, or a new one.
    pub fn of_request(name: &'static str, headers: &HeaderMap, trust: CallerTrust) -> Self {
        let Some(recorder) = recorder() else { return Self(None) };
        let caller = CallerTrace::read(headers);
        if !recorder.choice.chooses(caller.as_ref(), trust) {
            return Self(None);
        }
        let parent = caller.map_or_else(Context::new, CallerTrace::into_context);
        Self::begin(recorder, name, SpanKind::Server, &parent)
    }

    /// Begins the span of work that no request waits for, if chance chooses it.
    pub fn of_own_work(name: &'static str) -> Self {
        let chosen = recorder().filter(|recorder| recorder.choice.draw());
        chosen.map_or_else(Self::default, |it| Self::begin(it, name, SpanKind::Internal, &Context::new()))
    }

    /// Begins a span within the current one; nothing if the work in progress is not recorded.
    pub fn child(name: &'static str, kind: SpanKind) -> Self {
        let Some(recorder) = recorder() else { return Self(None) };
        let parent = Context::map_current(|context| context.has_active_span().then(|| context.clone()));
        parent.map_or_else(Self::default, |parent| Self::begin(recorder, name, kind, &parent))
    }

    fn begin(recorder: &Recorder, name: &'static str, kind: SpanKind, parent: &Context) -> Self {
        let builder = SpanBuilder::from_name(name).with_kind(kind);
        let span = recorder.tracer.build_with_context(builder, parent);
        Self(Some(parent.with_span(span)))
    }

    /// Whether the span is recorded.
    pub const fn is_recorded(&self) -> bool {
        self.0.is_some()
    }

    /// Runs work within the span. It is not an `async fn`, which would hold the work twice in memory.
    pub fn around<W: Future>(&self, work: W) -> impl Future<Output = W::Output> + use<W> {
        match &self.0 {
            Some(context) => Either::Left(work.with_context(context.clone())),
            None => Either::Right(work),
        }
    }

    /// Makes the span the current one of this thread until the guard is dropped.
    pub fn enter(&self) -> Option<ContextGuard> {
        self.0.clone().map(Context::attach)
    }

    /// Sets an attribute. The value must be neither personal data nor a secret.
    pub fn set(&self, key: &'static str, value: impl Into<Value>) {
        if let Some(context) = &self.0 {
            context.span().set_attribute(KeyValue::new(key, value.into()));
        }
    }

    /// Names the span anew.
    pub fn rename(&self, name: impl Into<Cow<'static, str>>) {
        if let Some(context) = &self.0 {
            context.span().update_name(name.into());
        }
    }

    /// Marks the work as failed, for this reason.
    pub fn fail(&self, reason: &'static str) {
        if let Some(context) = &self.0 {
            context.span().set_status(Status::error(reason));
        }
    }
}

/// Calls `show` with the id of the trace that is being recorded, if there is one. For log lines.
pub fn with_current_trace_id(show: impl FnOnce(TraceId)) {
    if recorder().is_none() {
        return;
    }
    let id =
        Context::map_current(|context| context.has_active_span().then(|| context.span().span_context().trace_id()));
    if let Some(id) = id {
        show(id);
    }
}
