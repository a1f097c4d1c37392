//! Reports all findings of a check at once.

use crate::error::TaskError;

/// Fails with a list of findings, unless the list is empty.
pub(super) fn fail_on(what: &str, found: &[String]) -> Result<(), TaskError> {
    if found.is_empty() { Ok(()) } else { Err(format!("{what}:\n  {}", found.join("\n  ")).into()) }
}
