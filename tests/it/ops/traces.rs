//! Traces: a collector sees what a request causes in the server and in a core in another process.

use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, ServerProcess, TestCore, access, until};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use lombard_tpp::HttpCall;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use parking_lot::Mutex;
use prost::Message;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// A collector of spans.
struct Collector {
    url: String,
    received: Arc<Received>,
}

#[derive(Default)]
struct Received {
    connections: AtomicUsize,
    /// The spans, each with the name of the service that sent it.
    spans: Mutex<Vec<(String, Span)>>,
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::<Received>::default();
        let shared = Arc::clone(&received);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                shared.connections.fetch_add(1, Ordering::Relaxed);
                let received = Arc::clone(&shared);
                tokio::spawn(async move {
                    let service = service_fn(move |request| take(Arc::clone(&received), request));
                    let http = hyper::server::conn::http1::Builder::new();
                    http.serve_connection(TokioIo::new(stream), service).await
                });
            }
        });
        Self { url, received }
    }

    /// The spans of the trace that the tests name.
    fn spans(&self) -> Vec<(String, Span)> {
        let spans = self.received.spans.lock();
        spans.iter().filter(|(_, span)| hex(&span.trace_id) == TRACE).cloned().collect()
    }
}

async fn take(received: Arc<Received>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    assert_eq!(request.uri().path(), "/v1/traces");
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let export = ExportTraceServiceRequest::decode(body).unwrap();
    for resource in export.resource_spans {
        let service = attribute(&resource.resource.unwrap().attributes, "service.name").unwrap();
        let spans = resource.scope_spans.into_iter().flat_map(|scope| scope.spans);
        received.spans.lock().extend(spans.map(|span| (service.clone(), span)));
    }
    Ok(Response::new(Full::default()))
}

fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn attribute(attributes: &[KeyValue], key: &str) -> Option<String> {
    let found = attributes.iter().find(|it| it.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text.clone()),
        Value::IntValue(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The only span of this service with this name.
fn only<'s>(spans: &'s [(String, Span)], service: &str, name: &str) -> &'s Span {
    let found: Vec<_> = spans.iter().filter(|(from, span)| from == service && span.name == name).collect();
    let [(_, span)] = found.as_slice() else { panic!("{service}, {name}: {spans:#?}") };
    span
}

fn asking_for_a_trace(url: &str, token: &str) -> HttpCall {
    let parent = format!("00-{TRACE}-{CALLER}-01");
    HttpCall::get(url).with_bearer(token).with_header("traceparent", parent).with_header("tracestate", "rojo=1")
}

#[tokio::test(flavor = "multi_thread")]
async fn one_trace_goes_from_the_caller_through_the_server_to_the_core() {
    let collector = Collector::start().await;
    let bank = Bank::unstarted_with(Engine::Sqlite, TestCore::Process).await;
    let settings = [
        ("telemetry.otlp_endpoint", collector.url.as_str()),
        ("telemetry.sample_ratio", "0"),
        ("telemetry.requested_traces_per_sec", "1000"),
    ];
    let variables = [("OTEL_SERVICE_NAME", "node one"), ("OTEL_BSP_SCHEDULE_DELAY", "100")];
    let server = ServerProcess::start_with(&bank, &settings, &variables).await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let account = access.account_ids().await.remove(0);
    assert_eq!(collector.received.spans.lock().len(), 0, "nobody has asked for a trace");

    let url = access.tpp.resource_url(&format!("aisp/accounts/{account}/balances"));
    let answer = access.tpp.send(asking_for_a_trace(&url, access.token())).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
    let route = "GET /open-banking/v3.1/aisp/accounts/{AccountId}/balances";
    let is_complete = |spans: &[(String, Span)]| {
        spans.iter().any(|(_, span)| span.name == route) && spans.iter().any(|(service, _)| service == "lombard")
    };
    let spans = until(async || Some(collector.spans()).filter(|spans| is_complete(spans))).await;

    let request = only(&spans, "node one", route);
    assert_eq!((hex(&request.parent_span_id).as_str(), request.kind()), (CALLER, SpanKind::Server));
    assert_eq!(request.trace_state, "rojo=1");
    let said = |key| attribute(&request.attributes, key);
    assert_eq!(said("http.response.status_code").as_deref(), Some("200"));
    assert_eq!(said("lombard.client.id").as_deref(), Some(access.tpp.client_id().as_str()));
    assert_eq!(said("lombard.interaction.id").as_deref(), Some(answer.head("x-fapi-interaction-id")));
    let is_of_core =
        |(service, span): &&(String, Span)| service == "lombard" && span.name.starts_with("POST /core/v1/");
    let (_, of_core) = spans.iter().find(is_of_core).unwrap();
    let (_, call) = spans.iter().find(|(_, span)| span.span_id == of_core.parent_span_id).unwrap();
    assert_eq!((call.name.as_str(), call.kind()), ("core call", SpanKind::Client), "the core continues the trace");
    assert_eq!(call.parent_span_id, request.span_id);
    let is_of_database = |of: &Span| {
        let within = |span: &Span| span.parent_span_id == of.span_id && span.name.starts_with("database ");
        spans.iter().any(|(_, span)| within(span) && attribute(&span.attributes, "db.operation.name").is_some())
    };
    assert!(is_of_database(request) && is_of_database(of_core), "{spans:#?}");
    for secret in [access.token(), account.as_str(), "amelia"] {
        assert!(!format!("{spans:?}").contains(secret), "{secret} is in a span");
    }

    let metrics = bank.ops_get("/metrics").await.text().into_owned();
    assert!(metrics.contains("lombard_trace_spans_total{outcome=\"sent\"}"), "{metrics}");
    server.kill().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_traces_no_collector_is_called() {
    let collector = Collector::start().await;
    let bank = Bank::unstarted(Engine::Sqlite).await;
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.as_str()), ("OTEL_SDK_DISABLED", "true")];
    let server = ServerProcess::start_with(&bank, &[("telemetry.sample_ratio", "1")], &variables).await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let url = access.tpp.resource_url("aisp/accounts");
    assert_eq!(access.tpp.send(asking_for_a_trace(&url, access.token())).await.unwrap().status, 200);
    let metrics = bank.ops_get("/metrics").await.text().into_owned();
    server.kill().await;
    assert!(!metrics.contains("lombard_trace_spans_total"), "{metrics}");
    assert_eq!(collector.received.connections.load(Ordering::Relaxed), 0);
}
