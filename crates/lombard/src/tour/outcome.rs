//! How a tour ends.

use lombard_tpp::TppError;
use std::path::PathBuf;

/// Why the tour ended early, or what it found.
#[derive(Debug, thiserror::Error)]
pub enum TourError {
    /// It could not go on.
    #[error(transparent)]
    Stopped(#[from] TppError),
    /// It came to its end, but some answers are not what the standard says.
    #[error("{faults} of {checks} checks failed")]
    Faults {
        /// How many checks failed.
        faults: usize,
        /// How many were made.
        checks: usize,
    },
    /// It could not save a file it was given.
    #[error("{} cannot be written", path.display())]
    NotSaved {
        /// The file.
        path: PathBuf,
        /// What is in the way.
        source: std::io::Error,
    },
    /// It could not write its report.
    #[error("the report cannot be written")]
    Report(#[from] std::io::Error),
}

/// How the tour ended well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TourEnding {
    /// Every step was made and checked.
    Complete,
    /// A person has to go on in a browser.
    InBrowser,
}
