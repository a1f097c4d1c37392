//! Where a file contradicts what was said of it, in domain words.

use super::FileField;
use crate::refusal::{Fault, FaultCode, Field};

/// A contradiction between a file and what was said of it. Its code is always the same: a bad value. Source: FILE-011,
/// FILE-014.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFault {
    /// What it contradicts.
    pub at: FileField,
    /// A sentence that helps. Never echoes a value from the request or the file.
    pub message: &'static str,
}

impl From<FileFault> for Fault {
    fn from(it: FileFault) -> Self {
        Self::field(FaultCode::FieldInvalid, Field::File(it.at), it.message)
    }
}
