//! The error codes of the standard, one row each (source: table T4), and the status reasons that only v4.0 has.

use lombard_domain::consent::{ConsentStatusReason, EffectiveConsentStatus, RevokedBy};
use lombard_domain::refusal::FaultCode;
use lombard_domain::version::Version;

/// A row of table T4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCodes {
    /// The code of v3.1, with its namespace.
    pub v3_1: &'static str,
    /// The four-character code of v4.0.
    pub v4_0: &'static str,
    /// The HTTP status of a response with this code.
    pub status: u16,
}

impl ErrorCodes {
    /// The code in a version.
    pub const fn name(self, version: Version) -> &'static str {
        match version {
            Version::V3_1 => self.v3_1,
            Version::V4_0 => self.v4_0,
        }
    }
}

macro_rules! codes {
    ($($fault:ident = $v3_1:literal, $v4_0:literal, $status:literal;)*) => {
        /// The table row of a fault code.
        pub const fn code(fault: FaultCode) -> ErrorCodes {
            match fault {
                $(FaultCode::$fault => ErrorCodes { v3_1: $v3_1, v4_0: $v4_0, status: $status },)*
            }
        }

        /// Every code of the standard.
        pub const ALL: &[FaultCode] = &[$(FaultCode::$fault),*];
    };
}

codes! {
    FieldExpected = "UK.OBIE.Field.Expected", "U001", 400;
    FieldInvalid = "UK.OBIE.Field.Invalid", "U002", 400;
    FieldInvalidDate = "UK.OBIE.Field.InvalidDate", "U003", 400;
    FieldMissing = "UK.OBIE.Field.Missing", "U004", 400;
    FieldUnexpected = "UK.OBIE.Field.Unexpected", "U005", 400;
    HeaderInvalid = "UK.OBIE.Header.Invalid", "U006", 400;
    HeaderMissing = "UK.OBIE.Header.Missing", "U007", 400;
    ConsentMismatch = "UK.OBIE.Resource.ConsentMismatch", "U008", 400;
    InvalidConsentStatus = "UK.OBIE.Resource.InvalidConsentStatus", "U009", 400;
    InvalidFormat = "UK.OBIE.Resource.InvalidFormat", "U010", 400;
    NotFound = "UK.OBIE.Resource.NotFound", "U011", 400;
    AfterCutOff = "UK.OBIE.Rules.AfterCutOffDateTime", "U012", 400;
    DuplicateReference = "UK.OBIE.Rules.DuplicateReference", "U013", 400;
    FailsControlParameters = "UK.OBIE.Rules.FailsControlParameters", "U014", 400;
    SignatureInvalid = "UK.OBIE.Signature.Invalid", "U015", 400;
    SignatureInvalidClaim = "UK.OBIE.Signature.InvalidClaim", "U016", 400;
    SignatureMissingClaim = "UK.OBIE.Signature.MissingClaim", "U017", 400;
    SignatureMalformed = "UK.OBIE.Signature.Malformed", "U018", 400;
    SignatureMissing = "UK.OBIE.Signature.Missing", "U019", 400;
    SignatureUnexpected = "UK.OBIE.Signature.Unexpected", "U020", 400;
    UnsupportedAccountIdentifier = "UK.OBIE.Unsupported.AccountIdentifier", "U021", 400;
    UnsupportedAccountSecondaryIdentifier = "UK.OBIE.Unsupported.AccountSecondaryIdentifier", "U022", 400;
    UnsupportedCurrency = "UK.OBIE.Unsupported.Currency", "U023", 400;
    UnsupportedEventType = "UK.OBIE.Unsupported.EventType", "U024", 400;
    UnsupportedFrequency = "UK.OBIE.Unsupported.Frequency", "U025", 400;
    UnsupportedLocalInstrument = "UK.OBIE.Unsupported.LocalInstrument", "U026", 400;
    UnsupportedScheme = "UK.OBIE.Unsupported.Scheme", "U027", 400;
    Reauthenticate = "UK.OBIE.Reauthenticate", "U028", 403;
    ResourceAlreadyExists = "UK.OBIE.Rules.ResourceAlreadyExists", "U029", 409;
    UnexpectedError = "UK.OBIE.UnexpectedError", "U000", 500;
}

