//! The rows of one customer: exported and removed.

use super::BankRows;
use crate::storage::PersonalDataStore;
use lombard_database::statement::{SqlStatement, both};
use lombard_database::{exported_rows, read_exported, statements};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_ports::store::{CustomerRecords, StoreError};

/// The rows of a table that belong to the accounts of a customer.
macro_rules! exported_of_accounts {
    ($table:literal by $key:literal: $($column:ident),+) => {
        exported_rows!($table where
            concat!($key, " IN (SELECT bank_account_holders.bank_account_id FROM bank_account_holders WHERE bank_account_holders.psu_id = $1)") =>
            $($column),+)
    };
}

statements! { "customers" =>
    CUSTOMERS = exported_rows!("customers" where "psu_id = $1" => psu_id, name, about, party);
    ACCOUNTS = exported_of_accounts!("bank_accounts" by "id": id, currency, status, sub_type, eligible, credit_limit, authorisers, holders, detail);
    ARRANGEMENTS = exported_of_accounts!("arrangements" by "account_id": kind, account_id, id, due_at, detail);
    STATEMENTS_OF_ACCOUNTS = exported_of_accounts!("statements" by "account_id": id, account_id, kind, reference, starts_at, ends_at, created_at, detail);
    ENTRIES = exported_of_accounts!("entries" by "account_id": id, account_id, booked_at, minor, currency, status, statement_reference, detail);
    ORDERS = exported_of_accounts!("bank_orders" by "debtor_id": id, debtor_id, received_at, due_at, plan);
    ORDER_OPEN = both(
        "SELECT id FROM bank_orders WHERE debtor_id = $1 \
         AND (due_at IS NOT NULL OR EXISTS (SELECT 1 FROM bank_news WHERE bank_news.order_id = bank_orders.id)) ORDER BY id LIMIT 1");
    ENTRIES_REMOVE = both(
        "DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE account_id = $1 ORDER BY booked_at, id LIMIT $2)");
    STATEMENTS_REMOVE = both(
        "DELETE FROM statements WHERE id IN (SELECT id FROM statements WHERE account_id = $1 AND NOT EXISTS \
         (SELECT 1 FROM entries WHERE entries.statement_id = statements.id) ORDER BY ends_at LIMIT $2)");
    ARRANGEMENTS_REMOVE = both(
        "DELETE FROM arrangements WHERE (kind, account_id, id) IN \
         (SELECT kind, account_id, id FROM arrangements WHERE account_id = $1 LIMIT $2)");
    ORDERS_REMOVE = both(
        "DELETE FROM bank_orders WHERE id IN (SELECT id FROM bank_orders WHERE debtor_id = $1 ORDER BY id LIMIT $2)");
    CUSTOMER_REMOVE = both("DELETE FROM customers WHERE psu_id = $1");
}

/// What an export reads, by table.
const EXPORTED: [(&str, &SqlStatement); 6] = [
    ("customers", &CUSTOMERS),
    ("bank_accounts", &ACCOUNTS),
    ("arrangements", &ARRANGEMENTS),
    ("statements", &STATEMENTS_OF_ACCOUNTS),
    ("entries", &ENTRIES),
    ("bank_orders", &ORDERS),
];

/// The rows of an account that are removed, in this order: statements have entries.
const REMOVED: [&SqlStatement; 4] = [&ENTRIES_REMOVE, &STATEMENTS_REMOVE, &ARRANGEMENTS_REMOVE, &ORDERS_REMOVE];

impl PersonalDataStore for BankRows<'_, '_> {
    fn customer_records(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<CustomerRecords>, StoreError> {
        read_exported(self, &EXPORTED, psu, limit)
    }

    fn account_order_open(&mut self, account: &BankAccountId) -> Result<Option<OrderId>, StoreError> {
        self.one(&ORDER_OPEN, &[account.into()], |row| row.id())
    }

    fn account_records_remove(&mut self, account: &BankAccountId, limit: u32) -> Result<u64, StoreError> {
        let mut removed = 0_u64;
        for statement in REMOVED {
            let bounds = [account.into(), i64::from(limit).into()];
            removed = removed.saturating_add(self.execute(statement, &bounds)?);
        }
        Ok(removed)
    }

    fn customer_remove(&mut self, psu: &PsuId) -> Result<(), StoreError> {
        self.execute(&CUSTOMER_REMOVE, &[psu.into()]).map(drop)
    }
}
