//! Backchannel authentication requests.

use super::samples::{at, client, consent, digest, read, write};
use lombard_domain::backchannel::{BackchannelRequest, BackchannelState};
use lombard_ports::store::{Store, StoreError};

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

/// Requests are live while pending and not expired; each customer sees their own, the newest first. Source: AS-160, AS-161.
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
