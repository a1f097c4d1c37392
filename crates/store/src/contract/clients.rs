//! Clients as operators list and change them.

use super::samples::{at, client, consent, event, read, write};
use jiff::Timestamp;
use lombard_domain::client::KeySetAddress;
use lombard_domain::client::{Client, ClientStatus};
use lombard_domain::consent::Consent;
use lombard_domain::operator_changes::{ChangeReason, OperatorChanges};
use lombard_domain::pending_registration::PendingRegistration;
use lombard_ports::store::ClientRegistration::{Added, TooManyLive, TooManyRecent};
use lombard_ports::store::{ClientHolder, FetchedKeySet, ReusableSignatures, SoftwareClientLimits, Store};

/// A client of its own organisation and software.
fn named(id: &str, software: &str, name: &str) -> Client {
    Client {
        software_id: software.into(),
        software_name: name.to_owned(),
        org_name: format!("{name} Limited"),
        ..client(id)
    }
}

/// A client is found by its id, its software's id, and the names of software and organisation, compared exactly.
pub(super) async fn clients_are_found_by_id_and_by_name(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&named("c2", "s1", "Shop"))?;
        tx.client_insert(&named("c1", "s1", "Bank"))?;
        tx.client_insert(&named("c3", "c1", "Shop"))
    })
    .await;
    for (name, found) in [
        ("c2", vec!["c2"]),
        ("c1", vec!["c1", "c3"]),
        ("s1", vec!["c1", "c2"]),
        ("Shop", vec!["c2", "c3"]),
        ("Bank Limited", vec!["c1"]),
        ("shop", vec![]),
        ("", vec![]),
    ] {
        let clients = read(&store, move |tx| tx.clients_named(name, 10)).await;
        assert_eq!(clients.iter().map(|client| client.id.as_str()).collect::<Vec<_>>(), found, "{name}");
    }
    assert_eq!(read(&store, |tx| tx.clients_named("Shop", 1)).await.len(), 1);
}

