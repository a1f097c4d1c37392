//! The content of an account-access consent: permissions and period.

use super::Permissions;
use crate::refusal::{Fault, FaultCode, Field};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The content of an account-access consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountAccess {
    /// The permissions.
    pub permissions: Permissions,
    /// Entries booked before this are not covered; inclusive bound. Source: AIS-090, AIS-091.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub transactions_from: Option<Timestamp>,
    /// Entries booked after this are not covered; inclusive bound.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub transactions_to: Option<Timestamp>,
}

impl AccountAccess {
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = self.permissions.faults();
        if let (Some(from), Some(to)) = (self.transactions_from, self.transactions_to)
            && from > to
        {
            faults.push(Fault::field(
                FaultCode::FieldInvalidDate,
                Field::TransactionTo,
                "The last transaction date must not lie before the first.",
            ));
        }
        faults
    }
}
