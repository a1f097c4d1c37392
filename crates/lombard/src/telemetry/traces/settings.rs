//! The settings of traces: those of the configuration, then the standard variables of OpenTelemetry.
//!
//! Source: OpenTelemetry specification, "Environment Variable Specification" and "OpenTelemetry Protocol Exporter".

use super::error::TracesError;
use crate::config::{CollectorUrl, SampleRatio, Telemetry};
use std::path::PathBuf;
use std::time::Duration;

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const TRACES_PROTOCOL: &str = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL";
const CERTIFICATE: &str = "OTEL_EXPORTER_OTLP_CERTIFICATE";
const TRACES_CERTIFICATE: &str = "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE";
const TIMEOUT: &str = "OTEL_EXPORTER_OTLP_TIMEOUT";
const TRACES_TIMEOUT: &str = "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT";
const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
const SAMPLER_RATIO: &str = "OTEL_TRACES_SAMPLER_ARG";
const QUEUE: &str = "OTEL_BSP_MAX_QUEUE_SIZE";
const PAUSE: &str = "OTEL_BSP_SCHEDULE_DELAY";

/// The path of spans at a collector. Source: OTLP specification, "OTLP/HTTP Request".
const TRACES_PATH: &str = "/v1/traces";

/// One request of a hundred.
const USUAL_PER_MILLION: u32 = 10_000;
const MILLION: u32 = 1_000_000;
/// The usual limits of a batch processor. Source: OpenTelemetry specification, "Batch Span Processor".
const USUAL_QUEUE_SPANS: usize = 2_048;
const USUAL_PAUSE_MS: u64 = 5_000;
const USUAL_CALL_MS: u64 = 10_000;
/// The most spans that may be queued: about a hundred megabytes.
const QUEUE_SPANS_MAX: usize = 100_000;

/// How spans are chosen and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExportSettings {
    /// The address that the configuration names, with its path; otherwise the exporter reads it from the variables.
    pub(super) endpoint: Option<String>,
    /// The address that the variables name, for the log.
    variable: Option<String>,
    /// The setting or variable that names the authorities of a collector with an https address, and their file.
    pub(super) anchors_file: Option<(&'static str, PathBuf)>,
    /// How many requests of a million are recorded.
    pub(super) per_million: u32,
    /// The most spans that wait.
    pub(super) queue_spans_max: usize,
    /// The longest time for which a span waits for others.
    pub(super) pause: Duration,
    /// The time limit of a call of the collector.
    pub(super) call_within: Duration,
}

