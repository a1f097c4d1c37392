//! Traces: spans are recorded by `lombard-traces`, queued here, and sent to a collector with OTLP over HTTP.
//!
//! Nothing waits for the collector: spans that the queue cannot take are dropped and counted.

mod error;
mod queue;
mod settings;

pub use error::TracesError;

use crate::config::{Telemetry, read_certificates};
use lombard_traces::{TraceChoice, record_spans};
use opentelemetry::KeyValue;
use opentelemetry::global::BoxedTracer;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanExporter as _};
use queue::{SpanQueue, export_queued};
use reqwest::redirect::Policy;
use rustls::{ClientConfig, RootCertStore};
use settings::ExportSettings;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The name of the service and of the tracer, unless `OTEL_SERVICE_NAME` says another.
const NAME: &str = "lombard";

/// The queue of this process, which has one recorder of spans.
static QUEUE: OnceLock<SpanQueue> = OnceLock::new();

/// Begins to record traces if a collector is configured, by `telemetry.otlp_endpoint` or by the standard variables. Must be called in a runtime.
/// A second call has no effect, because a process has one recorder.
///
/// # Errors
/// [`TracesError`], which names the setting or the variable.
pub fn start_traces(telemetry: &Telemetry) -> Result<(), TracesError> {
    let Some(settings) = ExportSettings::read(telemetry, |name| std::env::var(name).ok())? else { return Ok(()) };
    let mut exporter = exporter(&settings)?;
    let resource = resource();
    exporter.set_resource(&resource);
    let (queue, spans) = SpanQueue::new(settings.queue_spans_max);
    // The choice of traces is made before a span is asked for.
    let provider = SdkTracerProvider::builder()
        .with_sampler(Sampler::AlwaysOn)
        .with_resource(resource)
        .with_span_processor(queue.clone())
        .build();
    let tracer = BoxedTracer::new(Box::new(provider.tracer(NAME)));
    let choice = TraceChoice::new(settings.per_million, telemetry.requested_traces_per_sec);
    if record_spans(tracer, choice) {
        tokio::spawn(export_queued(spans, exporter, settings.pause));
        // The recorder was set for the first time, so the queue is too.
        let _ = QUEUE.set(queue);
        tracing::info!(collector = %settings.collector(), "traces are recorded");
    }
    Ok(())
}

/// Sends what is queued, for this long at most.
pub async fn flush_traces(within: Duration) {
    let Some(queue) = QUEUE.get() else { return };
    if tokio::time::timeout(within, queue.flush()).await.is_err() {
        tracing::warn!("the last spans were not sent in time");
    }
}

/// Whom the spans are from: `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` say more than this program knows of itself.
fn resource() -> Resource {
    let own = [KeyValue::new("service.name", NAME), KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))];
    let detectors: [Box<dyn opentelemetry_sdk::resource::ResourceDetector>; 2] =
        [Box::new(TelemetryResourceDetector), Box::new(EnvResourceDetector::new())];
    let resource = Resource::builder_empty().with_attributes(own).with_detectors(&detectors);
    match std::env::var("OTEL_SERVICE_NAME") {
        Ok(name) if !name.is_empty() => resource.with_service_name(name).build(),
        Ok(_) | Err(_) => resource.build(),
    }
}

fn exporter(settings: &ExportSettings) -> Result<SpanExporter, TracesError> {
    let mut roots = RootCertStore::empty();
    if let Some((setting, path)) = &settings.anchors_file {
        let wrong = |reason| TracesError::Anchors { setting, path: path.clone(), reason };
        add_anchors(&mut roots, path).map_err(wrong)?;
    }
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls(roots).map_err(|error| TracesError::Client(error.to_string()))?)
        .redirect(Policy::none())
        .no_proxy()
        .timeout(settings.call_within);
    let client = client.build().map_err(|error| TracesError::Client(error.to_string()))?;
    let mut builder = SpanExporter::builder().with_http().with_http_client(client).with_timeout(settings.call_within);
    if let Some(endpoint) = &settings.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    builder.build().map_err(|error| TracesError::Client(error.to_string()))
}

fn add_anchors(roots: &mut RootCertStore, file: &Path) -> Result<(), String> {
    read_certificates(file)?.into_iter().try_for_each(|anchor| roots.add(anchor).map_err(|error| error.to_string()))
}

fn tls(roots: RootCertStore) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
