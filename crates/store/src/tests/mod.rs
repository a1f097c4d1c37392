//! The server's SQL statements on both engines: each can be prepared, and no frequent query scans a table.

mod purge_speed;

use crate::contract::{append, append_and_roll_back};
use crate::{SCHEMA, on_database};
use lombard_database::statement::SqlStatement;
use lombard_database::testing::{
    ForAllOwners, SERVER_STATEMENTS_MAX, TestDatabase, Via, WorkOwner, on_postgres, on_sqlite,
};
use lombard_database::{Database, StoreOptions, migrate_store, test_on_both_engines};
use lombard_domain::ids::ClientId;
use lombard_ports::wake::Wake;
use parking_lot::Mutex;
use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// Every statement of the server's tables.
fn statements() -> impl Iterator<Item = &'static SqlStatement> {
    [
        crate::attempts::STATEMENTS,
        crate::audit::STATEMENTS,
        crate::backchannel::STATEMENTS,
        crate::clients::STATEMENTS,
        crate::connections::STATEMENTS,
        crate::consents::STATEMENTS,
        crate::customer_records::STATEMENTS,
        crate::decision_evidence::STATEMENTS,
        crate::events::CLIENT_STATEMENTS,
        crate::events::RETENTION_STATEMENTS,
        crate::events::DELIVERY_STATEMENTS,
        crate::file_lines::STATEMENTS,
        crate::form_answers::STATEMENTS,
        crate::funds::STATEMENTS,
        crate::grants::STATEMENTS,
        crate::idempotency::STATEMENTS,
        crate::interactions::STATEMENTS,
        crate::provider_logins::STATEMENTS,
        crate::jobs::STATEMENTS,
        crate::keys::STATEMENTS,
        crate::key_sets::STATEMENTS,
        crate::maintenance::STATEMENTS,
        crate::operator_changes::STATEMENTS,
        crate::order_payments::STATEMENTS,
        crate::orders::STATEMENTS,
        crate::payment_files::STATEMENTS,
        crate::portal::STATEMENTS,
        crate::purge::STATEMENTS,
        crate::pushed::STATEMENTS,
        crate::quarantine::STATEMENTS,
        crate::replays::STATEMENTS,
        crate::reset::STATEMENTS,
        crate::retention::STATEMENTS,
        crate::sessions::STATEMENTS,
        crate::settings::STATEMENTS,
        crate::support::STATEMENTS,
        crate::tokens::STATEMENTS,
        crate::vrp_usage::STATEMENTS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Queries for a page of a list or for due work, each with the index that SQLite must use.
fn pages() -> impl Iterator<Item = (&'static SqlStatement, Via)> {
    const TABLES: [&str; 4] = ["file_lines", "order_payments", "orders", "uploads"];
    let is_paged = |it: &&SqlStatement| {
        let is_page = ["ORDER BY", "LIMIT"].iter().all(|part| it.sqlite.contains(part));
        TABLES.contains(&it.table) && is_page || it.sqlite.contains("'awaiting-upload'")
    };
    let index = |it: &SqlStatement| match it.table {
        "orders" if it.sqlite.contains("approve_by <= $1") => "orders_by_end_of_approval",
        "orders" if it.sqlite.contains("used_up IS NULL") => "orders_of_reused_consents",
        "orders" if it.sqlite.contains("FROM consents WHERE psu_id = $1") => "consents_by_psu",
        "orders" if it.sqlite.contains("psu_id = $1") => "orders_by_psu",
        "orders" if it.sqlite.contains(".end_to_end') END = $1") => "orders_by_end_to_end_id",
        "orders" if it.sqlite.contains(".creditor.number') END = $1") => "orders_by_creditor",
        "orders" if it.sqlite.contains("cause = $1") => "orders_by_cause",
        "orders" => "orders_awaiting",
        "order_payments" => "sqlite_autoindex_order_payments_1",
        "uploads" if it.sqlite.contains("JOIN consents") => "uploads_unused_by_id",
        "uploads" => "uploads_abandoned",
        "file_lines" => "PRIMARY KEY",
        "consents" => "consents_undecided",
        table => panic!("{table} has no list: {}", it.sqlite),
    };
    statements().filter(is_paged).map(move |it| (it, Via::Search(index(it))))
}

lombard_database::test_tables! {
    SCHEMA, moved &[4, 9, 10, 12, 13, 16];
    statements, at most SERVER_STATEMENTS_MAX;
    "quarantined_work" of WorkOwner::Server
}

async fn pages_come_from_an_index(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[&SCHEMA]).await.unwrap();
    database.finds_pages_by_index(pages()).await;
    assert_eq!(pages().count(), 14, "pages of every list, and what is due");
}

