//! What the bank's staff look up when they help a customer or a TPP: records of all clients and customers, found by any id.
//!
//! [`search`] resolves a text to the records that it names, [`case`] reads a consent with everything that happened under it, and
//! [`customer`] reads what a customer has agreed to. None of this is for a TPP's request: the lookups have no owner.

pub mod case;
pub mod customer;
pub mod search;

pub use case::{CaseOrder, SupportCase, read_case_of_consent, read_case_of_order};
pub use customer::{CustomerRecord, list_active_consents, read_customer};
pub use search::{
    MatchedBy, NamedRecord, SEARCH_CHARS_MAX, SupportMatch, SupportSubject, find_consent_named, find_order_named,
    find_support_matches,
};

/// The most records of one kind that a lookup of staff returns.
pub const RECORDS_MAX: u32 = 50;
