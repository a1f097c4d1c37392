//! A file that is shipped.

/// A file that is shipped: a package, or a text beside the packages.
#[derive(Debug)]
pub(super) struct Artefact {
    /// The name of the file.
    pub(super) name: String,
    /// Its content.
    pub(super) bytes: Vec<u8>,
}