/// The active clients of an organisation and of a software are found, at most the requested number.
pub(super) async fn active_clients_are_found_by_organisation_and_software(store: Store) {
    write(&store, |tx| {
        for (id, org, software) in [("c2", "o1", "s1"), ("c1", "o1", "s2"), ("c3", "o2", "s1"), ("c4", "s1", "o1")] {
            tx.client_insert(&Client { org_id: org.into(), ..named(id, software, "Shop") })?;
        }
        let disabled = Client { org_id: "o1".into(), status: ClientStatus::Disabled, ..named("c0", "s1", "Shop") };
        tx.client_insert(&disabled)
    })
    .await;
    let found = async |holder: ClientHolder, limit| {
        let clients = read(&store, move |tx| tx.clients_of(&holder, limit)).await;
        clients.into_iter().map(|client| client.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found(ClientHolder::Organisation("o1".into()), 9).await, ["c1", "c2"]);
    assert_eq!(found(ClientHolder::Software("s1".into()), 9).await, ["c2", "c3"]);
    assert_eq!(found(ClientHolder::Software("s1".into()), 1).await, ["c2"]);
    assert!(found(ClientHolder::Organisation("none".into()), 9).await.is_empty());
}

/// The pages of the list together are the whole list, and only the last page has no successor.
pub(super) async fn clients_are_listed_page_by_page(store: Store) {
    write(&store, |tx| ["b", "a", "d", "c", "e"].iter().try_for_each(|id| tx.client_insert(&client(id)))).await;
    let (mut after, mut listed) = (None, Vec::new());
    for _ in 0..3 {
        let from = after.clone();
        let page = read(&store, move |tx| tx.clients_page(from.as_ref(), 2)).await;
        listed.push(page.clients.iter().map(|client| client.id.to_string()).collect::<Vec<_>>().join(""));
        after = page.next;
    }
    assert_eq!((listed.join(" ").as_str(), after), ("ab cd e", None));
}

/// Source: AS-113, DCR-043.
pub(super) async fn only_an_active_client_may_act(store: Store) {
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    assert!(read(&store, |tx| tx.client_may_act(&"t".into())).await);
    assert!(!read(&store, |tx| tx.client_may_act(&"nobody".into())).await);
    for (epoch, status) in [(1, ClientStatus::Disabled), (2, ClientStatus::Active), (3, ClientStatus::Deleted)] {
        let changed = Client { status, epoch, ..client("t") };
        let stored = changed.clone();
        write(&store, move |tx| tx.client_update(&stored)).await;
        assert_eq!(read(&store, |tx| tx.client_may_act(&"t".into())).await, status == ClientStatus::Active);
        assert_eq!(read(&store, |tx| tx.client(&"t".into())).await, Some(changed));
    }
}

/// The changes by operators read back as they were stored last, and are empty for a client without changes.
pub(super) async fn what_operators_changed_is_what_was_stored_last(store: Store) {
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    assert_eq!(read(&store, |tx| tx.operator_changes(&"t".into())).await, OperatorChanges::default());
    let first = OperatorChanges {
        status_changed_at: Some(at(3)),
        status_reason: ChangeReason::parse("fraud, case “7”"),
        roles_changed_at: None,
        redirect_uris_changed_at: Some(at(4)),
        pending_registration: Some(PendingRegistration::of_client(&client("asked"))),
    };
    let second = OperatorChanges { status_reason: None, roles_changed_at: Some(at(5)), ..first.clone() };
    for changes in [first, second] {
        let stored = changes.clone();
        write(&store, move |tx| tx.operator_changes_put(&"t".into(), &stored)).await;
        assert_eq!(read(&store, |tx| tx.operator_changes(&"t".into())).await, changes);
    }
}

/// The consents of a client are found page by page, also those created at the same instant, and none of another client.
pub(super) async fn the_consents_of_a_client_are_found_page_by_page(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.client_insert(&client("u"))?;
        for (id, of, made_at) in [("c1", "t", 2), ("c2", "t", 1), ("c3", "t", 2), ("c4", "u", 1), ("c5", "t", 3)] {
            tx.consent_insert(&Consent { created_at: at(made_at), ..consent(id, of) })?;
        }
        Ok(())
    })
    .await;
    let (mut after, mut found) = (None, Vec::new());
    loop {
        let from = after.clone();
        let page = read(&store, move |tx| tx.consents_of_client(&"t".into(), from.as_ref(), 2)).await;
        after = page.last().cloned();
        found.extend(page.into_iter().map(|position| position.id.to_string()));
        if after.is_none() {
            break;
        }
    }
    assert_eq!(found, ["c2", "c1", "c3", "c5"]);
    let (mut before, mut found) = (None, Vec::new());
    loop {
        let from = before.clone();
        let page = read(&store, move |tx| tx.consents_of_client_newest(&"t".into(), from.as_ref(), 2)).await;
        before = page.last().cloned();
        found.extend(page.into_iter().map(|position| position.id.to_string()));
        if before.is_none() {
            break;
        }
    }
    assert_eq!(found, ["c5", "c3", "c1", "c2"]);
}

/// Source: DCR-043.
pub(super) async fn events_of_deleted_clients_are_dropped(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.client_insert(&client("u"))?;
        tx.events_append(&[event("e1", "t", 1), event("e2", "t", 2), event("e3", "u", 3)])
    })
    .await;
    assert_eq!(write(&store, |tx| tx.events_drop_of_deleted_clients(10)).await, 0);
    write(&store, |tx| tx.client_update(&Client { status: ClientStatus::Deleted, epoch: 1, ..client("t") })).await;
    assert_eq!(write(&store, |tx| tx.events_drop_of_deleted_clients(1)).await, 1);
    assert_eq!(write(&store, |tx| tx.events_drop_of_deleted_clients(10)).await, 1);
    assert_eq!(
        read(&store, |tx| tx.events_waiting(&"t".into(), None, &ReusableSignatures::default(), 10)).await.len(),
        0
    );
    assert_eq!(
        read(&store, |tx| tx.events_waiting(&"u".into(), None, &ReusableSignatures::default(), 10)).await.len(),
        1
    );
}

