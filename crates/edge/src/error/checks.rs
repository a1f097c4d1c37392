//! Finds the rules behind refusals, for the request log and never for the client.

use crate::endpoint_facts::RequiredGrant;
use crate::faults;
use lombard_auth::FailedCheck;
use lombard_domain::refusal::{FaultCode, Refusal, RefusalKind};

/// Why a valid token does not allow a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsufficientToken {
    /// The token does not come from the required kind of grant. Source: RW-047.
    OtherGrant(RequiredGrant),
    /// The token was replaced while the request was in progress. Source: EVT-077.
    Replaced,
    /// The consent no longer gives access. Source: AIS-066.
    AccessEnded,
    /// The client was disabled while the request was in progress. Source: AS-113.
    ClientDisabled,
    /// A tester of a sandbox injected this fault.
    Injected,
}

impl InsufficientToken {
    /// The reason as metrics and logs name it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::OtherGrant(_) => "other_grant",
            Self::Replaced => "replaced",
            Self::AccessEnded => "access_ended",
            Self::ClientDisabled => "client_disabled",
            Self::Injected => "injected",
        }
    }

    pub(super) const fn failed_check(self) -> FailedCheck {
        let (rule, reason) = match self {
            Self::OtherGrant(RequiredGrant::Psu) => (
                "RW-047",
                "The endpoint needs the access token of a customer's authorisation, not one by client credentials.",
            ),
            Self::OtherGrant(RequiredGrant::Client | RequiredGrant::Either) => (
                "RW-047",
                "The endpoint needs an access token by client credentials, not one of a customer's authorisation.",
            ),
            Self::Replaced => ("EVT-077", "The access token stopped giving access while the poll was held."),
            Self::AccessEnded => ("AIS-066", "The consent of the access token gives no access any more."),
            Self::ClientDisabled => ("AS-113", "The client of the access token is disabled or deleted."),
            Self::Injected => (faults::REFUSED_BY, faults::RESPONSE_TEXT),
        };
        FailedCheck { rule, reason }
    }
}

/// The rule behind a refusal; that of its first fault, if it has faults.
pub(super) fn rule_of_refusal(refusal: &Refusal) -> &'static str {
    match refusal.kind {
        RefusalKind::Invalid => refusal.faults.first().map_or("RW-101", |fault| rule_of_fault(fault.code)),
        RefusalKind::NotFound => "RW-102",
        RefusalKind::ForeignOwner => "RW-104",
        RefusalKind::PermissionMissing => "RW-106",
        RefusalKind::AccountNotSelected => "RW-107",
        RefusalKind::OutsidePeriod => "AIS-094",
        RefusalKind::AccessEnded => "AIS-066",
        RefusalKind::ConsentState => "PIS-040",
        RefusalKind::IdempotencyKeyReused => "RW-184",
        RefusalKind::LimitReached { .. } => "RW-112",
    }
}

const fn rule_of_fault(code: FaultCode) -> &'static str {
    match code {
        FaultCode::FieldExpected | FaultCode::FieldInvalid | FaultCode::FieldMissing | FaultCode::InvalidFormat => {
            "RW-140"
        }
        FaultCode::FieldInvalidDate => "RW-089",
        FaultCode::FieldUnexpected => "RW-141",
        FaultCode::HeaderInvalid | FaultCode::HeaderMissing => "RW-101",
        FaultCode::NotFound => "RW-102",
        FaultCode::SignatureInvalid => "RW-217",
        FaultCode::SignatureInvalidClaim | FaultCode::SignatureMissingClaim => "PIS-071",
        FaultCode::SignatureMalformed => "RW-216",
        FaultCode::SignatureMissing => "RW-215",
        FaultCode::SignatureUnexpected => "RW-226",
        FaultCode::Reauthenticate => "RW-108",
        FaultCode::ResourceAlreadyExists => "RW-116",
        FaultCode::UnexpectedError => "RW-114",
        FaultCode::AfterCutOff => "PIS-106",
        FaultCode::ConsentMismatch => "PIS-050",
        FaultCode::DuplicateReference => "CBP-036",
        FaultCode::FailsControlParameters => "VRP-055",
        FaultCode::InvalidConsentStatus => "PIS-040",
        FaultCode::UnsupportedAccountIdentifier
        | FaultCode::UnsupportedAccountSecondaryIdentifier
        | FaultCode::UnsupportedScheme => "PIS-114",
        FaultCode::UnsupportedCurrency => "PIS-122",
        FaultCode::UnsupportedEventType => "RW-125",
        FaultCode::UnsupportedFrequency => "SO-005",
        FaultCode::UnsupportedLocalInstrument => "PIS-138",
    }
}
