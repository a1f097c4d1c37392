//! What a tour is told.

use std::path::PathBuf;

/// What the tour is told on the command line.
#[derive(Debug, Clone)]
pub struct TourOptions {
    /// The data folder of the running server.
    pub data_dir: PathBuf,
    /// Send a person through the bank's pages, as `acme`, instead of playing `robot` from end to end.
    pub browser: bool,
    /// The code (or the whole address) a person brought back from the pages; goes on from there.
    pub code: Option<String>,
}
