//! Backchannel authentication requests.

use super::samples::{at, client, consent, digest, grant, read, write};
use lombard_domain::backchannel::{BackchannelRequest, BackchannelState};
use lombard_domain::job::Job;
use lombard_ports::store::{Store, StoreError};
use std::collections::BTreeSet;

fn request(byte: u8, consent: &str, psu: Option<&str>) -> BackchannelRequest {
    BackchannelRequest {
        hash: digest(byte),
        id: format!("request-{byte}").into(),
        client: "t".into(),
        consent: consent.into(),
        psu: psu.map(Into::into),
        state: BackchannelState::Pending,
        request: "{}".to_owned(),
        binding_message: Some("4711 “é”".to_owned()),
        grant: None,
        interval_secs: 5,
        next_poll_at: at(5),
        notification: Some("sealed".to_owned()),
        provider_login: None,
        created_at: at(i64::from(byte)),
        expires_at: at(300),
    }
}

async fn store_requests(store: &Store, requests: Vec<BackchannelRequest>) {
    write(store, move |tx| {
        tx.client_insert(&client("t"))?;
        for name in ["c1", "c2", "c3"] {
            tx.consent_insert(&consent(name, "t"))?;
        }
        requests.iter().try_for_each(|request| tx.backchannel_insert(request))
    })
    .await;
}

/// A request reads back unchanged by hash and by id, and keeps its changes. Source: AS-162.
pub(super) async fn a_backchannel_request_is_known_by_its_hash(store: Store) {
    let first = request(1, "c1", None);
    store_requests(&store, vec![first.clone()]).await;
    assert_eq!(read(&store, |tx| tx.backchannel_for_update(&digest(1))).await, Some(first.clone()));
    assert_eq!(read(&store, |tx| tx.backchannel_request(&"request-1".into())).await, Some(first.clone()));
    assert_eq!(read(&store, |tx| tx.backchannel_for_update(&digest(2))).await, None);
    let again = first.clone();
    let twice = store.write(move |tx| tx.backchannel_insert(&again)).await;
    assert!(matches!(twice, Err(StoreError::Duplicate(_))), "{twice:?}");
    let changed = BackchannelRequest {
        psu: Some("amelia".into()),
        state: BackchannelState::Authorised,
        grant: Some("g".into()),
        interval_secs: 10,
        next_poll_at: at(15),
        provider_login: Some("memory".to_owned()),
        expires_at: at(360),
        ..first
    };
    let stored = changed.clone();
    write(&store, move |tx| tx.backchannel_update(&stored)).await;
    assert_eq!(write(&store, |tx| tx.backchannel_for_update(&digest(1))).await, Some(changed));
}

/// Requests are live while pending and not expired; each customer sees only their own, newest first. Source: AS-160, AS-161.
pub(super) async fn live_backchannel_requests_are_found_and_counted(store: Store) {
    let amelia = Some("amelia");
    let denied = BackchannelRequest { state: BackchannelState::Denied, ..request(3, "c1", amelia) };
    let short = BackchannelRequest { expires_at: at(100), ..request(4, "c2", amelia) };
    let long = request(5, "c3", amelia);
    store_requests(&store, vec![denied, short.clone(), long.clone(), request(6, "c3", Some("bashir"))]).await;
    let live = async |name: &str, second| {
        let name = name.into();
        read(&store, move |tx| tx.backchannel_live_of_consent(&name, at(second))).await.map(|it| it.hash)
    };
    assert_eq!(live("c1", 0).await, None, "denied");
    assert_eq!((live("c2", 99).await, live("c2", 100).await), (Some(digest(4)), None));
    let of = async |second, limit| {
        read(&store, move |tx| tx.backchannel_live_of_psu(&"amelia".into(), at(second), limit)).await
    };
    assert_eq!(of(0, 9).await, [long.clone(), short]);
    assert_eq!(of(0, 1).await, std::slice::from_ref(&long));
    assert_eq!(of(100, 9).await, [long]);
    let counts = async |client: &str, psu: Option<&str>, second| {
        let (client, psu) = (client.into(), psu.map(Into::into));
        read(&store, move |tx| tx.backchannel_live_counts(&client, psu.as_ref(), at(second))).await
    };
    assert_eq!(counts("t", amelia, 0).await, (3, 2));
    assert_eq!(counts("t", amelia, 100).await, (2, 1));
    assert_eq!(counts("t", None, 0).await, (3, 0));
    assert_eq!(counts("other", amelia, 0).await, (0, 0));
    write(&store, |tx| tx.ended_purge(at(300), 9)).await;
    assert_eq!(read(&store, |tx| tx.backchannel_for_update(&digest(4))).await, None);
    assert!(read(&store, |tx| tx.backchannel_for_update(&digest(5))).await.is_some());
}