/// A code of `OBExternalStatusReason1Code`; v3.1 has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusReasonCode {
    /// The four-character code.
    pub code: &'static str,
    /// Its description.
    pub description: &'static str,
    /// The member that the reason concerns, if it concerns one. Source: V4-002.
    pub path: Option<&'static str>,
}

impl StatusReasonCode {
    /// The code for a narrative, used when no other code applies; the message explains. Source: RW-125, RW-130.
    pub const NARRATIVE: Self = Self { code: "NARR", description: "The message states the reason.", path: None };
}

/// A list of reasons for a status, one for each row: the code, its description and the member that it concerns.
macro_rules! reasons {
    ($($code:literal: $description:literal $(@ $path:literal)?),*) => {
        &[$($crate::codes::reason!($code, $description $(, $path)?)),*]
    };
}

/// One reason, in the notation of [`reasons!`].
macro_rules! reason {
    ($code:literal, $description:literal) => {
        $crate::codes::StatusReasonCode { code: $code, description: $description, path: None }
    };
    ($code:literal, $description:literal, $path:literal) => {
        $crate::codes::StatusReasonCode { code: $code, description: $description, path: Some($path) }
    };
}

pub(crate) use {reason, reasons};

/// The reasons for a consent's status, and for the rejection of a token whose consent has ended. A known reason is included
/// unless the end of the consent supersedes it. Source: AIS-074, ERR-001 to ERR-009, RW-133.
pub const fn consent_status_reasons(
    status: EffectiveConsentStatus,
    known: Option<ConsentStatusReason>,
) -> &'static [StatusReasonCode] {
    match (status, known) {
        (
            EffectiveConsentStatus::AwaitingAuthorisation
            | EffectiveConsentStatus::Authorised
            | EffectiveConsentStatus::Rejected,
            Some(known),
        ) => known_status_reasons(known),
        (EffectiveConsentStatus::AwaitingAuthorisation, None) => {
            reasons!("U036": "The customer has not decided about the consent yet.")
        }
        (EffectiveConsentStatus::Authorised, None) => &[],
        (EffectiveConsentStatus::Rejected, None) => reasons!("U033": "The customer did not authorise the consent."),
        (EffectiveConsentStatus::Consumed, _) => reasons!("U038": "The order of the consent was made."),
        (EffectiveConsentStatus::Revoked(RevokedBy::Psu), _) => {
            reasons!("CUST": "The customer ended access at the bank.")
        }
        // Long-lived consents can always be authorised again (RW-305), so U028 is always included.
        (EffectiveConsentStatus::Revoked(RevokedBy::Bank), _) => reasons!(
            "TKSP": "The bank has suspended access.",
            "U028": "The customer must authenticate again."
        ),
        (EffectiveConsentStatus::Expired, _) => reasons!("TKXP": "The consent has expired, and its tokens with it."),
    }
}

