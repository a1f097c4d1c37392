//! A recorder belongs to the process, so one test goes through the life of one.

use crate::{
    CallerTrust, Span, SpanKind, TraceChoice, is_recording, record_spans, with_current_trace_id, write_headers,
};
use futures_util::FutureExt as _;
use http::{HeaderMap, HeaderValue};
use opentelemetry::global::BoxedTracer;
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanData, SpanExporter};
use parking_lot::Mutex;
use std::sync::Arc;

/// Keeps the spans that have ended.
#[derive(Debug, Clone, Default)]
struct EndedSpans(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for EndedSpans {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().extend(batch);
        Ok(())
    }
}

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn request(flags: &str) -> HeaderMap {
    let parent = format!("00-{TRACE}-b7ad6b7169203331-{flags}");
    HeaderMap::from_iter([("traceparent".parse().unwrap(), HeaderValue::from_str(&parent).unwrap())])
}

/// The `traceparent` of a request that is sent now.
fn sent(received: Option<&str>) -> Option<String> {
    let mut headers = HeaderMap::new();
    write_headers(&mut headers, received);
    headers.get("traceparent").map(|value| value.to_str().unwrap().to_owned())
}

#[test]
fn spans_exist_only_in_chosen_traces_of_a_process_that_records() {
    let received = format!("00-{TRACE}-b7ad6b7169203331-01");
    assert!(!Span::of_request("request", &request("01"), CallerTrust::Own).is_recorded());
    assert_eq!(sent(Some(&received)).as_deref(), Some(received.as_str()), "passed on as received");

    let exporter = EndedSpans::default();
    let provider =
        SdkTracerProvider::builder().with_sampler(Sampler::AlwaysOn).with_simple_exporter(exporter.clone()).build();
    let tracer = || BoxedTracer::new(Box::new(provider.tracer("test")));
    assert!(record_spans(tracer(), TraceChoice::new(0, 1)) && is_recording());
    assert!(!record_spans(tracer(), TraceChoice::new(0, 0)), "once");

    assert!(!Span::of_request("request", &HeaderMap::new(), CallerTrust::Stranger).is_recorded());
    assert!(!Span::of_request("request", &request("00"), CallerTrust::Own).is_recorded());
    assert!(!Span::of_own_work("work").is_recorded());
    assert!(!Span::child("call", SpanKind::Client).is_recorded(), "outside of a trace");
    let unsampled = sent(Some(&received)).unwrap();
    assert_eq!(unsampled, format!("00-{TRACE}-b7ad6b7169203331-00"), "a stranger's flag is not passed on");

    let span = Span::of_request("request", &request("01"), CallerTrust::Stranger);
    assert!(span.is_recorded(), "the first request of this second");
    let again = Span::of_request("request", &request("01"), CallerTrust::Stranger);
    assert!(!again.is_recorded(), "the second request");
    assert!(
        Span::of_request("request", &request("01"), CallerTrust::Own).is_recorded(),
        "the bank's own programs decide"
    );
    let work = async {
        let call = Span::child("call", SpanKind::Client);
        call.set("core.method", "balances");
        call.fail("late");
        let sent = call.around(async { sent(None) }).await.unwrap();
        let mut logged = None;
        with_current_trace_id(|id| logged = Some(id.to_string()));
        (sent, logged)
    };
    let (sent, logged) = span.around(work).now_or_never().unwrap();
    span.rename("GET /accounts");
    drop(span);
    assert_eq!(logged.as_deref(), Some(TRACE));
    with_current_trace_id(|id| panic!("{id} outside of the trace"));

    let spans = exporter.0.lock().clone();
    let [_, call, request] = spans.as_slice() else { panic!("{spans:?}") };
    assert_eq!((&*call.name, &*request.name), ("call", "GET /accounts"));
    assert_eq!(request.span_context.trace_id().to_string(), TRACE);
    assert_eq!(request.parent_span_id.to_string(), "b7ad6b7169203331");
    assert_eq!(call.parent_span_id, request.span_context.span_id());
    assert_eq!(sent, format!("00-{TRACE}-{}-01", call.span_context.span_id()));
}
