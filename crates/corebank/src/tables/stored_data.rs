//! What each table of the built-in bank holds. The bank's ledger is kept without end: a sandbox has no other archive.

use lombard_database::{StoredData, stored_data};

/// The bank's tables, by what they are about.
pub const STORED_DATA: &[StoredData] = stored_data! {
    "customers": "customers: name, address, telephone, e-mail", Yes, "the bank's customers", "until an erasure or a reset", Deleted;
    "bank_accounts": "accounts: name, numbers, holders, state", Yes, "the bank's accounts", "until an erasure or a reset",
        Pseudonymised("id, currency, product and state; a joint account loses the holder and stays with the others");
    "bank_account_holders": "who holds an account", Yes, "the bank's accounts", "with the account", Deleted;
    "bank_account_numbers": "numbers of accounts", Yes, "payments stay in the bank", "with the account", Deleted;
    "arrangements": "payees, mandates, standing orders, scheduled payments, offers and parties of an account", Yes, "the bank's accounts", "with the account", Deleted;
    "statements": "statements of an account", Yes, "the bank's accounts", "with the account", Deleted;
    "entries": "what a customer sees of a posting: description, references, the other party", Yes, "the bank's accounts", "with the account",
        Deleted;
    "ledger_accounts": "accounts of the ledger: id, currency, sums", Pseudonymous, "the ledger sums to zero", "as long as the installation", Kept("ids and amounts, without a name");
    "journals": "bookings: id, cause, time", Pseudonymous, "the ledger sums to zero", "as long as the installation", Kept("ids and times, without a name");
    "postings": "lines of bookings: account, amount", Pseudonymous, "the ledger sums to zero", "as long as the installation", Kept("ids and amounts, without a name");
    "bank_orders": "orders at the bank: the plan of their execution, with names, numbers and references", Yes, "the bank's payments", "until an erasure or a reset", Deleted;
    "bank_news": "status updates that the server has not taken", Pseudonymous, "the server is told", "until the server has taken it", Deleted;
    "order_plans": "outcomes that testers planned for a consent", No, "tests", "until a reset", NoRows;
    "account_changes": "accounts that were closed, switched or blocked, until the server has taken it", Pseudonymous, "the server is told", "until the server has taken it", Kept("ids only");
    "counters": "numbers of entries and changes", No, "the bank", "as long as the installation", NoRows;
    "bank_settings": "facts about the bank that all nodes share", No, "the bank", "as long as the installation", NoRows;
    "bank_quarantine": "work that cannot be done, by ids, and the cause", Pseudonymous, "an operator acts on it", "until an operator lets it go", Kept("ids only");
    "bank_migrations": "which migrations were applied", No, "upgrades", "as long as the installation", NoRows;
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
