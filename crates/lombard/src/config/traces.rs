//! The types of the settings of traces.

use super::value::{SettingValue, quoted};
use url::Url;

/// The address of a collector, without a path of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectorUrl(String);

impl CollectorUrl {
    /// The address, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the collector is called over TLS.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// Parses an http or https address without user information and query.
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        let is_base = url.query().is_none() && url.fragment().is_none() && url.has_host();
        let is_http = matches!(url.scheme(), "http" | "https");
        (is_http && is_base && is_plain).then(|| Self(url.as_str().trim_end_matches('/').to_owned()))
    }
}

impl SettingValue for CollectorUrl {
    const KIND: &'static str = "an http or https address, such as \"http://127.0.0.1:4318\"";

    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_str().and_then(Self::parse)
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    fn show(&self) -> Option<String> {
        Some(quoted(&self.0))
    }
}

/// A share of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleRatio {
    per_million: u32,
}

const MILLION: u32 = 1_000_000;

impl SampleRatio {
    /// How many of a million requests.
    pub const fn per_million(self) -> u32 {
        self.per_million
    }

    /// Parses a number from 0 to 1.
    pub fn parse(text: &str) -> Option<Self> {
        Self::of_number(text.trim().parse().ok()?)
    }

    fn of_number(ratio: f64) -> Option<Self> {
        let wanted = (ratio * f64::from(MILLION)).round();
        let is_share = (0.0..=1.0).contains(&ratio);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is from 0 to a million")]
        is_share.then_some(Self { per_million: wanted as u32 })
    }
}

impl SettingValue for SampleRatio {
    const KIND: &'static str = "a number from 0 to 1";

    fn from_toml(value: &toml::Value) -> Option<Self> {
        match value {
            toml::Value::Float(ratio) => Self::of_number(*ratio),
            toml::Value::Integer(0) => Some(Self { per_million: 0 }),
            toml::Value::Integer(1) => Some(Self { per_million: MILLION }),
            _ => None,
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    fn show(&self) -> Option<String> {
        Some(format!("{:?}", f64::from(self.per_million) / f64::from(MILLION)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_number_from_0_to_1_in_a_file_and_in_a_variable() {
        for (text, per_million) in [("0", 0), ("0.01", 10_000), ("0.25", 250_000), ("1", MILLION), ("1.0", MILLION)] {
            let expected = Some(SampleRatio { per_million });
            assert_eq!(SampleRatio::from_text(text), expected, "{text}");
            assert_eq!(SampleRatio::from_toml(&toml::Value::Float(text.parse().unwrap())), expected, "{text}");
        }
        for text in ["", "-0.1", "1.1", "2", "NaN", "inf", "one"] {
            assert_eq!(SampleRatio::from_text(text), None, "{text}");
        }
        assert_eq!(SampleRatio::from_text("0.05").unwrap().show().as_deref(), Some("0.05"));
    }

    #[test]
    fn a_collector_has_an_address_without_secrets() {
        for (text, address) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318"),
            ("http://collector:4318/", "http://collector:4318"),
            ("https://collector.example/otlp", "https://collector.example/otlp"),
        ] {
            assert_eq!(CollectorUrl::parse(text).unwrap().as_str(), address);
        }
        for text in ["", "collector:4318", "grpc://collector", "http://user:word@collector", "http://collector?key=1"] {
            assert_eq!(CollectorUrl::parse(text), None, "{text}");
        }
    }
}
