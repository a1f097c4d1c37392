//! JSON documents in columns. Most are values of the domain, which says itself how they are stored; here is what stands
//! in more than one column. The tests keep documents of every kind to the letter.

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

/// Who has agreed to an order: the rest of [`Approvals`] is in columns, by which lapsed ones are found.
#[derive(Serialize, Deserialize)]
pub(crate) struct ApprovalsRecord {
    required: u16,
    received: Vec<PsuId>,
    #[serde(with = "stored")]
    changed_at: Timestamp,
}

impl ApprovalsRecord {
    pub(crate) fn write(it: &Approvals) -> String {
        document::write(&Self { required: it.required, received: it.received.clone(), changed_at: it.changed_at })
    }

    pub(crate) fn read(text: &str, status: ApprovalStatus, expires_at: Option<Timestamp>) -> Result<Approvals, Source> {
        let Self { required, received, changed_at } = document::read(text)?;
        Ok(Approvals { status, required, received, changed_at, expires_at })
    }
}
