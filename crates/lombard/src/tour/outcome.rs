//! The results of a tour.

use lombard_tpp::{Endpoints, TppError};
use std::path::{Path, PathBuf};

/// Why the tour failed.
#[derive(Debug, thiserror::Error)]
pub enum TourError {
    /// A call failed.
    #[error(transparent)]
    Stopped(#[from] TppError),
    /// No server answers where the data folder says that one runs, or the folder names none.
    #[error(
        "no server runs on the data folder {folder}. `lombard --data {folder}` starts one (from the source: \
         `cargo run --release -- --data {folder}`); `lombard tour --data DIR` tours the server of another folder",
        folder = .data_dir.display()
    )]
    NoServer {
        /// The data folder.
        data_dir: PathBuf,
        /// The first call that was not answered, or the file that is not there.
        source: TppError,
    },
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

impl TourError {
    /// The error of the first step, at which a server that does not run shows.
    pub(super) fn of_first_step(data_dir: &Path, error: TppError) -> Self {
        let is_absent = match &error {
            TppError::File { .. } => Endpoints::read_file(data_dir).is_err(),
            TppError::NoAnswer { .. } => true,
            _ => false,
        };
        if is_absent { Self::NoServer { data_dir: data_dir.to_owned(), source: error } } else { error.into() }
    }
}

/// How the tour ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TourEnding {
    /// Every step was executed and checked.
    Complete,
    /// A person has to continue in a browser.
    InBrowser,
}
