//! The contract on PostgreSQL, wherever `LOMBARD_TEST_POSTGRES_URL` names a server that tests may use. Each test makes a
//! schema of its own and removes it.

use crate::shared::{paged_statements, statements};
use crate::{Options, migrate, open, pending_migrations};
use lombard_ports::store::Store;
use std::io::{Write as _, stderr};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio_postgres::{Client, NoTls};

const VARIABLE: &str = "LOMBARD_TEST_POSTGRES_URL";

/// A schema of the test server.
struct Schema {
    admin: Client,
    name: String,
    options: Options,
}

impl Schema {
    /// `None`, and a loud line, without a server.
    async fn make() -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let Ok(url) = std::env::var(VARIABLE) else {
            static SAID: Once = Once::new();
            // Past the test runner, which would keep it to itself.
            SAID.call_once(|| {
                let _ = writeln!(stderr(), "\n*** SKIPPED: {VARIABLE} is not set, PostgreSQL is NOT being tested ***");
            });
            return None;
        };
        let name = format!("lombard_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let admin = connect(&url).await;
        admin.batch_execute(&format!("CREATE SCHEMA {name}")).await.unwrap();
        let joint = if url.contains('?') { '&' } else { '?' };
        let options = Options::new(format!("{url}{joint}options=-csearch_path%3D{name}"));
        Some(Self { admin, name, options })
    }

    async fn client(&self) -> Client {
        connect(&self.options.url).await
    }

    async fn remove(self) {
        self.admin.batch_execute(&format!("DROP SCHEMA {} CASCADE", self.name)).await.unwrap();
    }
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// A store of its own for each promise; its schema goes even when the promise is broken.
async fn keeps<F: Future<Output = ()> + Send + 'static>(promise: impl FnOnce(Store) -> F) {
    let Some(schema) = Schema::make().await else { return };
    migrate(&schema.options).await.unwrap();
    let store = open(&schema.options).await.unwrap();
    let kept = tokio::spawn(promise(store)).await;
    schema.remove().await;
    if let Err(broken) = kept {
        std::panic::resume_unwind(broken.into_panic());
    }
}

macro_rules! promises {
    ($($group:ident::$promise:ident,)+) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
        async fn $promise() {
            keeps(crate::contract::$group::$promise).await;
        }
    )+};
}

mod contract {
    use super::keeps;
    crate::store_contract!(promises);
}

#[tokio::test]
async fn every_statement_is_understood() {
    let Some(schema) = Schema::make().await else { return };
    migrate(&schema.options).await.unwrap();
    let client = schema.client().await;
    let mut misunderstood = Vec::new();
    for statement in statements() {
        if let Err(error) = client.prepare(statement.postgres).await {
            misunderstood.push(format!("{}: {error:?}\n{}", statement.table, statement.postgres));
        }
    }
    schema.remove().await;
    assert!(misunderstood.is_empty(), "{}", misunderstood.join("\n"));
}

