//! What each of the server's tables holds.
//!
//! Long because it is one table.

use lombard_database::{StoredData, stored_data};

/// The server's tables, by what they are about.
pub const STORED_DATA: &[StoredData] = stored_data! {
    "consents": "what a TPP asked for and a customer agreed to: permissions, limits, the terms of a payment with names, account numbers and references",
        Yes, "evidence of the customer's agreement, and of what the TPP may do (RW-300)",
        "never authorised: `retention.unauthorised_consent_days`; otherwise `retention.ended_consent_days` after its end, and not before its orders",
        Pseudonymised("ids, client, kind, state and times");
    "consent_accounts": "the accounts that a customer selected, by the ids of the bank and of the TPP",
        Yes, "access is limited to them (AIS-087)", "with its consent", Deleted;
    "consent_uses": "when a consent was last used", Pseudonymous, "the customer's page of applications", "with its consent", Deleted;
    "account_aliases": "the id by which a TPP knows an account", Yes,
        "the id stays the same over all consents (AIS-087)", "as long as the installation",
        Deleted;
    "vrp_usage": "sums that were paid in a period of a VRP consent", Pseudonymous, "the limits of the consent", "with its consent", Deleted;
    "funds_confirmations": "questions about funds, with the TPP's reference", Yes, "a reference is used once (CBP-032)", "with its consent", Deleted;
    "funds_questions": "how often funds were asked about on a day", Pseudonymous, "the daily limit", "until the end of the day", Deleted;
    "decision_evidence": "what a customer was shown before a decision: the outcome of Confirmation of Payee and headings of warnings", Pseudonymous,
        "evidence in disputes about payments", "`retention.evidence_days` after the decision", Deleted;
    "orders": "payment orders: debtor, creditor, references, amount, status history, the customer's IP address", Yes,
        "records of payment transactions, five years at least (Payment Services Regulations 2017, regulation 31)",
        "`retention.order_days` after it was made, if it has ended",
        Pseudonymised("ids, client, product, version, amount, status history and times");
    "order_payments": "the payments of an order: amount, day, status and the bank's reason", Yes, "as orders", "with its order",
        Pseudonymised("amount, currency, days and status");
    "uploads": "files of payments: size and owner", Pseudonymous, "as orders", "unused: until the consent has ended; used: `retention.file_days`", Deleted;
    "upload_pieces": "the bytes of files of payments, with names, account numbers and references", Yes, "the TPP can fetch the file (FILE-020)", "as uploads", Deleted;
    "file_lines": "the payments that were read from a file", Yes, "they are sent to the core", "as uploads", Deleted;
    "upload_senders": "the clients that send files", No, "a lock for their quota", "as long as the installation", NoRows;
    "grants": "who may act for whom: client, customer, consent, time and kind of the authentication", Yes,
        "tokens stand on it", "with its last token and code", Deleted;
    "tokens": "digests of tokens, and the certificate that each is bound to", Pseudonymous, "access", "`retention.session_days` after its end", Deleted;
    "codes": "digests of authorisation codes", Pseudonymous, "access", "`retention.session_days` after its end", Deleted;
    "backchannel_requests": "questions to a customer on another device, with a message", Yes, "decoupled authorisation", "`retention.session_days` after its end", Deleted;
    "interactions": "journeys in a browser: the request, and the customer's id and name", Yes, "the authorisation pages", "`retention.session_days` after its end", Deleted;
    "pushed_requests": "authorisation requests that a TPP pushed, by digest", Pseudonymous, "the authorisation endpoint", "`retention.session_days` after its end",
        Kept("it is not known whose it will be; it expires within minutes");
    "sessions": "sessions of customers: id, name, digest of the browser's secret", Yes, "the customer's pages", "`retention.session_days` after its end", Deleted;
    "provider_logins": "logins under way at the bank's identity provider, by digest", Pseudonymous, "the answer is matched", "`retention.session_days` after its end",
        Kept("it is not known whose it will be; it expires within minutes");
    "attempts": "failed logins, by digest of a user's name or of an address", Pseudonymous, "guesses are limited", "`retention.session_days` after its end",
        Kept("a digest with a secret; it expires within hours");
    "address_attempts": "users whom an address failed to be, both by digest", Pseudonymous, "guesses are limited", "`retention.session_days` after its end",
        Kept("a digest with a secret; it expires within hours");
    "replays": "values that may be used once", No, "protection against replay (AS-026)", "`retention.session_days` after its end", NoRows;
    "form_answers": "answered forms, by digest, with the sealed answer for some seconds", Pseudonymous, "a form is answered once", "`retention.session_days` after its end",
        Kept("sealed, and empty after some seconds");
    "idempotency_keys": "keys of requests, a digest of the body, and the id of what was made", Pseudonymous, "a payment is made once (RW-185)", "an hour after `payments.key_secs`",
        Kept("a digest and the id of an order; it expires within a day or so");
    "events": "events for TPPs: ids of consents, orders and accounts of the TPP", Pseudonymous, "TPPs are told of changes",
        "until it is acknowledged, or `events.retention_days`", Kept("ids that lead to nothing after the erasure");
    "event_tombstones": "ids of acknowledged events", No, "the log can tell an acknowledged event from an unknown one (EVT-039)", "`events.retention_days` after the acknowledgement, or 90 days", NoRows;
    "jobs": "work to do, by ids of orders and consents", Pseudonymous, "the work", "until it is done", Kept("ids that lead to nothing after the erasure");
    "audit_drafts": "acts that are not yet part of the audit log: who, what, on which id, why and from where", Pseudonymous, "the audit log", "until they are sealed, within seconds",
        Kept("the log would be incomplete; it has the id of the customer and no other data of theirs");
    "audit_entries": "the audit log: who did what, on which id, why and from where, each entry with the hash of the one before", Pseudonymous,
        "who had access to records is accounted for", "`retention.audit_days` after the act",
        Kept("a removed entry would look like a manipulation; it has the id of the customer and no other data of theirs");
    "audit_chains": "the end of the log of each node", No, "a missing end of the log is found", "as long as the installation", NoRows;
    "quarantined_work": "work that cannot be done, by ids, and the cause", Pseudonymous, "an operator acts on it", "until an operator lets it go",
        Kept("ids that lead to nothing after the erasure");
    "customer_holds": "customers whose records must be kept, and why", Yes, "legal hold", "until an operator releases it", Kept("a customer on hold is not erased");
    "clients": "registered TPPs; in a sandbox the customer that a TPP without a browser acts for", No, "registration (DCR-016)", "as long as the installation",
        Pseudonymised("the TPP; the id of the customer is removed");
    "operator_changes": "what operators changed of a TPP, and why", No, "registration", "as long as the client", NoRows;
    "registered_software": "the software of TPPs", No, "a lock for registration", "as long as the installation", NoRows;
    "key_sets": "public keys of TPPs and directories", No, "signatures are verified", "as long as the installation", NoRows;
    "portal_links": "digests of login links of developers", No, "the portal", "`retention.session_days` after its end", NoRows;
    "portal_sessions": "sessions of developers, by digest", No, "the portal", "`retention.session_days` after its end", NoRows;
    "portal_customers": "customers that developers added to a sandbox", Pseudonymous, "the portal", "until a reset", Deleted;
    "staff_sessions": "sessions of the bank's staff: name, role, digest of the browser's secret", Staff, "the ops listener", "`retention.session_days` after its end", NoRows;
    "maintenance_notices": "notices of maintenance", No, "published figures (DTN-007)", "as long as the installation", NoRows;
    "signing_keys": "the server's signing keys, sealed", No, "signatures", "as long as the installation", NoRows;
    "settings": "facts about the installation; secrets are sealed", No, "the server", "as long as the installation", NoRows;
    "schema_migrations": "which migrations were applied", No, "upgrades", "as long as the installation", NoRows;
};

#[cfg(test)]
mod tests {
    use lombard_database::testing::{TestDatabase, every_table_is_described};
    use std::sync::Arc;

    async fn every_table_is_listed(database: Arc<TestDatabase>) {
        every_table_is_described(&database, &crate::SCHEMA, super::STORED_DATA).await;
    }

    lombard_database::test_on_both_engines! { every_table_is_listed, }
}
