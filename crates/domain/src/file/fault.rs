//! Where a file contradicts what was said of it, in domain words.

use crate::refusal::{Fault, FaultCode, Place};

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

impl FileFault {
    /// The fault as a refusal holds it, at the place of its field.
    pub fn at(self, place: Place) -> Fault {
        Fault::at(FaultCode::FieldInvalid, place, self.message)
    }
}
