//! The results of a tour.

use lombard_tpp::TppError;
use std::path::PathBuf;

/// Why the tour failed.
#[derive(Debug, thiserror::Error)]
pub enum TourError {
    /// A call failed.
    #[error(transparent)]
    Stopped(#[from] TppError),
    /// It was completed, but some responses violate the standard.
    #[error("{faults} of {checks} checks failed")]
    Faults {
        /// How many checks failed.
        faults: usize,
        /// How many were made.
        checks: usize,
    },
    /// It could not save the statement.
    #[error("{} cannot be written", path.display())]
    NotSaved {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// It could not write its report.
    #[error("the report cannot be written")]
    Report(#[from] std::io::Error),
}

/// How the tour ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TourEnding {
    /// Every step was executed and checked.
    Complete,
    /// A person has to continue in a browser.
    InBrowser,
}
