//! Resets the server's tables. Every table is named here, either as emptied or as kept.

use crate::rows::Rows;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::{TableCopies, statements};
use lombard_ports::store::{ResetStore, StoreError};

/// Declares the tables that are emptied; a referring table precedes the table to which it refers. The statement locks all of them
/// against writers.
macro_rules! forgotten {
    ($($name:ident = $table:literal;)+) => {
        statements! { "settings" =>
            LOCK = SqlText {
                // SQLite has one writer, so no lock is needed.
                sqlite: "DELETE FROM settings WHERE 0",
                postgres: concat!("DO $$ BEGIN ", $("LOCK TABLE ", $table, " IN EXCLUSIVE MODE; ",)+ "END $$"),
            };
            $($name = both(concat!("DELETE FROM ", $table));)+
            MOVE_EPOCHS = both("UPDATE clients SET epoch = epoch + 1");
        }

        const EMPTY: &[&SqlStatement] = &[$(&$name),+];

        const FORGOTTEN: &[&str] = &[$($table),+];
    };
}

forgotten! {
    ORDER_PAYMENTS = "order_payments";
    ORDERS = "orders";
    FILE_LINES = "file_lines";
    UPLOAD_PIECES = "upload_pieces";
    UPLOADS = "uploads";
    UPLOAD_SENDERS = "upload_senders";
    VRP_USAGE = "vrp_usage";
    FUNDS_CONFIRMATIONS = "funds_confirmations";
    FUNDS_QUESTIONS = "funds_questions";
    DECISION_EVIDENCE = "decision_evidence";
    CONSENT_ACCOUNTS = "consent_accounts";
    CONSENT_USES = "consent_uses";
    ACCOUNT_ALIASES = "account_aliases";
    BACKCHANNEL_REQUESTS = "backchannel_requests";
    CODES = "codes";
    TOKENS = "tokens";
    GRANTS = "grants";
    INTERACTIONS = "interactions";
    PUSHED_REQUESTS = "pushed_requests";
    SESSIONS = "sessions";
    PROVIDER_LOGINS = "provider_logins";
    FORM_ANSWERS = "form_answers";
    PORTAL_CUSTOMERS = "portal_customers";
    ATTEMPTS = "attempts";
    ADDRESS_ATTEMPTS = "address_attempts";
    CONSENTS = "consents";
    CUSTOMER_HOLDS = "customer_holds";
    IDEMPOTENCY_KEYS = "idempotency_keys";
    QUARANTINED_WORK = "quarantined_work";
    JOBS = "jobs";
    EVENTS = "events";
    EVENT_TOMBSTONES = "event_tombstones";
}

impl ResetStore for Rows<'_, '_> {
    fn server_tables_clear(&mut self) -> Result<(), StoreError> {
        self.execute(&LOCK, &[])?;
        // Emptying a large table may take longer than the statement timeout.
        self.take_time()?;
        for statement in EMPTY {
            self.execute(statement, &[])?;
        }
        Ok(())
    }

    fn server_tables_copy(&mut self, number: u32) -> Result<(), StoreError> {
        self.execute(&LOCK, &[])?;
        copies(number).make(self)
    }

    fn server_tables_restore(&mut self, number: u32) -> Result<(), StoreError> {
        self.server_tables_clear()?;
        copies(number).put_back(self)?;
        self.execute(&MOVE_EPOCHS, &[]).map(drop)
    }

    fn server_tables_copy_remove(&mut self, number: u32) -> Result<(), StoreError> {
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

    /// The tables that a reset keeps: the audit log, clients, the changes that operators made to them, their key sets and logins at the portal,
    /// settings, signing keys, notices of maintenance, the values that protect against replay, and the logins of staff.
    const KEPT: [&str; 14] = [
        "audit_chains",
        "audit_drafts",
        "audit_entries",
        "clients",
        "key_sets",
        "maintenance_notices",
        "operator_changes",
        "portal_links",
        "portal_sessions",
        "registered_software",
        "replays",
        "settings",
        "signing_keys",
        "staff_sessions",
    ];

    #[test]
    fn every_table_is_either_kept_or_forgotten() {
        every_table_is_decided(&crate::SCHEMA, FORGOTTEN, &KEPT);
    }
}
