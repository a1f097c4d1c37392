//! The bank's SQL statements on both engines: each can be prepared, and no frequent query scans a table.

mod upgrade;

use super::{SCHEMA, open_bank_store};
use lombard_database::statement::SqlStatement;
use lombard_database::testing::{BANK_STATEMENTS_MAX, ForAllOwners, TestDatabase, Via, WorkOwner};
use lombard_database::{migrate_store, test_on_both_engines};
use std::sync::Arc;

/// Every statement of the bank's tables.
fn statements() -> impl Iterator<Item = &'static SqlStatement> {
    [
        super::arrangements::lists::STATEMENTS,
        super::arrangements::statements::STATEMENTS,
        super::status_updates::STATEMENTS,
        super::bank_orders::STATEMENTS,
        super::order_plans::STATEMENTS,
        super::personal_data::STATEMENTS,
        super::ledger::accounts::STATEMENTS,
        super::ledger::customers::STATEMENTS,
        super::ledger::entries::STATEMENTS,
        super::ledger::journals::STATEMENTS,
        super::quarantine::STATEMENTS,
        super::reset::STATEMENTS,
        super::settings::STATEMENTS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The SQL statements that read a page or the span of a list, or due work, each with the index that SQLite must use.
fn pages() -> impl Iterator<Item = (&'static SqlStatement, Via)> {
    const TABLES: [&str; 5] = ["arrangements", "bank_news", "bank_orders", "entries", "statements"];
    let is_paged = |it: &&SqlStatement| TABLES.contains(&it.table) && it.sqlite.contains("ORDER BY");
    statements().filter(is_paged).map(|it| (it, index(it)))
}

fn index(statement: &SqlStatement) -> Via {
    let has = |part: &str| statement.sqlite.contains(part);
    Via::Search(match statement.table {
        // The whole table is read, from its beginning.
        "bank_news" => return Via::Scan("bank_news_by_turn"),
        "arrangements" if has("due_at <= $1") => "arrangements_by_due_time",
        "arrangements" => "sqlite_autoindex_arrangements_1",
        "bank_orders" if has("received_at >= $1") => "bank_orders_received",
        "bank_orders" => "bank_orders_by_due_time",
        "statements" => "statements_by_end",
        _ if has("statement_id = $1") => "entries_by_statement",
        _ if has("statement_id IS NULL") => "entries_on_no_statement",
        _ if has("status = 'pending'") => "entries_pending",
        _ if has("seq >= 0") => "entries_booked_by_time",
        _ if has("minor >= 0") => "entries_credits_by_time",
        _ if has("minor < 0") => "entries_debits_by_time",
        _ => "entries_by_time",
    })
}

lombard_database::test_tables! {
    SCHEMA, moved &[];
    statements, at most BANK_STATEMENTS_MAX;
    "bank_quarantine" of WorkOwner::Bank
}

async fn pages_come_from_an_index(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[&SCHEMA]).await.unwrap();
    database.finds_pages_by_index(pages()).await;
    assert_eq!(pages().count(), 40, "pages of every list, where they begin and end, and what is due");
}

/// A journal that is written without the port, so that the test can try to change it.
const POSTINGS: &str = "
    INSERT INTO ledger_accounts (id, currency, booked, pending) VALUES ('a', 'GBP', -5, 0), ('b', 'GBP', 5, 0);
    INSERT INTO journals (id, cause, booked_at) VALUES ('j', 'c', 0);
    INSERT INTO postings (journal_id, line, account_id, currency, layer, minor)
    VALUES ('j', 0, 'a', 'GBP', 'booked', -5), ('j', 1, 'b', 'GBP', 'booked', 5)";

async fn postings_cannot_be_edited(database: Arc<TestDatabase>) {
    let store = open_bank_store(database.migrated(&[&SCHEMA]).await);
    // A reset removes the postings; postings added after the reset are protected again.
    for _ in 0..2 {
        database.run(POSTINGS).await.unwrap();
        for attempt in ["UPDATE postings SET minor = 6 WHERE minor = 5", "DELETE FROM postings"] {
            assert!(database.run(attempt).await.is_err(), "{attempt}");
        }
        store.write(|tx| tx.bank_reset()).await.unwrap();
    }
}

async fn spoilt_news_keep_back_their_order_alone(database: Arc<TestDatabase>) {
    use super::contract::bank_orders;
    let store = open_bank_store(database.migrated(&[&SCHEMA]).await);
    bank_orders::add_status_updates(&store).await;
    assert_eq!(database.texts(bank_orders::SPOIL).await, ["a"]);
    bank_orders::spoilt_updates_keep_back_their_order_alone(&store).await;
}

/// Queries that read rows of all customers; no request about a single customer uses them.
const FOR_ALL_OWNERS: [ForAllOwners; 11] = [
    // Lists and sums for operators.
    ForAllOwners { table: "bank_orders", part: "received_at >= $1" },
    ForAllOwners { table: "customers", part: "FROM customers ORDER BY psu_id" },
    ForAllOwners { table: "bank_accounts", part: "SELECT COUNT(*)" },
    ForAllOwners { table: "bank_quarantine", part: "" },
    ForAllOwners { table: "ledger_accounts", part: "FROM postings GROUP BY currency" },
    // Due work, found by its due time.
    ForAllOwners { table: "arrangements", part: "due_at <= $1" },
    ForAllOwners { table: "bank_orders", part: "due_at <= $1" },
    ForAllOwners { table: "bank_news", part: "ORDER BY turn" },
    ForAllOwners { table: "entries", part: "status = 'pending' AND booked_at <= $1" },
    // An operator exports or erases a customer: the few arrangements of a sandbox.
    ForAllOwners { table: "customers", part: "FROM arrangements" },
    // The reset of a sandbox.
    ForAllOwners { table: "postings", part: "DELETE FROM" },
];

/// A request reads rows of one account or customer only, so its cost does not grow with the number of other rows.
async fn rows_are_found_by_key(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[&SCHEMA]).await.unwrap();
    database.finds_rows_by_key(statements(), &FOR_ALL_OWNERS).await;
}

/// Each frequent read of TPPs takes one round trip, even if it consists of several queries.
async fn reads_take_one_round_trip(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let database = database.migrated(&[&SCHEMA]).await;
    let store = open_bank_store(database.clone());
    super::contract::pages::add_accounts_with_entries(&store).await;
    for round in 0..2 {
        let before = database.traffic();
        super::contract::pages::read_what_tpps_read(&store).await;
        let traffic = database.traffic().since(before);
        let reads = u64::from(super::contract::pages::READS);
        // On a new connection, statements are first prepared; these round trips are not counted.
        assert_eq!(traffic.round_trips, if is_remote { reads } else { 0 }, "round {round}");
    }
}

test_on_both_engines! {
    reads_take_one_round_trip,
    every_statement_is_understood,
    statements_of_earlier_releases_are_understood,
    pages_come_from_an_index,
    rows_are_found_by_key,
    postings_cannot_be_edited,
    spoilt_news_keep_back_their_order_alone,
}
