//! The errors of the TPP client.

use http::StatusCode;
use std::path::PathBuf;

/// Why a call could not be made, or why its response cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TppError {
    /// A file of the TPP's folder, or `endpoints.json`, cannot be read.
    #[error("{} cannot be read: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with the file.
        reason: String,
    },
    /// The TLS library rejects the TLS configuration.
    #[error("the TLS identity cannot be used: {0}")]
    Tls(String),
    /// No response was received.
    #[error("no answer from {url}: {reason}")]
    NoAnswer {
        /// The URL called.
        url: String,
        /// The error with all its causes.
        reason: String,
    },
    /// The response has another status than the expected one.
    #[error("{method} {path} answered {status} instead of {wanted}: {body}")]
    Status {
        /// The method called.
        method: String,
        /// The path called.
        path: String,
        /// The status received.
        status: StatusCode,
        /// The status expected.
        wanted: StatusCode,
        /// The first characters of the response body.
        body: String,
    },
    /// A response lacks content that the standard requires.
    #[error("{0}")]
    Answer(String),
    /// An identity token fails a check.
    #[error("the identity token is invalid: {0}")]
    IdToken(String),
    /// A JWT could not be signed.
    #[error("signing failed: {0}")]
    Signing(String),
}

/// An error and its causes in one line.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
