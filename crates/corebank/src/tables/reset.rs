//! Resets the bank. Every table is named here, either as emptied or as kept.

use super::BankRows;
use crate::storage::BankResetStore;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::{TableCopies, statements};
use lombard_ports::store::StoreError;

/// Declares the tables that are emptied; a table comes before the tables that it refers to. All of them are locked against writers, and
/// the triggers that protect postings are disabled meanwhile.
macro_rules! forgotten {
    ($($name:ident = $table:literal;)+) => {
        statements! { "postings" =>
            LOCK = SqlText {
                // SQLite has one writer, so no lock is needed.
                sqlite: "DELETE FROM bank_settings WHERE 0",
                postgres: concat!("DO $$ BEGIN ", $("LOCK TABLE ", $table, " IN EXCLUSIVE MODE; ",)+ "END $$"),
            };
            OPEN = SqlText {
                sqlite: "DROP TRIGGER postings_stay_for_ever",
                postgres: concat!(
                    "DO $$ BEGIN ",
                    $("LOCK TABLE ", $table, " IN EXCLUSIVE MODE; ",)+
                    "ALTER TABLE postings DISABLE TRIGGER postings_stay_as_they_are; END $$"
                ),
            };
            $($name = both(concat!("DELETE FROM ", $table));)+
            CLOSE = SqlText {
                sqlite: "CREATE TRIGGER IF NOT EXISTS postings_stay_for_ever BEFORE DELETE ON postings \
                         BEGIN SELECT RAISE(ABORT, 'postings cannot be removed'); END",
                postgres: "ALTER TABLE postings ENABLE TRIGGER postings_stay_as_they_are",
            };
        }

        const EMPTY: &[&SqlStatement] = &[$(&$name),+];

        const FORGOTTEN: &[&str] = &[$($table),+];
    };
}

forgotten! {
    QUARANTINED_WORK = "bank_quarantine";
    ACCOUNT_CHANGES = "account_changes";
    ORDER_PLANS = "order_plans";
    BANK_NEWS = "bank_news";
    BANK_ORDERS = "bank_orders";
    ENTRIES = "entries";
    STATEMENTS_OF_ACCOUNTS = "statements";
    ARRANGEMENTS = "arrangements";
    POSTINGS = "postings";
    JOURNALS = "journals";
    BANK_ACCOUNT_NUMBERS = "bank_account_numbers";
    BANK_ACCOUNT_HOLDERS = "bank_account_holders";
    BANK_ACCOUNTS = "bank_accounts";
    LEDGER_ACCOUNTS = "ledger_accounts";
    CUSTOMERS = "customers";
}

impl BankResetStore for BankRows<'_, '_> {
    fn bank_reset(&mut self) -> Result<(), StoreError> {
        self.execute(&OPEN, &[])?;
        // Emptying a large table may take longer than the statement timeout.
        self.take_time()?;
        for statement in EMPTY {
            self.execute(statement, &[])?;
        }
        self.execute(&CLOSE, &[]).map(drop)
    }

    fn copy_bank(&mut self, number: u32) -> Result<(), StoreError> {
        self.execute(&LOCK, &[])?;
        copies(number).make(self)
    }

    fn restore_bank(&mut self, number: u32) -> Result<(), StoreError> {
        self.bank_reset()?;
        copies(number).put_back(self)
    }

    fn remove_bank_copy(&mut self, number: u32) -> Result<(), StoreError> {
        copies(number).remove(self)
    }
}

const fn copies(number: u32) -> TableCopies<'static> {
    TableCopies { tables: FORGOTTEN, number }
}

#[cfg(test)]
mod tests {
    use super::FORGOTTEN;
    use lombard_database::testing::every_table_is_decided;

    /// The tables that a reset keeps: the settings, and the counters of entries and of account changes.
    const KEPT: [&str; 2] = ["bank_settings", "counters"];

    #[test]
    fn every_table_is_either_kept_or_forgotten() {
        every_table_is_decided(&crate::SCHEMA, FORGOTTEN, &KEPT);
    }
}
