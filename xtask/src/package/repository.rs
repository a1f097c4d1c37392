//! The files of the repository that are packaged.

use crate::command::workspace;
use crate::error::TaskError;
use std::fs;

/// A file of the repository.
pub(super) fn repository_file(path: &str) -> Result<Vec<u8>, TaskError> {
    Ok(fs::read(workspace().join(path)).map_err(|error| format!("{path} cannot be read: {error}"))?)
}

/// A text of the repository.
pub(super) fn repository_text(path: &str) -> Result<String, TaskError> {
    Ok(String::from_utf8(repository_file(path)?)?)
}
