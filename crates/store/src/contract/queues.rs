//! Idempotency keys and jobs.

use super::samples::{at, digest, job, key, write};
use lombard_ports::store::{IdempotencyClaim, KeyClaim, Store};
use std::collections::BTreeSet;

/// Claims a key for a body and a resource at this second. Keys first used until the other second are free again.
async fn claim(
    store: &Store,
    name: &'static str,
    body: u8,
    resource: impl Into<String>,
    (now, window_start): (i64, i64),
) -> IdempotencyClaim {
    let resource = resource.into();
    write(store, move |tx| {
        let (key, body) = (key(name), digest(body));
        let (now, window_start) = (at(now), at(window_start));
        tx.idempotency_claim(&KeyClaim {
            key: &key,
            body: &body,
            resource: &resource,
            now,
            window_start,
            other_operation: None,
        })
    })
    .await
}

fn replay(resource: &str) -> IdempotencyClaim {
    IdempotencyClaim::Replay { resource: resource.to_owned() }
}

/// Source: RW-183.
pub(super) async fn a_key_replays_its_first_order(store: Store) {
    assert_eq!(claim(&store, "k", 1, "order-1", (100, 0)).await, IdempotencyClaim::New);
    assert_eq!(claim(&store, "k", 1, "order-2", (101, 1)).await, replay("order-1"));
    assert_eq!(claim(&store, "other", 1, "order-3", (101, 1)).await, IdempotencyClaim::New);
}

/// Source: RW-184.
pub(super) async fn a_key_with_another_body_is_a_mismatch(store: Store) {
    assert_eq!(claim(&store, "k", 1, "order-1", (100, 0)).await, IdempotencyClaim::New);
    assert_eq!(claim(&store, "k", 2, "order-2", (101, 1)).await, IdempotencyClaim::Mismatch);
    assert_eq!(claim(&store, "k", 1, "order-3", (102, 2)).await, replay("order-1"), "the mismatch changed nothing");
}

/// Source: RW-185.
pub(super) async fn a_key_is_free_again_after_its_window(store: Store) {
    let times = [(100, 0, "new"), (199, 99, "new"), (200, 100, "newer"), (201, 101, "newer")];
    for (number, (now, window_start, resource)) in times.into_iter().enumerate() {
        let is_first = number % 2 == 0;
        let asked = if is_first { resource } else { "unused" };
        let expected = if is_first { IdempotencyClaim::New } else { replay(resource) };
        assert_eq!(claim(&store, "k", 1, asked, (now, window_start)).await, expected, "at {now}");
    }
}

async fn first_used(store: &Store, name: &'static str, second: i64) {
    claim(store, name, 1, "order", (second, second - 50)).await;
}

/// Keys whose window has passed are purged, a bounded number at a time. Source: RW-185.
pub(super) async fn old_keys_are_purged_a_batch_at_a_time(store: Store) {
    for (name, second) in [("a", 10), ("b", 11), ("c", 12), ("edge", 20), ("young", 21)] {
        first_used(&store, name, second).await;
    }
    first_used(&store, "c", 100).await;
    let purge = || write(&store, |tx| tx.idempotency_purge(at(20), 1));
    assert_eq!([purge().await, purge().await, purge().await], [1, 1, 0], "one at a time, and none claimed anew");
    let again = |name: &'static str| claim(&store, name, 2, "order", (30, 0));
    assert_eq!(again("c").await, IdempotencyClaim::Mismatch);
    assert_eq!(again("edge").await, IdempotencyClaim::Mismatch, "the bound does not belong to it");
    assert_eq!(again("a").await, IdempotencyClaim::New);
}

/// A key that is claimed again during its purge is kept; otherwise its request could be executed twice.
pub(super) async fn a_key_claimed_anew_survives_its_purge(store: Store) {
    for round in 0..20 {
        let (old, now) = (round * 1_000, round * 1_000 + 500);
        first_used(&store, "k", old).await;
        let claimant = {
            let store = store.clone();
            tokio::spawn(async move { first_used(&store, "k", now).await })
        };
        write(&store, move |tx| tx.idempotency_purge(at(now - 50), 9)).await;
        claimant.await.unwrap();
        assert_eq!(claim(&store, "k", 1, "another", (now, now - 50)).await, replay("order"), "round {round}");
    }
}

