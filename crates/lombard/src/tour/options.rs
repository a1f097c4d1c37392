//! The options of a tour.

use lombard_domain::version::Version;
use std::path::PathBuf;

/// The options of the tour.
#[derive(Debug, Clone)]
pub struct TourOptions {
    /// The data folder of the running server.
    pub data_dir: PathBuf,
    /// The version of the standard that is called.
    pub version: Version,
    /// Whether a person authorises on the bank's pages for `acme`, instead of the headless TPP `robot`.
    pub browser: bool,
    /// The code, or the whole redirect URL, that the pages returned. The tour continues with it.
    pub code: Option<String>,
}
