//! The names that differ between the versions of the standard and that the tour needs, as every TPP's program does.

use http::StatusCode;
use lombard_domain::version::Version;
use serde_json::{Value, json};

/// The names of a version.
#[derive(Debug, Clone, Copy)]
pub(super) struct VersionNames {
    version: Version,
    /// A consent that awaits authorisation, and one that has it.
    pub(super) awaiting: &'static str,
    pub(super) authorised: &'static str,
    /// A consent that awaits its file.
    pub(super) awaiting_upload: &'static str,
    /// A new payment order, and one whose payee has the money.
    pub(super) received: &'static str,
    pub(super) credited: &'static str,
    pub(super) rejected: &'static str,
    /// A scheduled payment order that is new, accepted and cancelled.
    pub(super) scheduled: &'static str,
    pub(super) scheduled_accepted: &'static str,
    pub(super) cancelled: &'static str,
    /// A file's order that is new, and one that was carried out but for one payment, which v4.0 shows as failed in part (FILE-023).
    pub(super) file_pending: &'static str,
    pub(super) file_completed: &'static str,
    /// The type of a file of payments in JSON.
    pub(super) file_type: &'static str,
    /// The member of an account that names its kind.
    pub(super) account_kind: &'static str,
    /// The booked balance of the moment, and a booked entry.
    pub(super) interim_booked: &'static str,
    pub(super) booked: &'static str,
    /// The errors for an unknown resource, and for a payment above a limit.
    pub(super) not_found: &'static str,
    pub(super) limit_breach: &'static str,
    /// The status of a request whose idempotency key came with another body before.
    pub(super) key_reused: StatusCode,
}

const V3_1: VersionNames = VersionNames {
    version: Version::V3_1,
    awaiting: "AwaitingAuthorisation",
    authorised: "Authorised",
    awaiting_upload: "AwaitingUpload",
    received: "Pending",
    credited: "AcceptedCreditSettlementCompleted",
    rejected: "Rejected",
    scheduled: "InitiationPending",
    scheduled_accepted: "InitiationCompleted",
    cancelled: "Cancelled",
    file_pending: "InitiationPending",
    file_completed: "InitiationCompleted",
    file_type: "UK.OBIE.PaymentInitiation.3.1",
    account_kind: "AccountSubType",
    interim_booked: "InterimBooked",
    booked: "Booked",
    not_found: "UK.OBIE.Resource.NotFound",
    limit_breach: "UK.OBIE.Rules.FailsControlParameters",
    key_reused: StatusCode::BAD_REQUEST,
};

const V4_0: VersionNames = VersionNames {
    version: Version::V4_0,
    awaiting: "AWAU",
    authorised: "AUTH",
    awaiting_upload: "AWUP",
    received: "RCVD",
    credited: "ACCC",
    rejected: "RJCT",
    scheduled: "RCVD",
    scheduled_accepted: "PDNG",
    cancelled: "CANC",
    file_pending: "PDNG",
    file_completed: "INFA",
    file_type: "UK.OBIE.PaymentInitiation.4.0",
    account_kind: "AccountTypeCode",
    interim_booked: "ITBD",
    booked: "BOOK",
    not_found: "U011",
    limit_breach: "U014",
    key_reused: StatusCode::UNPROCESSABLE_ENTITY,
};

impl VersionNames {
    pub(super) const fn of(version: Version) -> Self {
        match version {
            Version::V3_1 => V3_1,
            Version::V4_0 => V4_0,
        }
    }

    /// Remittance information with this reference. Source: V4-026.
    pub(super) fn remittance(&self, reference: &str) -> Value {
        match self.version {
            Version::V3_1 => json!({"Reference": reference}),
            Version::V4_0 => json!({"Structured": [{"CreditorReferenceInformation": {"Reference": reference}}]}),
        }
    }
}