/// Statements that read rows of all clients and customers together, and never on a request of one of them.
const FOR_ALL_OWNERS: [ForAllOwners; 41] = [
    // Operators' lists, which are short or read in pages.
    ForAllOwners { table: "clients", part: "FROM clients ORDER BY id" },
    ForAllOwners { table: "clients", part: "WHERE id > $1 ORDER BY id LIMIT $2" },
    ForAllOwners { table: "clients", part: "software_name = $1 OR org_name = $1" },
    ForAllOwners { table: "consents", part: "kind = 'domestic-vrp-consents' AND version = $1" },
    ForAllOwners { table: "events", part: "ORDER BY parked_at" },
    ForAllOwners { table: "events", part: "reports > 0 AND parked_at IS NULL ORDER BY" },
    ForAllOwners { table: "quarantined_work", part: "" },
    // The audit log, which workers seal and staff read in pages.
    ForAllOwners { table: "audit_entries", part: "" },
    // Notices, of which there are few.
    ForAllOwners { table: "maintenance_notices", part: "over_at IS NULL OR over_at > $1 ORDER BY" },
    ForAllOwners { table: "maintenance_notices", part: "begins_at < $1" },
    // The recently acknowledged events of a client: a bounded number of rows of all clients.
    ForAllOwners { table: "events", part: "FROM event_tombstones ORDER BY number DESC LIMIT $1" },
    // Metrics.
    ForAllOwners { table: "events", part: "SELECT COUNT(*) FROM events WHERE parked_at IS NOT NULL" },
    ForAllOwners { table: "events", part: "WITH RECURSIVE queues" },
    ForAllOwners { table: "events", part: "SELECT recorded_at FROM events" },
    // Due work, found by its time.
    ForAllOwners { table: "consents", part: "created_at <= $1" },
    ForAllOwners { table: "orders", part: "approve_by <= $1" },
    ForAllOwners { table: "uploads", part: "begun_at <= $1" },
    ForAllOwners { table: "uploads", part: "uploads.id > $1" },
    ForAllOwners { table: "uploads", part: "consents.state = 'consumed' LIMIT" },
    // The rows of deleted clients, removed in batches.
    ForAllOwners { table: "events", part: "status = 'deleted'" },
    // Expired rows, removed in batches.
    ForAllOwners { table: "events", part: "recorded_at < $1" },
    ForAllOwners { table: "events", part: "ended_at < $1" },
    ForAllOwners { table: "funds_confirmations", part: "asked_on < $1" },
    ForAllOwners { table: "idempotency_keys", part: "first_used_at < $1" },
    ForAllOwners { table: "grants", part: "expires_at < $1" },
    ForAllOwners { table: "form_answers", part: "expires_at < $1" },
    ForAllOwners { table: "grants", part: "revoked_at < $1" },
    ForAllOwners { table: "grants", part: "ends_at < $1" },
    // Records after their time, removed in batches.
    ForAllOwners { table: "consents", part: "state_changed_at) < $1" },
    ForAllOwners { table: "consents", part: "state_changed_at END) < $1" },
    ForAllOwners { table: "consents", part: "FROM orders WHERE created_at < $1" },
    ForAllOwners { table: "consents", part: "decided_at < $1" },
    ForAllOwners { table: "consents", part: "uploads.begun_at < $1" },
    // An operator exports or erases a customer, who has few of the sessions and journeys of a day.
    ForAllOwners { table: "customer_holds", part: "FROM sessions WHERE psu_id = $1" },
    ForAllOwners { table: "customer_holds", part: "FROM interactions WHERE psu_id = $1" },
    ForAllOwners { table: "customer_holds", part: "UPDATE clients SET headless_psu_id" },
    // A tester unlocks a customer.
    ForAllOwners { table: "attempts", part: "user_name = $1" },
    // The server's own keys, and a sandbox that is emptied.
    ForAllOwners { table: "signing_keys", part: "ORDER BY" },
    ForAllOwners { table: "settings", part: "DELETE FROM" },
    // A lock, which reads no rows.
    ForAllOwners { table: "portal_links", part: "portal_customers WHERE 0" },
    // A sandbox that returns to a snapshot.
    ForAllOwners { table: "settings", part: "UPDATE clients SET epoch" },
];

/// A request reads only the rows of one client or customer, so its cost does not grow with the rows of others.
async fn rows_are_found_by_key(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[&SCHEMA]).await.unwrap();
    database.finds_rows_by_key(statements(), &FOR_ALL_OWNERS).await;
}

