//! The reasons for the status of a consent, beside its state. Source: V4-002, ERR-002 to ERR-006.

use crate::payment::file::FileFault;
use crate::refusal::FileField;

/// Why a consent has its state, where the state alone does not show it. A change of the state clears the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsentStatusReason {
    /// The consent awaits authorisation, and the account that the PSU selected did not hold enough. Source: ERR-003.
    InsufficientFunds,
    /// The consent awaits authorisation, and the last attempt failed at the bank for an unknown reason. Source: ERR-002.
    NotKnown,
    /// The consent is authorised, and its TPP presented an authorisation code or a refresh token that is not usable. Source:
    /// ERR-005.
    CredentialUnusable,
    /// The bank's cut-off passed before the authorisation. Source: PIS-037.
    AfterCutOff,
    /// The exchange rate that the bank held expired before the authorisation. Source: PIS-106, INT-021.
    RateExpired,
    /// The TPP's completion deadline passed before the authorisation. Source: PIS-110.
    AfterCompletionDate,
    /// The consent was left undecided too long. Source: PIS-027.
    UndecidedTooLong,
    /// The PSU cannot pay from the account that the TPP named. Source: PIS-033.
    DebtorAccountUnusable,
    /// The accounts of the PSU need more authorisers than the consent allows. Source: PIS-111.
    TooManyAuthorisers,
    /// The file is not valid, or contradicts its announcement. Source: FILE-012, FILE-014.
    FileInvalid,
    /// The file has another control sum than announced. Source: FILE-013.
    FileControlSum,
    /// The file holds another number of payments than announced. Source: FILE-013.
    FileCount,
}

crate::code::document_codes! {
    ConsentStatusReason {
        InsufficientFunds = "insufficient-funds", NotKnown = "not-known", CredentialUnusable = "credential-unusable",
        AfterCutOff = "after-cut-off", RateExpired = "rate-expired", AfterCompletionDate = "after-completion-date",
        UndecidedTooLong = "undecided-too-long", DebtorAccountUnusable = "debtor-account-unusable",
        TooManyAuthorisers = "too-many-authorisers", FileInvalid = "file-invalid", FileControlSum = "file-control-sum",
        FileCount = "file-count",
    }
}

impl FileFault {
    /// The reason for which the consent that announced the file is rejected. Source: FILE-014, V4-002.
    pub const fn status_reason(&self) -> ConsentStatusReason {
        match self.at {
            FileField::ControlSum => ConsentStatusReason::FileControlSum,
            FileField::Count => ConsentStatusReason::FileCount,
            FileField::Hash | FileField::DebtorAccount | FileField::RequestedExecution | FileField::LocalInstrument => {
                ConsentStatusReason::FileInvalid
            }
        }
    }
}
