//! Why traces cannot be recorded.

use std::path::PathBuf;

/// Why no traces can be sent.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// A variable has a value that cannot be used.
    #[error("{name}: {reason}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// What is wrong, and how to correct it.
        reason: String,
    },
    /// The file with the authorities of the collector cannot be used.
    #[error("{setting}: {} {reason}", .path.display())]
    Anchors {
        /// The setting or variable that names the file.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The client of the collector cannot be set up.
    #[error("telemetry.otlp_endpoint: traces cannot be sent: {0}")]
    Client(String),
}