/// The check of a request, the issue of a token and the creation of an order are one round trip each.
async fn hot_paths_take_few_round_trips(database: Arc<TestDatabase>) {
    use crate::contract::round_trips::{check_epochs, find_client, issue_token, load_caller, place_order, prepare};
    let is_remote = database.is_remote();
    let database = database.migrated(&[&SCHEMA]).await;
    let store = on_database(database.clone());
    prepare(&store, 2).await;
    for number in 0..2 {
        let mut told = Vec::new();
        let mut before = database.traffic();
        let mut note = |name: &'static str| {
            let now = database.traffic();
            told.push((name, now.since(before).round_trips));
            before = now;
        };
        check_epochs(&store).await;
        note("epochs");
        load_caller(&store).await;
        note("caller, twice, and its parts");
        find_client(&store).await;
        note("client");
        issue_token(&store, number).await;
        note("token");
        place_order(&store, number).await;
        note("order");
        let expected = [("epochs", 1), ("caller, twice, and its parts", 5), ("client", 1), ("token", 1), ("order", 1)];
        assert_eq!(told, expected.map(|(name, count)| (name, if is_remote { count } else { 0 })));
    }
}

test_on_both_engines! {
    hot_paths_take_few_round_trips,
    every_statement_is_understood,
    statements_of_earlier_releases_are_understood,
    pages_come_from_an_index,
    rows_are_found_by_key,
}

/// Offering, acknowledging and reporting events use an index, however long the queue is.
#[tokio::test]
async fn evt_056_a_poll_never_walks_the_backlog() {
    on_sqlite(async |database| {
        migrate_store(&database.options, &[&SCHEMA]).await.unwrap();
        let mut seen = 0;
        for statement in statements().filter(|it| it.table == "events") {
            let sql = statement.sqlite;
            let found = database.plan(statement).await;
            if sql.contains("ORDER BY reports, deliveries") {
                assert!(
                    found.contains("USING INDEX events_by_turn") && !found.contains("TEMP B-TREE"),
                    "{found}\n{sql}"
                );
                seen += 1;
            } else if sql.contains(" id IN") || sql.contains(" id = $") {
                assert!(found.contains("(id=?)"), "{found}\n{sql}");
                seen += 1;
            } else if sql.contains("ORDER BY number LIMIT 1") {
                assert!(!found.contains("TEMP B-TREE"), "{found}\n{sql}");
                seen += 1;
            }
        }
        assert_eq!(seen, 12);
    })
    .await;
}

/// Records the clients that were woken.
#[derive(Debug, Default)]
struct Written(Mutex<Vec<String>>);

impl Wake for Written {
    fn wake_client(&self, client: &ClientId) {
        self.0.lock().push(client.to_string());
    }

    fn wake_all(&self) {}

    fn receives_remote_wakes(&self, _: bool) {}
}

#[tokio::test]
async fn evt_062_a_commit_wakes_and_a_rollback_does_not() {
    let received = Arc::new(Written::default());
    let options = StoreOptions { wake: Some(Arc::clone(&received) as _), ..StoreOptions::new("sqlite::memory:") };
    let store = on_database(Database::open(&options, &[&SCHEMA]).await.unwrap());
    append_and_roll_back(&store, "loser").await;
    assert!(received.0.lock().is_empty());
    append(&store, "winner").await;
    assert_eq!(*received.0.lock(), ["winner", "winner"], "once for each event");
}

/// Sends the clients that were woken to a channel.
#[derive(Debug)]
struct Said(UnboundedSender<String>);

impl Wake for Said {
    fn wake_client(&self, client: &ClientId) {
        self.0.send(client.to_string()).unwrap();
    }

    fn wake_all(&self) {
        self.0.send("everyone".to_owned()).unwrap();
    }

    fn receives_remote_wakes(&self, receives: bool) {
        self.0.send(format!("receives: {receives}")).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn evt_079_a_commit_wakes_on_every_node() {
    on_postgres(async |database| {
        migrate_store(&database.options, &[&SCHEMA]).await.unwrap();
        let mut nodes = Vec::new();
        for _ in 0..2 {
            let (sender, mut received) = unbounded_channel();
            let options = StoreOptions { wake: Some(Arc::new(Said(sender)) as _), ..database.options.clone() };
            let store = on_database(Database::open(&options, &[&SCHEMA]).await.unwrap());
            for expected in ["receives: false", "receives: true", "everyone"] {
                assert_eq!(received.recv().await.unwrap(), expected);
            }
            nodes.push((store, received));
        }
        let [(first, own), (_second, others)] = &mut nodes[..] else { unreachable!() };
        // Ids unique to this test: all tests share one PostgreSQL server.
        let (loser, winner) = (format!("{}-loser", database.name), format!("{}-winner", database.name));
        append_and_roll_back(first, &loser).await;
        append(first, &winner).await;
        assert_eq!([own.recv().await.unwrap(), own.recv().await.unwrap()], [winner.clone(), winner.clone()]);
        let mut told = others.recv().await.unwrap();
        while !told.starts_with(&database.name) {
            told = others.recv().await.unwrap();
        }
        assert_eq!(told, winner, "gathered into one");
    })
    .await;
}
