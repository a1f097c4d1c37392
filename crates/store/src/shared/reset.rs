//! Forgetting what happened: every table is named here, or among those that are kept.

use super::session::{Session, Sql};
use super::statement::{Statement, Text, both, statements};
use lombard_ports::store::{ResetStore, StoreError};

/// Declares the tables that are emptied, those that refer to others first. Writers are kept out of all of them, and
/// postings, which nothing else may remove, are let go for as long as it takes.
macro_rules! forgotten {
    ($($name:ident = $table:literal;)+) => {
        statements! { "postings" =>
            OPEN = Text {
                sqlite: "DROP TRIGGER postings_stay_for_ever",
                postgres: concat!(
                    "DO $$ BEGIN ",
                    $("LOCK TABLE ", $table, " IN EXCLUSIVE MODE; ",)+
                    "ALTER TABLE postings DISABLE TRIGGER postings_stay_as_they_are; END $$"
                ),
            };
            $($name = both(concat!("DELETE FROM ", $table));)+
            CLOSE = Text {
                sqlite: "CREATE TRIGGER IF NOT EXISTS postings_stay_for_ever BEFORE DELETE ON postings \
                         BEGIN SELECT RAISE(ABORT, 'postings cannot be removed'); END",
                postgres: "ALTER TABLE postings ENABLE TRIGGER postings_stay_as_they_are",
            };
        }

        const EMPTY: &[&Statement] = &[$(&$name),+];

        #[cfg(test)]
        const FORGOTTEN: &[&str] = &[$($table),+];
    };
}

forgotten! {
    BANK_NEWS = "bank_news";
    BANK_ORDERS = "bank_orders";
    ORDER_PAYMENTS = "order_payments";
    ORDERS = "orders";
    FILE_LINES = "file_lines";
    UPLOAD_PIECES = "upload_pieces";
    UPLOADS = "uploads";
    UPLOAD_SENDERS = "upload_senders";
    VRP_USAGE = "vrp_usage";
    FUNDS_CONFIRMATIONS = "funds_confirmations";
    FUNDS_QUESTIONS = "funds_questions";
    CONSENT_ACCOUNTS = "consent_accounts";
    CONSENT_USES = "consent_uses";
    ACCOUNT_ALIASES = "account_aliases";
    CODES = "codes";
    TOKENS = "tokens";
    GRANTS = "grants";
    INTERACTIONS = "interactions";
    PUSHED_REQUESTS = "pushed_requests";
    SESSIONS = "sessions";
    ATTEMPTS = "attempts";
    ADDRESS_ATTEMPTS = "address_attempts";
    CONSENTS = "consents";
    IDEMPOTENCY_KEYS = "idempotency_keys";
    QUARANTINED_WORK = "quarantined_work";
    JOBS = "jobs";
    EVENTS = "events";
    EVENT_TOMBSTONES = "event_tombstones";
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

impl<S: Sql> ResetStore for Session<S> {
    fn forget_all(&mut self) -> Result<(), StoreError> {
        self.execute(&OPEN, &[])?;
        // A table is emptied at once, however long it is.
        self.take_time()?;
        for statement in EMPTY {
            self.execute(statement, &[])?;
        }
        self.execute(&CLOSE, &[]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::FORGOTTEN;
    use crate::migrations::MIGRATIONS;
    use std::collections::BTreeSet;

    /// Who the clients are, how the bank is set up, and what must never work twice.
    const KEPT: [&str; 5] = ["clients", "counters", "replays", "settings", "signing_keys"];

    #[test]
    fn every_table_is_either_kept_or_forgotten() {
        let decided: BTreeSet<_> = FORGOTTEN.iter().copied().chain(KEPT).collect();
        assert_eq!(decided.len(), FORGOTTEN.len() + KEPT.len(), "each once");
        for (engine, text) in [
            ("sqlite", MIGRATIONS.iter().map(|it| it.sqlite).collect::<String>()),
            ("postgres", MIGRATIONS.iter().map(|it| it.postgres).collect()),
        ] {
            let made = text.split("CREATE TABLE ").skip(1).filter_map(|rest| rest.split_whitespace().next());
            assert_eq!(made.collect::<BTreeSet<_>>(), decided, "{engine}");
        }
    }
}
