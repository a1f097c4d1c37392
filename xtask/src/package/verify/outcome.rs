//! What is verified, and what comes of it.

use crate::package::contents::Contents;
use std::path::Path;

/// The result of a verification without faults.
#[derive(Debug)]
pub(super) enum Outcome {
    /// What was verified.
    Passed(String),
    /// Why it was not verified.
    Skipped(String),
}

/// What is verified.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    /// What the packages were made of.
    pub(super) contents: &'a Contents,
    /// The folder with the packages.
    pub(super) folder: &'a Path,
}
