//! The error codes of the standard, one row each (source: table T4), and the status reasons that only v4.0 has.

use lombard_domain::consent::{EffectiveConsentStatus, RevokedBy};
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
}

impl StatusReasonCode {
    /// The code for a narrative, used when no other code applies; the message explains. Source: RW-125, RW-130.
    pub const NARRATIVE: Self = Self { code: "NARR", description: "The message states the reason." };
}

/// The reasons for a consent's status, and for the rejection of a token whose consent has ended. Source: AIS-074,
/// ERR-006, RW-133.
pub const fn consent_status_reasons(status: EffectiveConsentStatus) -> &'static [StatusReasonCode] {
    match status {
        EffectiveConsentStatus::AwaitingAuthorisation => {
            &[StatusReasonCode { code: "U036", description: "The customer has not decided about the consent yet." }]
        }
        EffectiveConsentStatus::Authorised | EffectiveConsentStatus::Consumed => &[],
        EffectiveConsentStatus::Rejected => {
            &[StatusReasonCode { code: "U033", description: "The customer did not authorise the consent." }]
        }
        EffectiveConsentStatus::Revoked(RevokedBy::Psu) => {
            &[StatusReasonCode { code: "CUST", description: "The customer ended access at the bank." }]
        }
        // Account access can always be authorised again (RW-305), so U028 is always included.
        EffectiveConsentStatus::Revoked(RevokedBy::Bank) => &[
            StatusReasonCode { code: "TKSP", description: "The bank has suspended access." },
            StatusReasonCode { code: "U028", description: "The customer must authenticate again." },
        ],
        EffectiveConsentStatus::Expired => {
            &[StatusReasonCode { code: "TKXP", description: "The consent has expired, and its tokens with it." }]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ais_074_err_006_err_008_and_rw_133_reasons_by_status() {
        for (status, expected) in [
            (EffectiveConsentStatus::AwaitingAuthorisation, &["U036"][..]),
            (EffectiveConsentStatus::Authorised, &[]),
            (EffectiveConsentStatus::Rejected, &["U033"]),
            (EffectiveConsentStatus::Revoked(RevokedBy::Psu), &["CUST"]),
            (EffectiveConsentStatus::Revoked(RevokedBy::Bank), &["TKSP", "U028"]),
            (EffectiveConsentStatus::Expired, &["TKXP"]),
        ] {
            let codes: Vec<_> = consent_status_reasons(status).iter().map(|reason| reason.code).collect();
            assert_eq!(codes, expected);
            assert!(
                consent_status_reasons(status)
                    .iter()
                    .all(|reason| reason.code.len() == 4 && reason.description.len() <= 500)
            );
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
