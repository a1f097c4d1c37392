//! An upgrade while nodes serve: the database gets the schema of the next release, nodes of this release go on and start on it, which is
//! also the way back, and no call fails.

use crate::harness::paying::{consents, orders};
use crate::harness::{Bank, EVERYTHING, Engine, PayingTpp, access, until};
use crate::workers::rows::{change, texts};
use lombard_database::{Database, Migration, Schema, StoreOptions, migrate_store};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpExchange, Tpp};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_postgres::{Client, NoTls};

/// Callers of each node, and the pause between the calls of one: 100 calls a second at two nodes.
const CALLERS: usize = 4;
const PACE: Duration = Duration::from_millis(80);

/// Calls of a node before each step of the upgrade.
const ENOUGH: usize = 60;

const NEXT: [(&str, &str); 3] = [
    ("9001_order_tags", "ALTER TABLE orders ADD COLUMN tag TEXT COLLATE \"C\""),
    ("9002_orders_by_tag", "CREATE INDEX CONCURRENTLY orders_by_tag ON orders (tag, id) WHERE tag IS NOT NULL"),
    (
        "9003_order_notes",
        "CREATE TABLE order_notes (order_id TEXT COLLATE \"C\" NOT NULL PRIMARY KEY, note TEXT NOT NULL)",
    ),
];

/// The schema of the next release: that of this one with a column, an index and a table.
fn next_schema() -> &'static Schema {
    let this = &lombard_store::SCHEMA;
    let new = (9_001_i64..).zip(NEXT).map(|(number, (name, text))| Migration {
        number,
        name,
        sqlite: text,
        postgres: text,
        works_from: 0,
    });
    let migrations = this.migrations.iter().copied().chain(new).collect::<Vec<_>>();
    Box::leak(Box::new(Schema { migrations: Vec::leak(migrations), ..*this }))
}

async fn migrate_to_next(bank: &Bank, next: &'static Schema) -> Vec<String> {
    migrate_store(&StoreOptions::new(bank.database_url()), &[next, &lombard_corebank::SCHEMA]).await.unwrap()
}

/// A node, as its callers know it.
struct Node {
    /// What the callers do; `None` while the node is out.
    caller: Mutex<Option<Caller>>,
    /// Calls that were answered, and calls under way.
    calls: AtomicUsize,
    under_way: AtomicUsize,
}

impl Node {
    async fn of(bank: &Bank) -> Arc<Self> {
        let caller = Mutex::new(Some(Caller::of(bank).await));
        Arc::new(Self { caller, calls: AtomicUsize::new(0), under_way: AtomicUsize::new(0) })
    }

    /// Returns when the node has answered enough further calls.
    async fn serves_enough(&self) {
        let enough = self.calls.load(Ordering::SeqCst) + ENOUGH;
        until(async || (self.calls.load(Ordering::SeqCst) >= enough).then_some(())).await;
    }

    /// Takes the node out, as a balancer does: returns when its last call is answered.
    async fn take_out(&self) {
        *self.caller.lock() = None;
        until(async || (self.under_way.load(Ordering::SeqCst) == 0).then_some(())).await;
    }

    /// Puts the node in again, which listens on other ports now.
    async fn put_in(&self, bank: &Bank) {
        let caller = Caller::of(bank).await;
        *self.caller.lock() = Some(caller);
    }
}

/// Calls a node at a steady pace until the end; gives what failed.
async fn call_steadily(node: Arc<Node>, is_over: Arc<AtomicBool>) -> Vec<String> {
    let mut failed = Vec::new();
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut number = 0;
    while !is_over.load(Ordering::SeqCst) {
        pace.tick().await;
        // Counted first, so that a node that is taken out waits for this call.
        node.under_way.fetch_add(1, Ordering::SeqCst);
        let caller = node.caller.lock().clone();
        if let Some(caller) = caller {
            failed.extend(caller.call(number).await.err());
            node.calls.fetch_add(1, Ordering::SeqCst);
            number += 1;
        }
        node.under_way.fetch_sub(1, Ordering::SeqCst);
    }
    failed
}

/// What the callers of a node read and write.
#[derive(Clone)]
struct Caller {
    tpp: Tpp,
    token: String,
    paying: Arc<PayingTpp>,
    order: String,
}

impl Caller {
    async fn of(bank: &Bank) -> Self {
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let token = access.token().to_owned();
        let paying = PayingTpp::robot(bank).await;
        let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
        let (order, _) = paying.ordered(&agreed).await;
        Self { tpp: access.tpp, token, paying: Arc::new(paying), order }
    }

    async fn read_order(&self) -> HttpExchange {
        self.paying.get(&self.paying.own, &format!("{}/{}", orders(PaymentProduct::DomesticPayment), self.order)).await
    }

