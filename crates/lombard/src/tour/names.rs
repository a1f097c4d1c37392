//! The names that differ between the versions of the standard, as far as the tour needs them. Every TPP's program needs such a table.

use http::StatusCode;
use lombard_domain::version::Version;
use serde_json::{Value, json};

/// The names in one version of the standard.
#[derive(Debug, Clone, Copy)]
pub(super) struct VersionNames {
    version: Version,
    /// The status of a consent that awaits authorisation; the next field is the status of an authorised one.
    pub(super) awaiting: &'static str,
    pub(super) authorised: &'static str,
    /// The status of a consent that awaits its file.
    pub(super) awaiting_upload: &'static str,
    /// The status of a new payment order; the next fields are for a credited payee and for a rejected order.
    pub(super) received: &'static str,
    pub(super) credited: &'static str,
    pub(super) rejected: &'static str,
    /// The status of a new scheduled payment order; the next fields are for an accepted and a cancelled one.
    pub(super) scheduled: &'static str,
    pub(super) scheduled_accepted: &'static str,
    pub(super) cancelled: &'static str,
    /// The status of a file's new order. The next field is for one of which all but one payment were made, in v4.0 a partial failure
    /// (FILE-023).
    pub(super) file_pending: &'static str,
    pub(super) file_completed: &'static str,
    /// The file type of a JSON payment file.
    pub(super) file_type: &'static str,
    /// The member of an account that contains its kind.
    pub(super) account_kind: &'static str,
    /// The type of the booked balance at the moment; the next field is the status of a booked entry.
    pub(super) interim_booked: &'static str,
    pub(super) booked: &'static str,
    /// The error code for an unknown resource; the next field is the one for a payment above a limit.
    pub(super) not_found: &'static str,
    pub(super) limit_breach: &'static str,
    /// The status of a response if the idempotency key was used with another body before.
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

    /// Builds remittance information with this reference. Source: V4-026.
    pub(super) fn remittance(&self, reference: &str) -> Value {
        match self.version {
            Version::V3_1 => json!({"Reference": reference}),
            Version::V4_0 => json!({"Structured": [{"CreditorReferenceInformation": {"Reference": reference}}]}),
        }
    }
}
