//! JSON documents in columns. Most are domain values, whose stored form the domain defines. This module has the values that
//! span several columns. The tests compare documents of every kind with stored ones verbatim.

use jiff::Timestamp;
use lombard_database::document;
use lombard_domain::ids::PsuId;
use lombard_domain::order::{ApprovalStatus, Approvals};
use lombard_domain::stored;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

/// The customers who approved an order. The rest of [`Approvals`] is in columns, so that lapsed orders can be queried.
#[derive(Serialize, Deserialize)]
pub(crate) struct ApprovalsRecord {
    required: u16,
    received: Vec<PsuId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    failed: Vec<PsuId>,
    #[serde(with = "stored")]
    changed_at: Timestamp,
}

impl ApprovalsRecord {
    pub(crate) fn write(it: &Approvals) -> String {
        let (received, failed) = (it.received.clone(), it.failed.clone());
        document::write(&Self { required: it.required, received, failed, changed_at: it.changed_at })
    }

    pub(crate) fn read(text: &str, status: ApprovalStatus, expires_at: Option<Timestamp>) -> Result<Approvals, Source> {
        let Self { required, received, failed, changed_at } = document::read(text)?;
        Ok(Approvals { status, required, received, failed, changed_at, expires_at })
    }
}