/// Pages of a list are found through an index, never by sorting or scanning the table: the planner does so only where it
/// must while both are forbidden.
#[tokio::test]
async fn pages_come_from_an_index() {
    let Some(schema) = Schema::make().await else { return };
    migrate(&schema.options).await.unwrap();
    let client = schema.client().await;
    let forbid = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_sort = off;
                  SET enable_bitmapscan = off";
    client.batch_execute(forbid).await.unwrap();
    let mut wrong = Vec::new();
    for (number, statement) in paged_statements().enumerate() {
        let count = client.prepare(statement.postgres).await.unwrap().params().len();
        let nothing = vec!["NULL"; count].join(", ");
        client.batch_execute(&format!("PREPARE paged_{number} AS {}", statement.postgres)).await.unwrap();
        let plan = client.query(&format!("EXPLAIN EXECUTE paged_{number} ({nothing})"), &[]).await.unwrap();
        let plan: Vec<_> = plan.iter().map(|row| row.get::<_, String>(0)).collect();
        // What is in order but for ties is sorted tie by tie, and no further than the page.
        let mut steps = plan.iter().map(|line| line.trim_start_matches([' ', '-', '>']));
        if steps.any(|it| it.starts_with("Sort  ") || it.starts_with("Seq Scan ")) {
            wrong.push(format!("{}\n{}", plan.join("\n"), statement.postgres));
        }
    }
    schema.remove().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_nodes_migrate_at_once_and_one_does_it() {
    let Some(schema) = Schema::make().await else { return };
    let nodes: Vec<_> = (0..6)
        .map(|_| {
            let options = schema.options.clone();
            tokio::spawn(async move { migrate(&options).await.unwrap().len() })
        })
        .collect();
    let mut applied = Vec::new();
    for node in nodes {
        applied.push(node.await.unwrap());
    }
    schema.remove().await;
    applied.sort_unstable();
    assert_eq!(applied, [0, 0, 0, 0, 0, crate::migrations::MIGRATIONS.len()]);
}

#[tokio::test]
async fn a_database_that_was_not_migrated_is_refused() {
    let Some(schema) = Schema::make().await else { return };
    let pending = pending_migrations(&schema.options).await;
    let refused = open(&schema.options).await;
    migrate(&schema.options).await.unwrap();
    let then = pending_migrations(&schema.options).await;
    schema.remove().await;
    assert_eq!(pending.unwrap().len(), crate::migrations::MIGRATIONS.len());
    assert!(refused.is_err());
    assert_eq!(then.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn postings_cannot_be_edited() {
    let Some(schema) = Schema::make().await else { return };
    migrate(&schema.options).await.unwrap();
    let client = schema.client().await;
    client.batch_execute(crate::contract::POSTINGS).await.unwrap();
    let edited = client.batch_execute("UPDATE postings SET minor = 6 WHERE minor = 5").await;
    let removed = client.batch_execute("DELETE FROM postings").await;
    // A new beginning takes them away, and what comes after it stays again.
    let store = open(&schema.options).await.unwrap();
    store.write(|tx| tx.forget_all()).await.unwrap();
    client.batch_execute(crate::contract::POSTINGS).await.unwrap();
    let removed_later = client.batch_execute("DELETE FROM postings").await;
    schema.remove().await;
    assert!(edited.is_err() && removed.is_err() && removed_later.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn spoilt_news_keep_back_their_order_alone() {
    use crate::contract::bank_orders;
    let Some(schema) = Schema::make().await else { return };
    migrate(&schema.options).await.unwrap();
    let (store, client) = (open(&schema.options).await.unwrap(), schema.client().await);
    let kept = tokio::spawn(async move {
        bank_orders::some_news(&store).await;
        assert_eq!(client.execute(bank_orders::SPOIL, &[]).await.unwrap(), 1);
        bank_orders::spoilt_news_keep_back_their_order_alone(&store).await;
    });
    let kept = kept.await;
    schema.remove().await;
    kept.unwrap();
}

/// Says who was woken.
#[derive(Debug)]
struct Heard(tokio::sync::mpsc::UnboundedSender<String>);

impl lombard_ports::wake::Wake for Heard {
    fn client(&self, client: &lombard_domain::ids::ClientId) {
        self.0.send(client.to_string()).unwrap();
    }

    fn everyone(&self) {
        self.0.send("everyone".to_owned()).unwrap();
    }

    fn hears_others(&self, hears: bool) {
        self.0.send(format!("hears: {hears}")).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn evt_079_a_commit_wakes_on_every_node() {
    let Some(schema) = Schema::make().await else { return };
    migrate(&schema.options).await.unwrap();
    let mut nodes = Vec::new();
    for _ in 0..2 {
        let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let wake = Some(std::sync::Arc::new(Heard(sender)) as _);
        let store = open(&Options { wake, ..schema.options.clone() }).await.unwrap();
        for expected in ["hears: false", "hears: true", "everyone"] {
            assert_eq!(heard.recv().await.unwrap(), expected);
        }
        nodes.push((store, heard));
    }
    let [(first, own), (_second, others)] = &mut nodes[..] else { unreachable!() };
    // Ids of this test's own: the server is shared.
    let (loser, winner) = (format!("{}-loser", schema.name), format!("{}-winner", schema.name));
    crate::contract::append_and_roll_back(first, &loser).await;
    crate::contract::append(first, &winner).await;
    assert_eq!([own.recv().await.unwrap(), own.recv().await.unwrap()], [winner.clone(), winner.clone()]);
    let mut told = others.recv().await.unwrap();
    while !told.starts_with(&schema.name) {
        told = others.recv().await.unwrap();
    }
    assert_eq!(told, winner, "gathered into one");
    drop(nodes);
    schema.remove().await;
}