/// The directory that names the software.
const DIRECTORY: &str = "OpenBanking Ltd";

/// Limits of this many live clients, and of five registered since the epoch.
const fn at_most(live_max: u32) -> SoftwareClientLimits {
    SoftwareClientLimits { live_max, recent_max: 5, recent_since: Timestamp::UNIX_EPOCH }
}

/// Source: DCR-017.
pub(super) async fn registrations_at_once_never_pass_the_limit_of_their_software(store: Store) {
    let racing = (0..8).map(|number| {
        let (store, client) = (store.clone(), named(&format!("c{number}"), "s1", "Shop"));
        tokio::spawn(async move { write(&store, move |tx| tx.client_register(&client, DIRECTORY, at_most(3))).await })
    });
    let mut added = 0;
    for one in racing.collect::<Vec<_>>() {
        added += usize::from(one.await.unwrap() == Added);
    }
    assert_eq!((added, read(&store, |tx| tx.clients()).await.len()), (3, 3));
    let other = named("other", "s2", "Other");
    let registered = write(&store, move |tx| tx.client_register(&other, DIRECTORY, at_most(3))).await;
    assert_eq!(registered, Added, "another software has its own limit");
    let namesake = named("namesake", "s1", "Shop");
    let registered = write(&store, move |tx| tx.client_register(&namesake, "Another Directory", at_most(3))).await;
    assert_eq!(registered, Added, "so has the software of this id in another directory");
    write(&store, |tx| {
        tx.client_update(&Client { software_id: "s3".into(), epoch: 1, ..named("namesake", "s1", "Shop") })
    })
    .await;
    let mut seen = Vec::new();
    for number in 0..4 {
        let next = named(&format!("next{number}"), "s1", "Shop");
        let live = read(&store, |tx| tx.clients_named("s1", 20)).await;
        let live: Vec<_> = live.into_iter().filter(|client| client.status != ClientStatus::Deleted).collect();
        if let [_, _, last] = &live[..] {
            let deleted = Client { status: ClientStatus::Deleted, epoch: last.epoch + 1, ..last.clone() };
            let again = next.clone();
            seen.push(write(&store, move |tx| tx.client_register(&again, DIRECTORY, at_most(3))).await);
            write(&store, move |tx| tx.client_update(&deleted)).await;
        }
        seen.push(write(&store, move |tx| tx.client_register(&next, DIRECTORY, at_most(3))).await);
    }
    // A deleted client does not count as live, and counts among the recent ones.
    assert_eq!(seen, [TooManyLive, Added, TooManyLive, Added, TooManyLive, TooManyRecent, TooManyRecent]);
    let later = SoftwareClientLimits { recent_since: at(1_000_000_000), ..at_most(3) };
    let last = named("last", "s1", "Shop");
    assert_eq!(
        write(&store, move |tx| tx.client_register(&last, DIRECTORY, later)).await,
        Added,
        "the others were long before"
    );
}

/// Source: AS-009.
pub(super) async fn the_latest_key_set_of_an_address_is_kept(store: Store) {
    let address = |url: &str, revoked: Option<&str>| KeySetAddress {
        url: url.to_owned(),
        revoked_url: revoked.map(str::to_owned),
    };
    let (first, second) =
        (address("https://a.example/", None), address("https://a.example/", Some("https://b.example/")));
    let fetched = |document: &str, second| FetchedKeySet { document: document.to_owned(), fetched_at: at(second) };
    for (to, key_set) in [
        (&first, fetched("1", 1)),
        (&second, fetched("2", 5)),
        (&first, fetched("3", 3)),
        (&first, fetched("older", 2)),
    ] {
        let to = to.clone();
        write(&store, move |tx| tx.key_set_put(&to, &key_set)).await;
    }
    for (from, key_set) in
        [(first.clone(), Some(fetched("3", 3))), (second, Some(fetched("2", 5))), (address("x", None), None)]
    {
        assert_eq!(read(&store, move |tx| tx.key_set(&from)).await, key_set);
    }
}
