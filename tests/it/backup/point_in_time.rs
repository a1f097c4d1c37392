//! The drill on PostgreSQL: a base backup with the archived log, restored to an instant.

use super::blocks;
use super::cluster::Cluster;
use super::drill::survive;
use crate::harness::{Bank, Engine, TestCore, until};
use parking_lot::Mutex;

const HEADING: &str = "PostgreSQL: a point in time";
/// The instant that the page names.
const INSTANT: &str = "2026-03-01 12:00:00+00";

#[tokio::test]
async fn postgresql_is_restored_to_an_instant_and_each_payment_made_once() {
    let settings = blocks(HEADING, "text").concat();
    let Some(cluster) = Cluster::start(&settings).await else { return };
    let [back_up, restore] = blocks(HEADING, "sh").try_into().unwrap();
    assert!(restore.contains(INSTANT));
    let instant = Mutex::new(String::new());
    // The core is on SQLite: only the server's database is restored.
    let bank = Bank::unstarted_with(Engine::Sqlite, TestCore::Process).await;
    let query = async |sql: &str| {
        let script = format!("psql \"$DATABASE_URL\" --no-align --tuples-only --command \"{sql}\"");
        cluster.run(&script).await.trim().to_owned()
    };
    let back_up = async |_: &Bank| {
        cluster.run(&back_up).await;
        *instant.lock() = query("SELECT now()").await;
    };
    let restore = async |_: &Bank| {
        let last = query("SELECT pg_walfile_name(pg_switch_wal())").await;
        let archived = async || {
            let sql = "SELECT coalesce(last_archived_wal, '') FROM pg_stat_archiver";
            (query(sql).await >= last).then_some(())
        };
        until(archived).await;
        cluster.run("pg_ctl stop --wait --mode=fast --pgdata=\"$PGDATA\"").await;
        let script = restore.replace(INSTANT, &instant.lock().clone());
        cluster.run(&script).await;
        until(async || (query("SELECT pg_is_in_recovery()").await == "f").then_some(())).await;
    };
    let url = cluster.url();
    Box::pin(survive(bank, &[("database.url", &url)], back_up, restore)).await;
}
