//! Errors of the sandbox's certificates and directory.

use lombard_jose::KeyError;
use std::path::PathBuf;

/// Errors of the sandbox's certificate authorities.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// A file or folder cannot be read or written.
    #[error("{path} cannot be read or written: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// A file has invalid contents.
    #[error("{path} is not usable ({reason}): restore it, or remove it to have it made anew")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with the contents.
        reason: String,
    },
    /// The request for a TPP, or a name of the servers, is invalid.
    #[error("{0}")]
    InvalidRequest(&'static str),
    /// A certificate could not be created.
    #[error("a certificate could not be made")]
    Certificate(#[from] rcgen::Error),
    /// A key could not be generated or used.
    #[error("a key could not be made")]
    Key(#[from] KeyError),
    /// A thread that generated keys ended unexpectedly.
    #[error("the making of keys was interrupted")]
    Interrupted,
}