/// Jobs about requests are claimed oldest first, a limited number of each client, and each job once. Source: AS-160.
pub(super) async fn jobs_of_one_client_leave_room_for_those_of_others(store: Store) {
    let of = |byte: u8, name: &str| BackchannelRequest { client: name.into(), ..request(byte, "c1", None) };
    store_requests(&store, (1..=6).map(|byte| of(byte, "t")).collect()).await;
    write(&store, |tx| tx.client_insert(&client("u"))).await;
    let other = of(7, "u");
    write(&store, move |tx| tx.backchannel_insert(&other)).await;
    write(&store, |tx| {
        (1..=9).try_for_each(|number| {
            // The last two jobs are about requests that no longer exist.
            let (id, subject) = (format!("j{number}").into(), format!("request-{number}"));
            tx.job_enqueue(&Job { id, kind: "ping".to_owned(), subject, due_at: at(number), attempts: 0 })
        })
    })
    .await;
    let claim = |limit| {
        let store = store.clone();
        async move {
            let claimed = write(&store, move |tx| tx.jobs_claim_by_client("ping", at(20), at(50), limit, 2)).await;
            claimed.rows.iter().map(|job| job.id.as_str().to_owned()).collect::<Vec<_>>()
        }
    };
    assert_eq!(claim(2).await, ["j1", "j2"]);
    assert_eq!(claim(9).await, ["j3", "j4", "j7", "j8", "j9"], "two of each");
    assert_eq!(claim(9).await, ["j5", "j6"]);
    assert!(claim(9).await.is_empty(), "all are leased");
}

/// Concurrent claimants get different jobs.
pub(super) async fn claimants_of_jobs_about_requests_are_disjoint(store: Store) {
    const JOBS: u8 = 40;
    store_requests(&store, (1..=JOBS).map(|byte| request(byte, "c1", None)).collect()).await;
    write(&store, |tx| {
        (1..=JOBS).try_for_each(|number| {
            let (id, subject) = (format!("j{number}").into(), format!("request-{number}"));
            tx.job_enqueue(&Job { id, kind: "ping".to_owned(), subject, due_at: at(1), attempts: 0 })
        })
    })
    .await;
    let claimants = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            let mut claimed = Vec::new();
            loop {
                let some = write(&store, |tx| tx.jobs_claim_by_client("ping", at(10), at(500), 9, 2)).await.rows;
                assert!(some.len() <= 2);
                // The first jobs may be locked by others.
                if some.is_empty() {
                    return claimed;
                }
                claimed.extend(some);
            }
        })
    });
    let mut all = Vec::new();
    for claimant in claimants.collect::<Vec<_>>() {
        all.extend(claimant.await.unwrap());
    }
    all.extend(write(&store, |tx| tx.jobs_claim("ping", at(10), at(500), 99)).await.rows);
    let distinct: BTreeSet<_> = all.iter().map(|job| job.id.as_str()).collect();
    assert_eq!((all.len(), distinct.len()), (usize::from(JOBS), usize::from(JOBS)));
    assert!(all.iter().all(|job| job.attempts == 1));
}

/// A grant whose tokens were never fetched is removed with the request that it answered. Source: AS-162.
pub(super) async fn a_grant_that_was_never_fetched_is_purged_with_its_request(store: Store) {
    let approved = BackchannelRequest { grant: Some("g".into()), ..request(1, "c1", Some("amelia")) };
    store_requests(&store, vec![approved, request(2, "c2", None)]).await;
    write(&store, |tx| tx.grant_insert(&grant("g", "t", Some("c1")))).await;
    write(&store, |tx| tx.ended_purge(at(300), 9)).await;
    assert!(read(&store, |tx| tx.grant(&"g".into())).await.is_some());
    assert_eq!(write(&store, |tx| tx.ended_purge(at(301), 9)).await, 3, "two requests and the grant");
    assert_eq!(read(&store, |tx| tx.grant(&"g".into())).await, None);
}
