//! The comparison of a payment file with its announcement. Source: FILE-011 to FILE-016.

use super::{CommonValue, FileFault, FileInitiation, FileTotals};
use crate::grant::Digest;
use crate::refusal::FileField;

impl FileInitiation {
    /// The fault of a file with another hash. The announced file can still be sent. Source: FILE-011.
    pub fn hash_fault(&self, found: &Digest) -> Option<FileFault> {
        let message = "The digest of the file is not the announced FileHash.";
        (self.hash != *found).then_some(FileFault { at: FileField::Hash, message })
    }

    /// The contradictions between the announcement and the content. The hash matched, so no other file can be sent: the
    /// consent is rejected. Source: FILE-013, FILE-014, FILE-016.
    pub fn faults(&self, found: &FileTotals) -> Vec<FileFault> {
        let debtor = match (&self.debtor, &found.debtor) {
            (_, CommonValue::Mixed) => Some("The payments of a file must all be from one account."),
            (Some(said), CommonValue::Single(named)) if !said.is_same_account(named) => {
                Some("The file names another account to pay from.")
            }
            (Some(_) | None, CommonValue::Single(_) | CommonValue::Absent) => None,
        };
        let checks = [
            (
                FileField::Count,
                differs(self.count, u64::from(found.count), "The file holds another number of payments."),
            ),
            (
                FileField::ControlSum,
                differs(self.sum, found.sum.decimal(), "The amounts in the file have another sum."),
            ),
            (FileField::DebtorAccount, debtor),
            (
                FileField::RequestedExecution,
                contradicts(self.execute_on, &found.execute_on, "The file names another day."),
            ),
            (
                FileField::LocalInstrument,
                contradicts(self.instrument, &found.instrument, "The file names another instrument."),
            ),
        ];
        checks.into_iter().filter_map(|(at, message)| Some(FileFault { at, message: message? })).collect()
    }
}

fn differs<T: PartialEq>(said: Option<T>, found: T, message: &'static str) -> Option<&'static str> {
    said.is_some_and(|said| said != found).then_some(message)
}

/// The message if a value in the lines differs from the announced one.
fn contradicts<T: PartialEq>(said: Option<T>, found: &CommonValue<T>, message: &'static str) -> Option<&'static str> {
    let said = said?;
    match found {
        CommonValue::Absent => None,
        CommonValue::Single(named) => (*named != said).then_some(message),
        CommonValue::Mixed => Some(message),
    }
}