impl ExportSettings {
    /// Reads the settings; `None` if no collector is named, or traces are switched off.
    pub(super) fn read(
        telemetry: &Telemetry,
        variable: impl Fn(&'static str) -> Option<String>,
    ) -> Result<Option<Self>, TracesError> {
        // An empty variable counts as one that is not set.
        let given = |name| variable(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let first = |names: [&'static str; 2]| names.into_iter().find_map(|name| Some((name, given(name)?)));
        let says = |name, word: &str| given(name).is_some_and(|text| text.eq_ignore_ascii_case(word));
        if says("OTEL_SDK_DISABLED", "true") || says("OTEL_TRACES_EXPORTER", "none") {
            return Ok(None);
        }
        let endpoint = telemetry.otlp_endpoint.as_ref();
        let of_variable = first([TRACES_ENDPOINT, ENDPOINT]).filter(|_| endpoint.is_none());
        if endpoint.is_none() && of_variable.is_none() {
            return Ok(None);
        }
        if let Some((name, protocol)) = first([TRACES_PROTOCOL, PROTOCOL])
            && protocol != "http/protobuf"
        {
            return Err(wrong(name, format!("{protocol} is not supported; spans are sent as http/protobuf")));
        }
        let collector = match &of_variable {
            Some((name, text)) => {
                let url = CollectorUrl::parse(text);
                Some((*name, url.ok_or_else(|| wrong(name, format!("{text} is not an http or https address")))?))
            }
            None => None,
        };
        let anchors_file = match &telemetry.otlp_anchors_file {
            Some(file) => Some(("telemetry.otlp_anchors_file", file.clone())),
            None => first([TRACES_CERTIFICATE, CERTIFICATE]).map(|(name, file)| (name, file.into())),
        };
        if let Some((name, url)) = &collector
            && url.is_https()
            && anchors_file.is_none()
        {
            let reason = "is an https address: name the authorities that vouch for it in telemetry.otlp_anchors_file";
            return Err(wrong(name, reason.to_owned()));
        }
        let number = |names| match first(names) {
            Some((name, text)) => match text.parse::<u64>() {
                Ok(number) if number > 0 => Ok(Some(number)),
                Ok(_) | Err(_) => Err(wrong(name, format!("{text} is not a whole number above 0"))),
            },
            None => Ok(None),
        };
        let queue = number([QUEUE, QUEUE])?.map(|spans| usize::try_from(spans).unwrap_or(usize::MAX));
        let pause = number([PAUSE, PAUSE])?.unwrap_or(USUAL_PAUSE_MS);
        let call = number([TRACES_TIMEOUT, TIMEOUT])?.unwrap_or(USUAL_CALL_MS);
        Ok(Some(Self {
            endpoint: endpoint.map(|url| format!("{}{TRACES_PATH}", url.as_str())),
            variable: collector.map(|(_, url)| url.as_str().to_owned()),
            anchors_file,
            per_million: match telemetry.sample_ratio {
                Some(ratio) => ratio.per_million(),
                None => sampler(given(SAMPLER), given(SAMPLER_RATIO))?,
            },
            queue_spans_max: queue.unwrap_or(USUAL_QUEUE_SPANS).min(QUEUE_SPANS_MAX),
            pause: Duration::from_millis(pause),
            call_within: Duration::from_millis(call),
        }))
    }

    /// The address of the collector.
    pub(super) fn collector(&self) -> &str {
        self.endpoint.as_ref().or(self.variable.as_ref()).map_or("", String::as_str)
    }
}

/// The share of requests that the sampler's variables configure. The caller's sampled flag has no effect with any sampler, so the
/// prefix `parentbased_` is ignored.
fn sampler(name: Option<String>, ratio: Option<String>) -> Result<u32, TracesError> {
    let Some(name) = name else { return Ok(USUAL_PER_MILLION) };
    match name.strip_prefix("parentbased_").unwrap_or(&name) {
        "always_on" => Ok(MILLION),
        "always_off" => Ok(0),
        "traceidratio" => match ratio {
            Some(text) => {
                let read = SampleRatio::parse(&text).map(SampleRatio::per_million);
                read.ok_or_else(|| wrong(SAMPLER_RATIO, format!("{text} is not a number from 0 to 1")))
            }
            None => Ok(MILLION),
        },
        _ => Err(wrong(SAMPLER, format!("{name} is not supported; use traceidratio, always_on or always_off"))),
    }
}

fn wrong(name: &'static str, reason: String) -> TracesError {
    TracesError::Variable { name, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn telemetry(settings: &str) -> Telemetry {
        Config::from_parts(&format!("[telemetry]\n{settings}"), &[]).unwrap().telemetry
    }

    fn read(settings: &str, variables: &[(&str, &str)]) -> Result<Option<ExportSettings>, TracesError> {
        let find = |name: &'static str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        ExportSettings::read(&telemetry(settings), find)
    }

    #[test]
    fn traces_are_off_unless_a_collector_is_named() {
        assert_eq!(read("", &[]).unwrap(), None);
        assert_eq!(read("", &[(ENDPOINT, "")]).unwrap(), None);
        assert_eq!(read("sample_ratio = 1.0", &[(SAMPLER, "always_on")]).unwrap(), None);
        for off in [("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none")] {
            assert_eq!(read("otlp_endpoint = \"http://collector:4318\"", &[off]).unwrap(), None);
        }
    }

    #[test]
    fn a_setting_goes_before_the_variable_of_its_name() {
        let variables = [(ENDPOINT, "http://other:4318"), (SAMPLER, "traceidratio"), (SAMPLER_RATIO, "0.5")];
        let set = read("otlp_endpoint = \"http://collector:4318\"\nsample_ratio = 0.25", &variables).unwrap().unwrap();
        assert_eq!(set.endpoint.as_deref(), Some("http://collector:4318/v1/traces"));
        assert_eq!((set.collector(), set.per_million), ("http://collector:4318/v1/traces", 250_000));
        let unset = read("", &variables).unwrap().unwrap();
        assert_eq!((unset.endpoint.as_deref(), unset.collector()), (None, "http://other:4318"));
        assert_eq!(unset.per_million, 500_000);
        assert_eq!(unset.queue_spans_max, USUAL_QUEUE_SPANS);
    }

    #[test]
    fn the_standard_samplers_give_the_share_of_requests() {
        for (name, ratio, per_million) in [
            ("always_on", None, MILLION),
            ("parentbased_always_on", None, MILLION),
            ("always_off", None, 0),
            ("traceidratio", Some("0.1"), 100_000),
            ("parentbased_traceidratio", Some("0.001"), 1_000),
            ("traceidratio", None, MILLION),
        ] {
            let ratio = ratio.map(str::to_owned);
            assert_eq!(sampler(Some(name.to_owned()), ratio).unwrap(), per_million, "{name}");
        }
        assert_eq!(sampler(None, None).unwrap(), USUAL_PER_MILLION);
    }

    #[test]
    fn a_wrong_variable_is_named() {
        let endpoint = (ENDPOINT, "http://collector:4318");
        for (name, value) in [
            (ENDPOINT, "collector:4318"),
            (TRACES_ENDPOINT, "https://collector.example/v1/traces"),
            (PROTOCOL, "grpc"),
            (SAMPLER, "jaeger_remote"),
            (QUEUE, "0"),
            (PAUSE, "soon"),
            (TRACES_TIMEOUT, "-1"),
        ] {
            let error = read("", &[(name, value), endpoint]).unwrap_err().to_string();
            assert!(error.starts_with(name), "{error}");
        }
        let ratio = [endpoint, (SAMPLER, "traceidratio"), (SAMPLER_RATIO, "2")];
        assert!(read("", &ratio).unwrap_err().to_string().starts_with(SAMPLER_RATIO));
    }
}
