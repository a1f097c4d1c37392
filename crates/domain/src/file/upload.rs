//! A file that was sent, and how far its payments have come.

use super::FileTotals;
use crate::ids::UploadId;
use serde::{Deserialize, Serialize};

/// The file of a consent, as it was accepted. Source: FILE-009, FILE-020.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadedFile {
    /// Where its bytes and its payments are kept.
    pub id: UploadId,
    /// The media type it came as, whole: it is sent back as that.
    pub media_type: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// What is in it.
    pub totals: FileTotals,
}

/// How far the payments of a file's order have come. Source: FILE-023.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileProgress {
    /// How many payments there are.
    pub count: u32,
    /// How many, from the first, were given to the bank, or found unpayable.
    #[serde(rename = "given")]
    pub submitted: u32,
    /// Of how many it is known whether they are made.
    pub decided: u32,
    /// Of those, how many are not.
    pub rejected: u32,
}

impl FileProgress {
    /// Of a file with so many payments, none of them begun.
    pub const fn for_count(count: u32) -> Self {
        Self { count, submitted: 0, decided: 0, rejected: 0 }
    }

    /// Notes that it is known of one more payment whether it is made.
    pub const fn record_decision(&mut self, made: bool) {
        self.decided = self.decided.saturating_add(1);
        if !made {
            self.rejected = self.rejected.saturating_add(1);
        }
    }

    /// How the order ended, once it is known of every payment: whether at least one is made.
    pub const fn ended(&self) -> Option<bool> {
        if self.submitted >= self.count && self.decided >= self.count { Some(self.rejected < self.count) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_023_a_file_ends_when_it_is_known_of_every_payment_and_fails_when_none_is_made() {
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