/// The status reasons that correspond to the known reason of a consent's status. Source: ERR-002, ERR-003, ERR-005, ERR-006,
/// ERR-013.
pub const fn known_status_reasons(known: ConsentStatusReason) -> &'static [StatusReasonCode] {
    match known {
        ConsentStatusReason::InsufficientFunds => {
            reasons!("AM04": "The account that the customer chose does not hold enough." @ "Data.Initiation.DebtorAccount")
        }
        ConsentStatusReason::NotKnown => {
            reasons!("U000": "The authorisation failed at the bank; it may be tried again.")
        }
        ConsentStatusReason::CredentialUnusable => {
            reasons!("TK01": "The authorisation code or refresh token that was presented is not usable.")
        }
        ConsentStatusReason::AfterCutOff => {
            reasons!("TM01": "The cut-off of the payment passed before the authorisation." @ "Data.CutOffDateTime")
        }
        ConsentStatusReason::RateExpired => reasons!(
            "TM01": "The exchange rate expired before the authorisation."
                @ "Data.ExchangeRateInformation.ExpirationDateTime"
        ),
        ConsentStatusReason::AfterCompletionDate => reasons!(
            "TM01": "The completion deadline passed before the authorisation." @ "Data.Authorisation.CompletionDateTime"
        ),
        ConsentStatusReason::UndecidedTooLong => reasons!("U033": "The consent was not authorised in time."),
        ConsentStatusReason::DebtorAccountUnusable => {
            reasons!("U033": "The customer cannot pay from the account named." @ "Data.Initiation.DebtorAccount")
        }
        ConsentStatusReason::TooManyAuthorisers => reasons!(
            "U033": "The customer's accounts need more authorisers than the consent allows."
                @ "Data.Authorisation.AuthorisationType"
        ),
        ConsentStatusReason::FileInvalid => reasons!("FF01": "The file is not valid, or not as announced."),
        ConsentStatusReason::FileControlSum => {
            reasons!("AM10": "The amounts in the file have another sum." @ "Data.Initiation.ControlSum")
        }
        ConsentStatusReason::FileCount => {
            reasons!("AM18": "The file holds another number of payments." @ "Data.Initiation.NumberOfTransactions")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::code::Enumerated;
    use std::collections::HashSet;

    fn told(reasons: &[StatusReasonCode]) -> Vec<(&str, &str)> {
        reasons.iter().map(|reason| (reason.code, reason.path.unwrap_or(""))).collect()
    }

    #[test]
    fn ais_074_err_001_err_006_err_008_and_rw_133_reasons_by_status() {
        for (status, expected) in [
            (EffectiveConsentStatus::AwaitingAuthorisation, &["U036"][..]),
            (EffectiveConsentStatus::Authorised, &[]),
            (EffectiveConsentStatus::Rejected, &["U033"]),
            (EffectiveConsentStatus::Consumed, &["U038"]),
            (EffectiveConsentStatus::Revoked(RevokedBy::Psu), &["CUST"]),
            (EffectiveConsentStatus::Revoked(RevokedBy::Bank), &["TKSP", "U028"]),
            (EffectiveConsentStatus::Expired, &["TKXP"]),
        ] {
            let codes: Vec<_> = consent_status_reasons(status, None).iter().map(|reason| reason.code).collect();
            assert_eq!(codes, expected);
        }
        let known = Some(ConsentStatusReason::CredentialUnusable);
        assert_eq!(told(consent_status_reasons(EffectiveConsentStatus::Expired, known)), [("TKXP", "")]);
        assert_eq!(told(consent_status_reasons(EffectiveConsentStatus::Authorised, known)), [("TK01", "")], "ERR-005");
    }

    #[test]
    fn v4_002_err_002_err_003_err_005_err_013_reasons_have_a_code_and_path() {
        use ConsentStatusReason as R;
        for known in R::VALUES {
            let expected = match known {
                R::InsufficientFunds => ("AM04", "Data.Initiation.DebtorAccount"),
                R::NotKnown => ("U000", ""),
                R::CredentialUnusable => ("TK01", ""),
                R::AfterCutOff => ("TM01", "Data.CutOffDateTime"),
                R::RateExpired => ("TM01", "Data.ExchangeRateInformation.ExpirationDateTime"),
                R::AfterCompletionDate => ("TM01", "Data.Authorisation.CompletionDateTime"),
                R::UndecidedTooLong => ("U033", ""),
                R::DebtorAccountUnusable => ("U033", "Data.Initiation.DebtorAccount"),
                R::TooManyAuthorisers => ("U033", "Data.Authorisation.AuthorisationType"),
                R::FileInvalid => ("FF01", ""),
                R::FileControlSum => ("AM10", "Data.Initiation.ControlSum"),
                R::FileCount => ("AM18", "Data.Initiation.NumberOfTransactions"),
            };
            let reasons = known_status_reasons(*known);
            assert_eq!(told(reasons), [expected]);
            assert!(reasons.iter().all(|reason| reason.code.len() == 4 && reason.description.len() <= 500));
        }
    }

    #[test]
    fn t4_has_thirty_codes_each_once_in_every_version() {
        assert_eq!(ALL.len(), 30);
        for version in [Version::V3_1, Version::V4_0] {
            let names: HashSet<_> = ALL.iter().map(|fault| code(*fault).name(version)).collect();
            assert_eq!(names.len(), ALL.len());
        }
        assert!(ALL.iter().all(|fault| code(*fault).v4_0.len() == 4), "RW-125");
    }
}
