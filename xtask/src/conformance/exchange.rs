//! The exchanges that the tests recorded: one file for each request with its response.

use crate::error::TaskError;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A recorded request with its response.
#[derive(Debug, Deserialize)]
pub(super) struct RecordedExchange {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) status: u16,
    #[serde(rename = "response_headers")]
    pub(super) headers: BTreeMap<String, String>,
    /// The body as JSON, or as a text if it is not JSON, or null if there is none.
    pub(super) body: Value,
}

impl RecordedExchange {
    /// Reads all exchanges of a folder.
    pub(super) fn load_all(folder: &Path) -> Result<Vec<Self>, TaskError> {
        let entries = fs::read_dir(folder).map_err(|error| {
            format!("nothing was recorded in {} ({error}); run cargo xtask test first", folder.display())
        })?;
        let mut found = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let read = serde_json::from_slice(&fs::read(&path)?);
            found.push(read.map_err(|error| format!("{}: {error}", path.display()))?);
        }
        if found.is_empty() {
            return Err(format!("nothing was recorded in {}; run cargo xtask test first", folder.display()).into());
        }
        Ok(found)
    }

    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The media type of the body, without parameters.
    pub(super) fn media_type(&self) -> Option<&str> {
        self.headers.get("content-type").map(|value| value.split(';').next().unwrap_or_default().trim())
    }
}