    /// One call: a read of accounts, a read of an order, or a new consent to a payment.
    async fn call(&self, number: usize) -> Result<(), String> {
        let (answer, expected) = match number % 3 {
            0 => (self.tpp.get(&self.token, "aisp/accounts").await.map_err(|error| error.to_string())?, 200),
            1 => (self.read_order().await, 200),
            _ => {
                let body = self.paying.asking(PaymentProduct::DomesticPayment);
                (self.paying.post(&self.paying.own, consents(PaymentProduct::DomesticPayment), &body).await, 201)
            }
        };
        if answer.status == expected {
            Ok(())
        } else {
            Err(format!("{}: {} {}", answer.url, answer.status, answer.text()))
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_serve_through_an_upgrade_and_back_without_a_failed_call() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let first = Bank::unstarted(Engine::Postgres).await;
    let twin = first.twin();
    let mut banks = [first, twin];
    let mut nodes = Vec::new();
    let is_over = Arc::new(AtomicBool::new(false));
    let mut calling = JoinSet::new();
    for bank in &mut banks {
        bank.restart().await;
        let node = Node::of(bank).await;
        for _ in 0..CALLERS {
            calling.spawn(call_steadily(Arc::clone(&node), Arc::clone(&is_over)));
        }
        nodes.push(node);
    }
    let serve_enough = async || {
        for node in &nodes {
            node.serves_enough().await;
        }
    };
    serve_enough().await;

    let next = next_schema();
    let names: Vec<_> = NEXT.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(migrate_to_next(&banks[0], next).await, names);
    serve_enough().await;

    // A program of the next release writes what this one does not know.
    let options = StoreOptions::new(banks[0].database_url());
    let newer = Database::open(&options, &[next, &lombard_corebank::SCHEMA]).await.unwrap();
    let order = texts(&banks[0], "SELECT id FROM orders ORDER BY id LIMIT 1").await.pop_first().unwrap();
    assert_eq!(change(&banks[0], &format!("UPDATE orders SET tag = 'new' WHERE id = '{order}'")).await, 1);
    serve_enough().await;
    drop(newer);

    // The way back: each node starts again as this release on the schema of the next one.
    for (bank, node) in banks.iter_mut().zip(&nodes) {
        node.take_out().await;
        bank.stop().await;
        bank.restart().await;
        node.put_in(bank).await;
        node.serves_enough().await;
    }
    assert_eq!(texts(&banks[0], "SELECT id FROM orders WHERE tag = 'new'").await.len(), 1, "nothing was undone");

    is_over.store(true, Ordering::SeqCst);
    let failed: Vec<_> = calling.join_all().await.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{} calls failed: {:?}", failed.len(), failed.first());
    for bank in &mut banks {
        bank.stop().await;
    }
}

/// How long a read of an order may take at most while a migration waits for a lock: a second, and what a busy machine needs.
const READ_WITHIN: Duration = Duration::from_secs(3);

/// Another session on the database of a bank.
async fn connect(bank: &Bank) -> Client {
    let (client, connection) = tokio_postgres::connect(bank.database_url().as_str(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_wait_shortly_while_a_migration_waits_for_a_report() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut bank = Bank::start_on(Engine::Postgres).await;
    let caller = Caller::of(&bank).await;
    let report = connect(&bank).await;
    report.batch_execute("BEGIN; SELECT count(*) FROM orders").await.unwrap();
    let next = next_schema();
    let options = StoreOptions::new(bank.database_url());
    let schemas: [&'static Schema; 2] = [next, &lombard_corebank::SCHEMA];
    let migration = tokio::spawn(async move { migrate_store(&options, &schemas).await.unwrap() });
    let watcher = connect(&bank).await;
    let is_waiting = async || {
        let waiting = "SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database \
                       WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'orders'::regclass \
                       AND datname = current_database()";
        !watcher.query(waiting, &[]).await.unwrap().is_empty()
    };
    // Two attempts of the migration, and the reads that queue behind them.
    for _ in 0..2 {
        until(async || is_waiting().await.then_some(())).await;
        let mut longest = Duration::ZERO;
        while is_waiting().await {
            let since = Instant::now();
            assert_eq!(caller.read_order().await.status, 200);
            longest = longest.max(since.elapsed());
        }
        assert!(longest < READ_WITHIN, "{longest:?}");
    }
    assert!(!migration.is_finished(), "the report holds its lock");
    report.batch_execute("COMMIT").await.unwrap();
    assert_eq!(migration.await.unwrap().len(), NEXT.len());
    assert_eq!(caller.read_order().await.status, 200);
    bank.stop().await;
}
