//! The intended deviations from the OpenAPI files, each with its rule.

use super::description::Finding;
use crate::error::TaskError;
use serde::Deserialize;
use std::fs;
use std::path::Path;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    deviation: Vec<Deviation>,
    /// Rules without a test, which only `cargo xtask tidy` reads.
    #[serde(default, rename = "untested")]
    _untested: Vec<toml::Table>,
}

/// One or several values; an absent value matches everything.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum AnyOf<T> {
    One(T),
    Several(Vec<T>),
}

impl<T> Default for AnyOf<T> {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl<T> AnyOf<T> {
    fn has(&self, matches: impl Fn(&T) -> bool) -> bool {
        match self {
            Self::One(value) => matches(value),
            Self::Several(values) => values.is_empty() || values.iter().any(matches),
        }
    }
}

/// An intended deviation. An omitted member matches everything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Deviation {
    /// The rule that requires the deviation.
    rule: String,
    /// The reason, in one sentence.
    why: String,
    /// The operation, such as `GET /open-banking/…`, with parameters in braces. `*` matches one segment, or at the end any rest.
    #[serde(default)]
    operation: AnyOf<String>,
    #[serde(default)]
    status: AnyOf<u16>,
    /// The place, as in a finding: `status`, `header NAME`, `content-type` or a JSON pointer.
    #[serde(default)]
    at: AnyOf<String>,
    #[serde(skip)]
    used: bool,
}

/// All deviations.
#[derive(Debug)]
pub(super) struct Deviations(Vec<Deviation>);

impl Deviations {
    /// Reads the file; a missing file contains no deviations.
    pub(super) fn load(path: &Path) -> Result<Self, TaskError> {
        if !path.exists() {
            return Ok(Self(Vec::new()));
        }
        let read: Result<File, _> = toml::from_str(&fs::read_to_string(path)?);
        let file = read.map_err(|error| format!("{}: {error}", path.display()))?;
        if let Some(empty) = file.deviation.iter().find(|it| it.rule.is_empty() || it.why.is_empty()) {
            return Err(format!("{}: a deviation needs a rule and a reason: {empty:?}", path.display()).into());
        }
        Ok(Self(file.deviation))
    }

    /// Whether a deviation covers the finding. The deviation is marked as used.
    pub(super) fn explain(&mut self, finding: &Finding) -> bool {
        let covering = self.0.iter_mut().find(|deviation| deviation.covers(finding));
        covering.map(|deviation| deviation.used = true).is_some()
    }

    /// The deviations that covered no finding.
    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|deviation| !deviation.used).map(|deviation| deviation.rule.as_str())
    }
}

impl Deviation {
    fn covers(&self, finding: &Finding) -> bool {
        self.operation.has(|pattern| is_match(pattern, &finding.operation))
            && self.status.has(|status| *status == finding.status)
            && self.at.has(|at| *at == finding.at)
    }
}

/// Whether an operation matches this pattern.
fn is_match(pattern: &str, operation: &str) -> bool {
    let (start, matches_rest) = pattern.strip_suffix("/*").map_or((pattern, false), |start| (start, true));
    let (wanted, found): (Vec<_>, Vec<_>) = (start.split('/').collect(), operation.split('/').collect());
    let fits_length = if matches_rest { found.len() > wanted.len() } else { found.len() == wanted.len() };
    fits_length && wanted.iter().zip(&found).all(|(wanted, found)| *wanted == "*" || wanted == found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deviation_covers_what_it_names_and_no_more() {
        let text = "[[deviation]]\nrule = \"RW-009\"\nwhy = \"not built\"\nstatus = 404\nat = \"status\"\noperation = \"GET /a/*\"";
        let file: File = toml::from_str(text).unwrap();
        let mut deviations = Deviations(file.deviation);
        let finding = |operation: &str, status, at: &str| Finding {
            operation: operation.into(),
            status,
            at: at.into(),
            what: "differs".into(),
        };
        assert_eq!(deviations.unused().collect::<Vec<_>>(), ["RW-009"]);
        assert!(!deviations.explain(&finding("GET /b", 404, "status")));
        assert!(!deviations.explain(&finding("GET /a/b", 405, "status")));
        assert!(!deviations.explain(&finding("GET /a/b", 404, "/Data")));
        assert!(deviations.explain(&finding("GET /a/b", 404, "status")));
        assert_eq!(deviations.unused().count(), 0);
    }

    #[test]
    fn a_pattern_matches_versions_and_any_rest() {
        for (pattern, operation, expected) in [
            ("GET /open-banking/*/aisp/accounts", "GET /open-banking/v4.0/aisp/accounts", true),
            ("GET /open-banking/*/aisp/accounts", "GET /open-banking/v4.0/aisp/accounts/{AccountId}", false),
            ("GET /open-banking/*/aisp/*", "GET /open-banking/v3.1/aisp/accounts/{AccountId}", true),
            ("GET /open-banking/*/aisp/*", "POST /open-banking/v3.1/aisp/accounts", false),
        ] {
            assert_eq!(is_match(pattern, operation), expected, "{pattern} {operation}");
        }
    }
}
