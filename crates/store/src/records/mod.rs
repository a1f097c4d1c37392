//! JSON documents in columns. Most are domain values, whose stored form the domain defines. This module defines the documents of
//! values that are partly stored in other columns. The tests compare documents of every kind with stored samples verbatim.

use jiff::Timestamp;
use lombard_database::document;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::ids::PsuId;
use lombard_domain::payment::order::{ApprovalStatus, Approvals, ApproverAuthentication};
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    authentications: Vec<ApproverRecord>,
    #[serde(with = "stored")]
    changed_at: Timestamp,
}

/// The authentication of one of the customers.
#[derive(Serialize, Deserialize)]
struct ApproverRecord {
    psu: PsuId,
    #[serde(with = "stored")]
    at: Timestamp,
    factors: Vec<AuthenticationFactor>,
}

impl ApprovalsRecord {
    pub(crate) fn write(it: &Approvals) -> String {
        let (received, failed) = (it.received.clone(), it.failed.clone());
        let authentications = it.authentications.iter().cloned();
        let authentications = authentications
            .map(|ApproverAuthentication { psu, at, factors }| ApproverRecord { psu, at, factors })
            .collect();
        document::write(&Self { required: it.required, received, failed, authentications, changed_at: it.changed_at })
    }

    pub(crate) fn read(text: &str, status: ApprovalStatus, expires_at: Option<Timestamp>) -> Result<Approvals, Source> {
        let Self { required, received, failed, authentications, changed_at } = document::read(text)?;
        let authentications = authentications
            .into_iter()
            .map(|ApproverRecord { psu, at, factors }| ApproverAuthentication { psu, at, factors })
            .collect();
        Ok(Approvals { status, required, received, failed, authentications, changed_at, expires_at })
    }
}
