//! What becomes of calls while something fails: a balancer, two nodes, PostgreSQL and a core, of which one part fails.
//!
//! A few faults are tested here; `cargo xtask torture` tries all of them and prints the table of `docs/operating/faults.md`.

pub(crate) mod balanced;
pub(crate) mod load;
mod plan;
mod row;
mod table;
mod world;

use plan::Fault;
use row::Row;
use world::{World, WorldOptions};

/// The bounds of a wait for the database, at their least, so that the test is short.
const SETTINGS: [(&str, &str); 3] =
    [("database.wait_secs", "1"), ("database.statement_secs", "2"), ("database.lock_secs", "1")];

/// The longest that a call may take, in seconds: the bound and a half of a statement, a second beside it, and what a busy machine adds.
const LONGEST_SECS: u64 = 8;

#[tokio::test(flavor = "multi_thread")]
async fn rw_112_lombard_itself_answers_while_its_database_fails() {
    let options = WorldOptions { settings: &SETTINGS, has_standby: false, tablespace: None };
    let Some(mut world) = World::start(&options).await else { return };
    let lock = Fault::Lock { table: "orders".to_owned(), secs: 3 };
    for fault in [Fault::Restart, Fault::Silence { secs: 4 }, lock, Fault::KilledNode] {
        let row = Row::measure(&mut world, &fault).await;
        eprintln!("{}", row.text());
        let is_of_a_node = fault == Fault::KilledNode;
        assert_eq!(row.unexpected, Vec::<String>::new(), "{row:?}");
        assert!(is_of_a_node || row.closed.is_empty(), "a living node closes no connection: {row:?}");
        assert!(row.longest.as_secs() < LONGEST_SECS, "{row:?}");
        assert!(is_of_a_node || fault.spares_calls() || row.unavailable > 0, "the fault was felt: {row:?}");
    }
    world.end().await;
}