/// Of concurrent requests with one key one executes, and the others get its result.
pub(super) async fn a_busy_key_makes_the_second_claimant_wait(store: Store) {
    let claimants = (0..12).map(|number| {
        let store = store.clone();
        tokio::spawn(async move { claim(&store, "k", 1, format!("order-{number}"), (100, 0)).await })
    });
    let mut claims = Vec::new();
    for claimant in claimants.collect::<Vec<_>>() {
        claims.push(claimant.await.unwrap());
    }
    assert_eq!(claims.iter().filter(|claim| **claim == IdempotencyClaim::New).count(), 1);
    let resources: BTreeSet<_> = claims
        .iter()
        .filter_map(|claim| match claim {
            IdempotencyClaim::Replay { resource } => Some(resource.as_str()),
            IdempotencyClaim::New | IdempotencyClaim::Mismatch => None,
        })
        .collect();
    assert_eq!(resources.len(), 1, "{claims:?}");
}

/// Two claimants together get every due job, each job once.
pub(super) async fn two_claimants_get_disjoint_jobs(store: Store) {
    const JOBS: usize = 60;
    write(&store, |tx| {
        tx.job_enqueue(&job("future", 1_000))?;
        (0..JOBS).try_for_each(|number| tx.job_enqueue(&job(&format!("j{number:02}"), 1)))
    })
    .await;
    let claimants = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            let mut mine = Vec::new();
            loop {
                let some = write(&store, |tx| tx.jobs_claim("settle", at(10), at(500), 7)).await.rows;
                assert!(some.len() <= 7);
                if some.is_empty() {
                    return mine;
                }
                mine.extend(some);
            }
        })
    });
    let mut all = Vec::new();
    for claimant in claimants.collect::<Vec<_>>() {
        all.extend(claimant.await.unwrap());
    }
    assert_eq!(all.len(), JOBS);
    assert!(all.iter().all(|job| job.attempts == 1));
    let distinct: BTreeSet<_> = all.iter().map(|job| job.id.as_str()).collect();
    assert_eq!(distinct.len(), JOBS);
    assert_eq!(write(&store, |tx| tx.jobs_claim("other", at(10), at(500), 7)).await.rows, vec![]);
}

/// A job returns to the queue when its lease expires or the node releases it, and leaves the queue when completed.
pub(super) async fn a_lease_that_ended_is_claimed_again(store: Store) {
    let claim = |now: i64| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.jobs_claim("settle", at(now), at(now + 30), 5)).await.rows }
    };
    let left = |now: i64| {
        let store = store.clone();
        async move {
            let left = write(&store, move |tx| tx.jobs_left("settle", at(now))).await;
            (left.due, left.deferred)
        }
    };
    assert_eq!(left(10).await, (0, 0));
    write(&store, |tx| tx.job_enqueue(&job("j", 1))).await;
    assert_eq!((left(0).await, left(10).await), ((0, 0), (1, 0)), "before it is due it is nobody's work");
    assert_eq!(claim(10).await[0].attempts, 1);
    assert_eq!(left(39).await, (1, 0), "it is being done");
    assert_eq!(claim(39).await, vec![], "it is leased");
    assert_eq!(claim(40).await[0].attempts, 2, "the lease has ended");
    write(&store, |tx| tx.job_release(&"j".into(), at(60))).await;
    assert_eq!(left(59).await, (0, 1), "it is tried again later");
    assert_eq!(claim(59).await, vec![], "it is not due");
    assert_eq!(claim(60).await[0].due_at, at(60));
    assert!(write(&store, |tx| tx.job_complete(&"j".into())).await);
    assert!(!write(&store, |tx| tx.job_complete(&"j".into())).await, "it is finished once");
    assert_eq!(claim(900).await, vec![]);
    write(&store, |tx| ["k", "l", "m"].iter().try_for_each(|id| tx.job_enqueue(&job(id, 1)))).await;
    write(&store, |tx| tx.jobs_complete(&["k".into(), "m".into(), "n".into()])).await;
    write(&store, |tx| tx.jobs_complete(&[])).await;
    assert_eq!(claim(900).await.into_iter().map(|job| job.id).collect::<Vec<_>>(), ["l".into()]);
}
