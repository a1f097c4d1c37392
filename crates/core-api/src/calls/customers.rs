//! The methods about all data of one customer: the answer to a subject access request, and erasure.

use super::answers::{Answer, FileAnswer, OptionalRecord};
use super::table::{calls, kinds};
use crate::form::values::BoundedText;
use lombard_domain::ids::PsuId;

kinds! {
    KeptReasonKind: String, BoundedText<200>, "KeptReason",
        "Why the core keeps the customer's data, as a sentence for the bank's staff. Without it, they are erased.";
}

calls! {
    /// Everything that the core holds about a customer, as one JSON document, or 204 if it holds nothing. The server puts it unchanged into the
    /// answer to the customer's subject access request.
    ExportCustomer "export-customer" for export_customer, Reads, 60, "" {
        /// The customer, by the id that the bank's identity provider gives.
        psu: PsuId, required(BoundedText<255>, "PSU");
    } -> FileAnswer

    /// Erases what the core holds about a customer, except what its ledger or a regulator needs, which it keeps without the customer's
    /// names, numbers and references. A customer who is unknown, or erased already, is no error. If the core refuses, nothing is erased, there
    /// or at the server.
    EraseCustomer "erase-customer" for erase_customer, Idempotent, 60, "" {
        /// The customer, by the id that the bank's identity provider gives.
        psu: PsuId, required(BoundedText<255>, "PSU");
    } -> Answer<OptionalRecord<KeptReasonKind>>
}
