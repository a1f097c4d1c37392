//! The results of a tour.

use lombard_tpp::{Endpoints, TppError};
use std::path::{Path, PathBuf};

/// Why the tour failed.
#[derive(Debug, thiserror::Error)]
pub enum TourError {
    /// A call failed.
    #[error(transparent)]
    Stopped(#[from] TppError),
    /// No server answers on this data folder, or the folder names no server.
    #[error(
        "no server runs on the data folder {folder}. `lombard --data {folder}` starts one (from the source: \
         `cargo run --release -- --data {folder}`); `lombard tour --data DIR` tours the server of another folder",
        folder = .data_dir.display()
    )]
    NoServer {
        /// The data folder.
        data_dir: PathBuf,
        /// The error of the first call, or of reading the missing file.
        source: TppError,
    },
    /// The tour was completed, but some responses violate the standard.
    #[error("{faults} of {checks} checks failed")]
    Faults {
        /// The number of failed checks.
        faults: usize,
        /// The number of checks.
        checks: usize,
    },
    /// The statement could not be saved.
    #[error("{} cannot be written", path.display())]
    NotSaved {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The report could not be written.
    #[error("the report cannot be written")]
    Report(#[from] std::io::Error),
}

impl TourError {
    /// Converts the error of the first step, which shows that no server runs.
    pub(super) fn of_first_step(data_dir: &Path, error: TppError) -> Self {
        let is_absent = match &error {
            TppError::File { .. } => Endpoints::read_file(data_dir).is_err(),
            TppError::NoAnswer { .. } => true,
            _ => false,
        };
        if is_absent { Self::NoServer { data_dir: data_dir.to_owned(), source: error } } else { error.into() }
    }
}

/// How a tour ended without failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TourEnding {
    /// Every step was executed and checked.
    Complete,
    /// A person has to continue in a browser.
    InBrowser,
}
