//! Writes log lines, one event per line, as JSON or as text.
//!
//! In the text form, the access line of a request begins with its method, route and status, so that they are easy to find in a terminal.
//!
//! Every line written during a request has the request's `interaction.id`. An error is written with all its causes. Source:
//! RW-050, TLS-018.

use super::refusals::refusals_layer;
use super::repeated_lines::filter_of_process;
use crate::config::{LogFormat, Telemetry};
use crate::output::with_causes;
use lombard_edge::layers::{ACCESS_TARGET, with_current_interaction};
use lombard_traces::with_current_trace_id;
use serde::Serialize;
use std::error::Error;
use std::fmt;
use std::io::{IsTerminal, stderr};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets};
use tracing_subscriber::fmt::format::{DefaultFields, Format, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{Layer, fmt as lines};

/// The field that links a response, its access log line and all other lines of the request.
const INTERACTION_ID: &str = "interaction.id";

/// The field with the trace of a line, if the trace is recorded.
const TRACE_ID: &str = "trace.id";

/// Starts logging to standard error.
///
/// # Errors
/// Fails if a global subscriber is already set.
pub fn start_logging(settings: &Telemetry) -> Result<(), TryInitError> {
    // The level was validated when the configuration was read.
    let filter: Targets = settings.level.parse().unwrap_or_else(|_| Targets::new().with_default(LevelFilter::INFO));
    let is_text = match settings.format {
        LogFormat::Auto => stderr().is_terminal(),
        LogFormat::Text => true,
        LogFormat::Json => false,
    };
    let repeated = filter_of_process(settings.equal_lines_max);
    let lines = lines::layer().with_writer(stderr);
    let lines = if is_text {
        let text = lines.with_ansi(stderr().is_terminal()).fmt_fields(TextFields);
        text.event_format(TextLines::default()).boxed()
    } else {
        lines.event_format(JsonLines).boxed()
    };
    tracing_subscriber::registry().with(lines.with_filter(filter.and(repeated))).with(refusals_layer()).try_init()
}

/// Formats an event as one flat JSON object. The formatter of `tracing-subscriber` would omit the causes of an error.
#[derive(Debug)]
struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let mut line = JsonLine::default();
        line.member("timestamp", &time);
        line.member("level", event.metadata().level().as_str());
        event.record(&mut line);
        if event.metadata().fields().field(INTERACTION_ID).is_none() {
            with_current_interaction(|id| line.member(INTERACTION_ID, id.as_str()));
        }
        with_current_trace_id(|id| line.member(TRACE_ID, &id.to_string()));
        line.member("target", event.metadata().target());
        writeln!(writer, "{}}}", line.text()?)
    }
}

/// A JSON object being written, without its closing brace.
#[derive(Debug, Default)]
struct JsonLine(Vec<u8>);

impl JsonLine {
    fn member(&mut self, name: &str, value: &(impl Serialize + ?Sized)) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
        // Names, numbers and texts can always be written to memory.
        let _ = serde_json::to_writer(&mut self.0, name);
        self.0.push(b':');
        let _ = serde_json::to_writer(&mut self.0, value);
    }

    fn text(&self) -> Result<&str, fmt::Error> {
        std::str::from_utf8(&self.0).map_err(|_| fmt::Error)
    }
}

