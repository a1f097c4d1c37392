//! Contradictions between a payment file and its announcement, in domain terms.

use crate::refusal::{Fault, FaultCode, Field, FileField};

/// A contradiction between a file and its announcement. Its error code is always that of an invalid value. Source: FILE-011,
/// FILE-014.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFault {
    /// The member that the file contradicts.
    pub at: FileField,
    /// The message. It never echoes a value of the request or the file.
    pub message: &'static str,
}

impl From<FileFault> for Fault {
    fn from(it: FileFault) -> Self {
        Self::field(FaultCode::FieldInvalid, Field::File(it.at), it.message)
    }
}
