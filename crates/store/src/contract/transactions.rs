//! Transaction semantics: rollback, isolation and locking.

use super::samples::{at, client, consent, event, interaction, read, write};
use lombard_database::testing::promises;
use lombard_ports::store::{ReusableSignatures, Store};
use std::sync::mpsc;
use std::time::Duration;

/// How long a test waits for another thread before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// The number of concurrent writers.
const WRITERS: usize = 16;

/// A closure's error rolls back all its changes, events included, and is returned unchanged.
pub(super) async fn rollback_leaves_no_event(store: Store) {
    promises::an_error_of_the_closure_comes_back(&store, |tx| tx.events_append(&[event("e", "t", 1)])).await;
    assert_eq!(
        read(&store, |tx| tx.events_waiting(&"t".into(), None, &ReusableSignatures::default(), 10)).await,
        vec![]
    );
}

/// A transaction runs to its end although its caller is dropped.
pub(super) async fn a_transaction_nobody_waits_for_still_runs(store: Store) {
    write(&store, |tx| tx.consent_insert(&consent("c", "t"))).await;
    let (started, starts) = mpsc::channel();
    let (finish, finishes) = mpsc::channel::<()>();
    let writer = store.clone();
    let caller = tokio::spawn(async move {
        write(&writer, move |tx| {
            tx.consent_for_update(&"t".into(), &"c".into())?;
            started.send(()).unwrap();
            finishes.recv_timeout(PATIENCE).unwrap();
            tx.setting_put("x", "1")
        })
        .await;
    });
    tokio::task::spawn_blocking(move || starts.recv_timeout(PATIENCE).unwrap()).await.unwrap();
    caller.abort();
    let _aborted = caller.await;
    finish.send(()).unwrap();
    // Locking the consent waits for the end of the abandoned transaction, which holds the lock.
    write(&store, |tx| tx.consent_for_update(&"t".into(), &"c".into()).map(drop)).await;
    let seen = read(&store, |tx| tx.setting("x")).await;
    assert_eq!(seen.as_deref(), Some("1"));
}

/// Updates of locked rows are serialised.
pub(super) async fn concurrent_writers_lose_no_update(store: Store) {
    write(&store, |tx| {
        tx.consent_insert(&consent("c", "t"))?;
        tx.journey_insert(&interaction("i", "c"))
    })
    .await;
    let writers = (0..WRITERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, |tx| {
                let mut journey = tx.journey_for_update(&"i".into())?.unwrap();
                journey.failures += 1;
                tx.journey_update(&journey)
            })
            .await;
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let journey = read(&store, |tx| tx.journey_for_update(&"i".into())).await.unwrap();
    assert_eq!(usize::try_from(journey.failures).unwrap(), WRITERS);
}

/// Updates of unlocked rows are serialised by their epoch: a transaction that loses is run again.
pub(super) async fn optimistic_writers_lose_no_update(store: Store) {
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    let writers = (0..WRITERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, |tx| {
                let mut it = tx.client(&"t".into())?.unwrap();
                it.epoch += 1;
                it.redirect_uris.push(String::from("https://another"));
                tx.client_update(&it)
            })
            .await;
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let it = read(&store, |tx| tx.client(&"t".into())).await.unwrap();
    assert_eq!(it.redirect_uris.len(), WRITERS + client("t").redirect_uris.len());
}

/// A read that was announced as one query runs one query and no other.
pub(super) async fn one_query_is_one_query(store: Store) {
    promises::one_query_is_one_query(&store).await;
}

/// Every kind of write fails in a read transaction.
pub(super) async fn writing_in_a_read_fails(store: Store) {
    write(&store, |tx| tx.job_enqueue(&super::samples::job("j", 1))).await;
    promises::a_read_refuses_to_write(&store, |tx| tx.jobs_claim("settle", at(5), at(9), 1).map(drop)).await;
    promises::a_read_refuses_to_write(&store, |tx| tx.events_append(&[event("e", "t", 1)])).await;
    let job = write(&store, |tx| tx.jobs_claim("settle", at(5), at(9), 1)).await.rows;
    assert_eq!(job[0].attempts, 1, "the refused claim did not count");
}
