//! An uploaded payment file, and the progress of its payments.

use super::FileTotals;
use crate::ids::UploadId;
use serde::{Deserialize, Serialize};

/// The accepted file of a consent. Source: FILE-009, FILE-020.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadedFile {
    /// The id of the stored upload.
    pub id: UploadId,
    /// The media type of the upload, with its parameters; it is returned on download.
    pub media_type: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The totals of its lines.
    pub totals: FileTotals,
}

/// The progress of the payments of a file order. Source: FILE-023.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileProgress {
    /// The number of payments.
    pub count: u32,
    /// The number of payments, from the first on, that were submitted to the bank or found unpayable.
    #[serde(rename = "given")]
    pub submitted: u32,
    /// The number of payments that are decided: executed or not.
    pub decided: u32,
    /// The number of decided payments that are not executed.
    pub rejected: u32,
}

impl FileProgress {
    /// The progress of a file with this number of payments, none of them submitted.
    pub const fn for_count(count: u32) -> Self {
        Self { count, submitted: 0, decided: 0, rejected: 0 }
    }

    /// Records that one more payment is decided.
    pub const fn record_decision(&mut self, made: bool) {
        self.decided = self.decided.saturating_add(1);
        if !made {
            self.rejected = self.rejected.saturating_add(1);
        }
    }

    /// The result of the order: whether at least one payment is executed. `None` while a payment is undecided.
    pub const fn ended(&self) -> Option<bool> {
        if self.submitted >= self.count && self.decided >= self.count { Some(self.rejected < self.count) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_023_a_file_ends_once_payments_are_known_and_fails_if_none_is_made() {
        let of = |given, made: &[bool]| {
            let mut progress = FileProgress { submitted: given, ..FileProgress::for_count(3) };
            made.iter().for_each(|made| progress.record_decision(*made));
            assert_eq!(progress.decided, u32::try_from(made.len()).unwrap());
            progress.ended()
        };
        assert_eq!(of(3, &[]), None);
        assert_eq!(of(3, &[false, false]), None, "one may still be made");
        assert_eq!(of(2, &[true, false, true]), None, "one was not given yet");
        assert_eq!(of(3, &[true, true, true]), Some(true));
        assert_eq!(of(3, &[false, true, false]), Some(true));
        assert_eq!(of(3, &[false, false, false]), Some(false));
    }
}
