//! How a check fails: by all that it found, at once.

use crate::error::TaskError;

/// One failure for a list of findings.
pub(super) fn fail_on(what: &str, found: &[String]) -> Result<(), TaskError> {
    if found.is_empty() { Ok(()) } else { Err(format!("{what}:\n  {}", found.join("\n  ")).into()) }
}
