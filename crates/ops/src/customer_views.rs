//! What is done with the records of one customer, and the results.

use lombard_domain::ids::PsuId;
use lombard_ports::store::CustomerRecords;
use lombard_service::customers::{CoreRecords, CustomerErasure, CustomerExport};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is done with a customer's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CustomerChange {
    /// The records are neither purged nor erased.
    Hold,
    /// A hold ends.
    Release,
    /// The records are erased.
    Erase,
}

impl CustomerChange {
    /// The last part of the path, and of the name of the act in audit lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Release => "release",
            Self::Erase => "erase",
        }
    }
}

/// The result of a change of a customer's records.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CustomerChangeView {
    /// The customer.
    pub customer: String,
    /// The erasure, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erasure: Option<CustomerErasureView>,
}

/// The result of an erasure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerErasureView {
    /// The id that stands for the customer in what stays.
    pub pseudonym: String,
    /// The number of consents that were revoked.
    pub consents_revoked: usize,
    /// The number of the server's rows that were removed or pseudonymised.
    pub rows: u64,
    /// Whether the core has erased the customer; `false` if it does not offer it.
    pub erased_at_core: bool,
}

impl From<CustomerErasure> for CustomerErasureView {
    fn from(erasure: CustomerErasure) -> Self {
        let CustomerErasure { pseudonym, consents_revoked, rows, is_erased_at_core } = erasure;
        let pseudonym = pseudonym.as_str().to_owned();
        Self { pseudonym, consents_revoked, rows, erased_at_core: is_erased_at_core }
    }
}

/// Everything that is held about a customer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CustomerExportView {
    /// The customer.
    pub customer: String,
    /// When it was read (wall clock, RFC 3339).
    pub exported_at: String,
    /// The server's rows, by table.
    pub server: Vec<CustomerRecords>,
    /// The document of the core; absent if the core holds nothing or does not export customers. A document that is not JSON is a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<Value>,
    /// Whether the core exports customers. If not, the bank answers for its core by itself.
    pub core_answered: bool,
}

impl CustomerExportView {
    /// The view of an export.
    pub fn new(psu: &PsuId, export: CustomerExport) -> Self {
        let CustomerExport { exported_at, server, core } = export;
        let core_answered = core != CoreRecords::NotOffered;
        let core = match core {
            CoreRecords::Nothing | CoreRecords::NotOffered => None,
            CoreRecords::Document(document) => Some(
                serde_json::from_slice(&document)
                    .unwrap_or_else(|_| String::from_utf8_lossy(&document).into_owned().into()),
            ),
        };
        Self { customer: psu.as_str().to_owned(), exported_at: exported_at.to_string(), server, core, core_answered }
    }
}