impl Visit for JsonLine {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.member(field.name(), &value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.member(field.name(), &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.member(field.name(), &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.member(field.name(), &value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.member(field.name(), value);
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.member(field.name(), &with_causes(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.member(field.name(), &format!("{value:?}"));
    }
}

/// Formats an event as text. Every line begins with the time and the level, except access lines.
#[derive(Debug, Default)]
struct TextLines(Format);

impl<S, N> FormatEvent<S, N> for TextLines
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        if event.metadata().target() != ACCESS_TARGET {
            return self.0.format_event(context, writer, event);
        }
        let mut line = AccessLine::default();
        event.record(&mut line);
        let AccessLine { method, route, status, mut others } = line;
        with_current_trace_id(|id| others.extend([" ", TRACE_ID, "=", &id.to_string()]));
        write!(writer, "{method} {route} {status}{others} time=")?;
        SystemTime.format_time(&mut writer)?;
        writeln!(writer)
    }
}

/// The parts of an access line as text.
#[derive(Debug, Default)]
struct AccessLine {
    method: String,
    route: String,
    status: String,
    /// All other fields, each after a space.
    others: String,
}

impl AccessLine {
    fn write(&mut self, name: &str, plain: String, quoted: impl FnOnce() -> String) {
        match name {
            "http.method" => self.method = plain,
            "http.route" => self.route = plain,
            "http.status" => self.status = plain,
            // Every access line has the same message.
            "message" => {}
            _ => self.others.extend([" ", name, "=", &quoted()]),
        }
    }
}

impl Visit for AccessLine {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.write(field.name(), value.to_string(), || format!("{value:.1}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.write(field.name(), value.to_owned(), || format!("{value:?}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = format!("{value:?}");
        self.write(field.name(), text.clone(), || text);
    }
}

/// The fields of a line of text.
#[derive(Debug)]
struct TextFields;

impl<'writer> FormatFields<'writer> for TextFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'writer>, fields: R) -> fmt::Result {
        DefaultFields::new().format_fields(writer.by_ref(), &fields)?;
        let mut found = FindsInteraction(false);
        fields.record(&mut found);
        if found.0 {
            return Ok(());
        }
        let mut written = Ok(());
        with_current_interaction(|id| written = write!(writer, " {INTERACTION_ID}=\"{}\"", id.as_str()));
        written
    }
}

/// Records whether an event has its own `interaction.id`.
#[derive(Debug)]
struct FindsInteraction(bool);

impl Visit for FindsInteraction {
    fn record_debug(&mut self, field: &Field, _: &dyn fmt::Debug) {
        self.0 |= field.name() == INTERACTION_ID;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parking_lot::Mutex;
    use serde_json::{Value, json};
    use std::io;
    use std::sync::Arc;
    use tracing_subscriber::fmt::MakeWriter;

    /// Lines kept in memory.
    #[derive(Debug, Clone, Default)]
    struct BufferedLines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for BufferedLines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl MakeWriter<'_> for BufferedLines {
        type Writer = Self;

        fn make_writer(&self) -> Self {
            self.clone()
        }
    }

    impl BufferedLines {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().clone()).unwrap()
        }
    }

    #[derive(Debug, thiserror::Error)]
    #[error("the database cannot be reached")]
    struct Outer(#[source] Middle);

    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    struct Middle(#[from] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("no connection within 5 s")]
    struct Inner(#[source] io::Error);

    fn fail() {
        let error = Outer(Inner(io::Error::other("host \"db\" is down")).into());
        tracing::error!(error = &error as &dyn Error, http.status = 503, took_ms = 1.5, done = false, "failed");
    }

    #[test]
    fn a_json_line_is_flat_and_names_every_cause_once() {
        let kept = BufferedLines::default();
        let layer = lines::layer().with_writer(kept.clone()).event_format(JsonLines);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), fail);
        let mut line: Value = serde_json::from_str(&kept.text()).unwrap();
        let time = line["timestamp"].take();
        assert!(time.as_str().unwrap().parse::<jiff::Timestamp>().is_ok(), "{time}");
        let expected = json!({
            "timestamp": null,
            "level": "ERROR",
            "message": "failed",
            "error": "the database cannot be reached: no connection within 5 s: host \"db\" is down",
            "http.status": 503,
            "took_ms": 1.5,
            "done": false,
            "target": "lombard::telemetry::log_lines::tests",
        });
        assert_eq!(line, expected);
        assert!(kept.text().ends_with("}\n"));
    }

    /// The text lines of these events.
    fn as_text(events: impl FnOnce()) -> String {
        let kept = BufferedLines::default();
        let layer = lines::layer().with_writer(kept.clone()).with_ansi(false).fmt_fields(TextFields);
        let layer = layer.event_format(TextLines::default());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), events);
        kept.text()
    }

    #[test]
    fn an_access_line_begins_with_method_route_and_status() {
        let text = as_text(|| {
            tracing::event!(
                target: ACCESS_TARGET,
                tracing::Level::INFO,
                interaction.id = "abc",
                client.id = None::<&str>,
                http.method = "GET",
                http.route = "/open-banking/v3.1/aisp/accounts",
                http.status = 200,
                duration_ms = 1.536,
                "answered"
            );
        });
        let start = "GET /open-banking/v3.1/aisp/accounts 200 interaction.id=\"abc\" duration_ms=1.5 time=";
        let time = text.strip_prefix(start).unwrap_or_else(|| panic!("{text}"));
        assert!(time.trim_end().parse::<jiff::Timestamp>().is_ok(), "{time}");
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn a_text_line_names_every_cause_too() {
        let text = as_text(fail);
        for cause in ["failed", "the database cannot be reached", "no connection within 5 s", "host \"db\" is down"] {
            assert!(text.contains(cause), "{text}");
        }
    }
}
