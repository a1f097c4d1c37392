//! A measurement: how long requests wait while many records are purged.

use super::SCHEMA;
use crate::on_database;
use lombard_database::testing::on_sqlite;
use lombard_ports::store::{Store, StoreError};
use std::io::{Write as _, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A million consents that nobody authorised.
const ROWS: &str = "
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000000)
    INSERT INTO consents (id, client_id, kind, version, terms, submitted, created_at, state, state_changed_at, epoch)
    SELECT 'c-' || number, 'tpp', 'account-access', 'v3.1', '{\"permissions\":[]}', printf('%400d', number), number,
           'awaiting-authorisation', number, 0 FROM numbers";

/// The number of consents of a batch, as in the purge of the server.
const BATCH: u32 = 50;

async fn purge_all(store: Store) -> u64 {
    let mut purged = 0;
    loop {
        let before = jiff::Timestamp::MAX;
        let some =
            store.write::<_, StoreError, _>(move |tx| tx.consents_purge_unauthorised(before, BATCH)).await.unwrap();
        if some == 0 {
            return purged;
        }
        purged += some;
    }
}

/// Repeats a request every five milliseconds until the purge has ended; gives how long each took, in ascending order.
async fn durations<F: Future<Output = ()>>(has_ended: Arc<AtomicBool>, request: impl Fn() -> F) -> Vec<Duration> {
    let mut all = Vec::new();
    let mut turns = tokio::time::interval(Duration::from_millis(5));
    while !has_ended.load(Ordering::Relaxed) {
        turns.tick().await;
        let begun = Instant::now();
        request().await;
        all.push(begun.elapsed());
    }
    all.sort_unstable();
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a measurement of some minutes"]
async fn requests_do_not_wait_while_a_million_consents_are_purged() {
    on_sqlite(async |database| {
        let store = on_database(database.migrated(&[&SCHEMA]).await);
        database.run(ROWS).await.unwrap();
        let has_ended = Arc::<AtomicBool>::default();
        let (reading, writing) = (store.clone(), store.clone());
        let reads = tokio::spawn(durations(Arc::clone(&has_ended), move || {
            let store = reading.clone();
            async move {
                store.read::<_, StoreError, _>(|tx| tx.consent_any_owner(&"none".into())).await.unwrap();
            }
        }));
        let writes = tokio::spawn(durations(Arc::clone(&has_ended), move || {
            let store = writing.clone();
            async move {
                let now = jiff::Timestamp::UNIX_EPOCH;
                store.write::<_, StoreError, _>(move |tx| tx.consent_use_record(&"live".into(), now)).await.unwrap();
            }
        }));
        let begun = Instant::now();
        assert_eq!(purge_all(store.clone()).await, 1_000_000);
        let lasted = begun.elapsed();
        has_ended.store(true, Ordering::Relaxed);
        for (name, all) in [("read", reads.await.unwrap()), ("write", writes.await.unwrap())] {
            let at = |share: usize| all[all.len() * share / 100];
            let line = format!("{name}: {} requests, p50 {:?}, p99 {:?}", all.len(), at(50), at(99));
            let _ = writeln!(stderr(), "purge of a million consents in {lasted:?}, {line}");
            assert!(at(99) < Duration::from_millis(20), "{line}");
        }
    })
    .await;
}
