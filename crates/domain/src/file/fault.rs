//! Where a file contradicts what was said of it, in domain words.

use crate::refusal::{Fault, FaultCode, Field};

/// What a TPP says of a file beforehand; each version of the wire has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileField {
    /// The digest of its bytes.
    Hash,
    /// How many payments are in it.
    Count,
    /// The sum of their amounts.
    ControlSum,
    /// The account to pay from.
    DebtorAccount,
    /// The day they are paid on.
    RequestedExecution,
    /// The rail they go by.
    LocalInstrument,
}

/// A contradiction between a file and one of these. Its code is always the same: a bad value. Source: FILE-011, FILE-014.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFault {
    /// Which one it contradicts.
    pub at: FileField,
    /// A sentence that helps. Never echoes a value from the request or the file.
    pub message: &'static str,
}

impl From<FileFault> for Fault {
    fn from(it: FileFault) -> Self {
        Self::field(FaultCode::FieldInvalid, Field::File(it.at), it.message)
    }
}
