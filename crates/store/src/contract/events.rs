//! Queues of events.

use super::samples::{at, event, read, write};
use lombard_domain::event::{Event, EventErrorReport};
use lombard_domain::ids::EventId;
use lombard_domain::scope::{Scope, Scopes};
use lombard_ports::store::{
    AcknowledgedEvent, ClientEvent, ClientEventKind, EventDelivery, EventOwner, OfferedEvent, OfferedEventForm,
    PurgedEvents, QueueSize, ReusableSignatures, Store, StoredSignature,
};

async fn append(store: &Store, events: &[(&str, &str, i64)]) -> Vec<Event> {
    let events: Vec<_> = events.iter().map(|(id, client, second)| event(id, client, *second)).collect();
    let rows = events.clone();
    write(store, move |tx| tx.events_append(&rows)).await;
    events
}

async fn offered(store: &Store, client: &'static str, published: &'static [&str], limit: u32) -> Vec<OfferedEvent> {
    let reusable = ReusableSignatures { keys: published.iter().map(|key| (*key).into()).collect(), typ: None };
    read(store, move |tx| tx.events_waiting(&client.into(), None, &reusable, limit)).await
}

async fn waiting(store: &Store, client: &'static str, limit: u32) -> Vec<String> {
    offered(store, client, &[], limit).await.into_iter().map(|offer| offer.id.to_string()).collect()
}

async fn acknowledge(store: &Store, client: &'static str, ids: &'static [&str]) -> Vec<EventId> {
    write(store, move |tx| {
        let ids: Vec<EventId> = ids.iter().map(|id| EventId::from(*id)).collect();
        tx.events_acknowledge(&client.into(), &ids, at(50))
    })
    .await
}

async fn report(store: &Store, client: &'static str, id: &'static str, limit: Option<u32>) -> Vec<bool> {
    write(store, move |tx| {
        let it = EventErrorReport { id: id.into(), err: String::from("jwtIss"), description: String::from("why") };
        tx.events_report(&client.into(), &[it], limit, at(60))
    })
    .await
    .into_iter()
    .map(|noted| noted.parked)
    .collect()
}

fn delivery(id: &str, times: i64, signed: Option<(&str, i64)>) -> EventDelivery {
    let signature = |key: &str| StoredSignature { key: key.into(), typ: None, token: "a.b.c".into() };
    EventDelivery { id: id.into(), times, signed: signed.map(|(key, reports)| (signature(key), reports)) }
}

async fn delivered(store: &Store, deliveries: Vec<EventDelivery>, limit: Option<u32>) {
    write(store, move |tx| tx.events_record_deliveries(&deliveries, limit, at(70))).await;
}

/// Each client's events are offered by number of deliveries, then in order of arrival, with all their members. Source: EVT-056.
pub(super) async fn events_are_offered_by_turn_and_age(store: Store) {
    // The order is that of arrival, not of ids or times.
    let all = append(&store, &[("c", "t", 3), ("a", "t", 1), ("b", "t", 2), ("d", "rival", 0)]).await;
    assert_eq!(waiting(&store, "t", 9).await, ["c", "a", "b"]);
    assert_eq!(waiting(&store, "t", 2).await, ["c", "a"]);
    let first = offered(&store, "t", &[], 1).await.remove(0);
    assert_eq!(
        first,
        OfferedEvent { id: "c".into(), reports: 0, form: OfferedEventForm::Unsigned(Box::new(all[0].clone())) }
    );

    delivered(&store, vec![delivery("c", 1, None), delivery("a", 2, None), delivery("gone", 1, None)], None).await;
    assert_eq!(waiting(&store, "t", 9).await, ["b", "c", "a"]);
    append(&store, &[("e", "t", 0)]).await;
    assert_eq!(waiting(&store, "t", 9).await, ["b", "e", "c", "a"], "a new one comes before those delivered");
}

/// Source: EVT-035, EVT-039, EVT-040, EVT-085.
pub(super) async fn an_acknowledged_event_is_gone_and_remembered(store: Store) {
    append(&store, &[("a", "t", 1), ("b", "t", 2)]).await;
    assert_eq!(acknowledge(&store, "t", &["a", "unknown", "\0", "a"]).await, [EventId::from("a")]);
    assert_eq!(waiting(&store, "t", 9).await, ["b"]);
    assert_eq!(acknowledge(&store, "t", &["a"]).await, []);
    delivered(&store, vec![delivery("a", 1, Some(("k", 0)))], None).await;
    assert_eq!(waiting(&store, "t", 9).await, ["b"], "what is known late of it does not bring it back");
    let mut known = read(&store, |tx| tx.event_owners(&["a".into(), "b".into(), "unknown".into()])).await;
    known.sort_by(|a, b| a.id.cmp(&b.id));
    let it = |id: &str, acknowledged| EventOwner { id: id.into(), client: "t".into(), acknowledged };
    assert_eq!(known, [it("a", true), it("b", false)]);
}

/// A client can neither acknowledge nor report another client's events. Source: EVT-038, EVT-058.
pub(super) async fn events_of_others_are_as_unknown(store: Store) {
    append(&store, &[("mine", "t", 1)]).await;
    assert_eq!(acknowledge(&store, "rival", &["mine", "unknown"]).await, []);
    assert_eq!(report(&store, "rival", "mine", Some(1)).await, Vec::<bool>::new());
    assert_eq!(report(&store, "rival", "unknown", Some(1)).await, Vec::<bool>::new());
    assert_eq!(waiting(&store, "t", 9).await, ["mine"]);
    assert_eq!(waiting(&store, "rival", 9).await, Vec::<String>::new());
    assert_eq!(offered(&store, "t", &[], 1).await[0].reports, 0);
}

/// Source: EVT-042.
pub(super) async fn a_report_is_noted_and_parks_only_at_a_limit(store: Store) {
    append(&store, &[("a", "t", 1), ("b", "t", 2)]).await;
    for reports in 1..=3 {
        assert_eq!(report(&store, "t", "a", None).await, [false], "report {reports}");
        assert_eq!(waiting(&store, "t", 9).await, ["b", "a"]);
        let shown = read(&store, |tx| tx.events_reported(9)).await;
        assert_eq!((shown.len(), shown[0].id.as_str(), shown[0].reports), (1, "a", reports));
        assert_eq!((shown[0].parked_at, shown[0].err.as_deref()), (None, Some("jwtIss")));
    }
    assert_eq!(report(&store, "t", "a", Some(5)).await, [false]);
    assert_eq!(report(&store, "t", "a", Some(5)).await, [true], "the fifth");
    assert_eq!(waiting(&store, "t", 9).await, ["b"]);
    assert_eq!(read(&store, |tx| tx.events_reported(9)).await, []);
    assert_eq!(report(&store, "t", "a", Some(5)).await, Vec::<bool>::new(), "it is parked already");
    let parked = read(&store, |tx| tx.events_parked(9)).await;
    assert_eq!((parked.len(), parked[0].id.as_str(), parked[0].reports), (1, "a", 5));
    assert_eq!((parked[0].recorded_at, parked[0].parked_at), (at(2), Some(at(60))));
    assert_eq!((parked[0].err.as_deref(), parked[0].description.as_deref()), (Some("jwtIss"), Some("why")));
    assert_eq!(read(&store, |tx| tx.events_parked_count()).await, 1);
    assert_eq!(acknowledge(&store, "t", &["a"]).await, [EventId::from("a")], "it can still be acknowledged");
    assert_eq!(read(&store, |tx| tx.events_parked_count()).await, 0);
}

/// The number of reports counts before the number of deliveries. Source: EVT-042, EVT-056.
pub(super) async fn a_reported_event_waits_behind_those_reported_less(store: Store) {
    append(&store, &[("a", "t", 1), ("b", "t", 2), ("c", "t", 3), ("d", "t", 4)]).await;
    delivered(&store, vec![delivery("c", 7, None), delivery("d", 1, None)], None).await;
    for id in ["a", "a", "b"] {
        report(&store, "t", id, None).await;
    }
    assert_eq!(waiting(&store, "t", 9).await, ["d", "c", "b", "a"]);
    append(&store, &[("e", "t", 5)]).await;
    assert_eq!(waiting(&store, "t", 9).await, ["e", "d", "c", "b", "a"]);
}

/// Source: EVT-042.
pub(super) async fn parked_events_can_be_offered_again(store: Store) {
    append(&store, &[("a", "t", 1)]).await;
    assert!(!write(&store, |tx| tx.event_requeue(&"a".into())).await, "it is not parked");
    assert_eq!(report(&store, "t", "a", Some(1)).await, [true]);
    assert!(write(&store, |tx| tx.event_requeue(&"a".into())).await);
    let again = offered(&store, "t", &[], 9).await;
    assert_eq!((again.len(), again[0].reports), (1, 0));
    assert!(!write(&store, |tx| tx.event_requeue(&"unknown".into())).await);
}

/// Source: SET-005.
pub(super) async fn a_signature_is_kept_while_its_key_is_published(store: Store) {
    append(&store, &[("a", "t", 1)]).await;
    delivered(&store, vec![delivery("a", 1, Some(("k", 0)))], None).await;
    let kept = StoredSignature { key: "k".into(), typ: None, token: "a.b.c".into() };
    assert_eq!(offered(&store, "t", &["other", "k"], 1).await[0].form, OfferedEventForm::Signed(kept));
    for published in [&["other"][..], &[]] {
        assert!(matches!(offered(&store, "t", published, 1).await[0].form, OfferedEventForm::Unsigned(_)));
    }
    assert_eq!(report(&store, "t", "a", None).await, [false]);
    assert!(
        matches!(offered(&store, "t", &["k"], 1).await[0].form, OfferedEventForm::Unsigned(_)),
        "a report drops it"
    );
}

/// A stored signature is offered only to polls that need its `typ`; a later one replaces it. Source: SET-003.
pub(super) async fn a_signature_is_kept_for_polls_that_need_its_typ(store: Store) {
    append(&store, &[("a", "t", 1)]).await;
    let typs = [None, Some("secevent+jwt"), None, Some("JOSE")];
    for typ in typs {
        let signed = StoredSignature { key: "k".into(), typ: typ.map(Into::into), token: "a.b.c".into() };
        delivered(&store, vec![EventDelivery { signed: Some((signed.clone(), 0)), ..delivery("a", 1, None) }], None)
            .await;
        for needed in typs {
            let reusable = ReusableSignatures { keys: vec!["k".into()], typ: needed.map(Into::into) };
            let offer = read(&store, move |tx| tx.events_waiting(&"t".into(), None, &reusable, 1)).await.remove(0);
            match offer.form {
                OfferedEventForm::Signed(kept) => assert_eq!((typ, kept), (needed, signed.clone())),
                OfferedEventForm::Unsigned(event) => assert_eq!((typ != needed, event.id.as_str()), (true, "a")),
            }
        }
    }
}

/// A signature from a poll that was in progress when the event was reported is discarded. Source: EVT-042.
pub(super) async fn a_signature_made_before_a_report_is_not_kept(store: Store) {
    append(&store, &[("a", "t", 1)]).await;
    assert_eq!(report(&store, "t", "a", None).await, [false]);
    delivered(&store, vec![delivery("a", 1, Some(("k", 0)))], None).await;
    assert!(matches!(offered(&store, "t", &["k"], 1).await[0].form, OfferedEventForm::Unsigned(_)));
    delivered(&store, vec![delivery("a", 1, Some(("k", 1)))], None).await;
    assert!(matches!(offered(&store, "t", &["k"], 1).await[0].form, OfferedEventForm::Signed(_)));
}

/// Source: EVT-057.
pub(super) async fn deliveries_may_be_limited(store: Store) {
    append(&store, &[("a", "t", 1)]).await;
    delivered(&store, vec![delivery("a", 2, None)], Some(3)).await;
    assert_eq!(waiting(&store, "t", 9).await, ["a"]);
    delivered(&store, vec![delivery("a", 1, None)], Some(3)).await;
    assert_eq!(waiting(&store, "t", 9).await, Vec::<String>::new());
    assert_eq!(read(&store, |tx| tx.events_parked(9)).await[0].err, None);
}

/// Source: EVT-006.
pub(super) async fn scopes_can_narrow_a_queue(store: Store) {
    write(&store, |tx| tx.events_append(&[event("a", "t", 1), Event { scope: Scope::Payments, ..event("p", "t", 2) }]))
        .await;
    for (scopes, expected) in [
        (vec![Scope::Accounts], vec!["a"]),
        (vec![Scope::OpenId, Scope::Payments], vec!["p"]),
        (vec![Scope::Payments, Scope::Accounts], vec!["a", "p"]),
        (vec![], vec![]),
    ] {
        let scopes: Scopes = scopes.into_iter().collect();
        let found =
            read(&store, move |tx| tx.events_waiting(&"t".into(), Some(scopes), &ReusableSignatures::default(), 9))
                .await;
        assert_eq!(found.iter().map(|offer| offer.id.as_str()).collect::<Vec<_>>(), expected);
    }
}

/// Source: EVT-085, EVT-086.
pub(super) async fn old_events_are_dropped_a_batch_at_a_time(store: Store) {
    append(&store, &[("a", "t", 1), ("b", "t", 2), ("c", "rival", 3), ("young", "t", 100)]).await;
    acknowledge(&store, "t", &["b"]).await;
    report(&store, "rival", "c", Some(1)).await;
    assert_eq!(read(&store, |tx| tx.events_oldest()).await, Some(at(2)));
    let purge = |second: i64, limit| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.events_purge(Some(at(second)), at(second), limit)).await }
    };
    assert_eq!(purge(2, 9).await, PurgedEvents::default(), "the boundary instant is kept");
    assert_eq!(purge(90, 1).await, PurgedEvents { dropped: 1, forgotten: 1 });
    assert_eq!(purge(90, 1).await, PurgedEvents { dropped: 1, forgotten: 0 }, "parked ones go too");
    assert_eq!(purge(90, 1).await, PurgedEvents::default());
    assert_eq!(waiting(&store, "t", 9).await, ["young"]);
    assert_eq!(read(&store, |tx| tx.event_owners(&["a".into(), "b".into()])).await, vec![]);
}

/// Source: EVT-086.
pub(super) async fn events_wait_without_end_unless_they_are_dropped(store: Store) {
    append(&store, &[("a", "t", 1), ("b", "t", 2)]).await;
    acknowledge(&store, "t", &["b"]).await;
    let purged = write(&store, |tx| tx.events_purge(None, at(1_000_000_000), 9)).await;
    assert_eq!(purged, PurgedEvents { dropped: 0, forgotten: 1 });
    assert_eq!(waiting(&store, "t", 9).await, ["a"]);
}

/// Source: EVT-086.
pub(super) async fn queues_are_measured_each_by_itself(store: Store) {
    assert_eq!(read(&store, |tx| tx.events_queues(9, 9)).await, []);
    append(&store, &[("a", "t", 1), ("b", "t", 2), ("c", "t", 3), ("x", "rival", 4), ("p", "parked", 5)]).await;
    report(&store, "parked", "p", Some(1)).await;
    report(&store, "t", "b", None).await;
    acknowledge(&store, "t", &["a"]).await;
    let size = |client: &str, waiting, second| QueueSize { client: client.into(), waiting, oldest_at: at(second) };
    // The event occurred one second before it was recorded.
    assert_eq!(read(&store, |tx| tx.events_queues(9, 9)).await, [size("rival", 1, 5), size("t", 2, 3)]);
    assert_eq!(read(&store, |tx| tx.events_queues(1, 9)).await, [size("rival", 1, 5)]);
    assert_eq!(read(&store, |tx| tx.events_queues(9, 1)).await, [size("rival", 1, 5), size("t", 1, 3)]);
}

/// Source: EVT-086.
pub(super) async fn queues_can_be_trimmed_to_the_newest(store: Store) {
    append(&store, &[("a", "t", 1), ("b", "t", 2), ("c", "t", 3), ("d", "t", 4), ("x", "rival", 1)]).await;
    delivered(&store, vec![delivery("d", 3, None)], None).await;
    let trim = |keep, limit| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.events_drop_beyond(&"t".into(), keep, limit)).await }
    };
    assert_eq!(trim(4, 9).await, 0);
    assert_eq!(trim(1, 2).await, 2);
    assert_eq!(waiting(&store, "t", 9).await, ["c", "d"], "the oldest go, however often others were delivered");
    assert_eq!(trim(1, 2).await, 1);
    assert_eq!(trim(1, 2).await, 0);
    assert_eq!(waiting(&store, "rival", 9).await, ["x"]);
}

/// A client's developers see its own events, newest first and page by page, and the events that it acknowledged recently.
pub(super) async fn a_clients_events_are_listed_for_it_alone(store: Store) {
    let all = append(&store, &[("a", "t", 1), ("b", "rival", 2), ("c", "t", 3), ("d", "t", 4), ("e", "t", 5)]).await;
    report(&store, "t", "c", Some(1)).await;
    acknowledge(&store, "t", &["e"]).await;
    acknowledge(&store, "rival", &["b"]).await;
    let list =
        async |kind, before, limit| read(&store, move |tx| tx.events_of_client(&"t".into(), kind, before, limit)).await;
    let ids = |events: &[ClientEvent]| events.iter().map(|it| it.event.id.to_string()).collect::<Vec<_>>();
    let offered = list(ClientEventKind::Offered, None, 9).await;
    assert_eq!(ids(&offered), ["d", "a"]);
    assert_eq!(offered[1].event, all[0]);
    assert_eq!(ids(&list(ClientEventKind::Offered, Some(offered[0].number), 9).await), ["a"]);
    assert_eq!(ids(&list(ClientEventKind::Offered, None, 1).await), ["d"]);
    let parked = list(ClientEventKind::Parked, None, 9).await;
    assert_eq!(ids(&parked), ["c"]);
    assert_eq!((parked[0].reports, parked[0].err.as_deref(), parked[0].parked_at), (1, Some("jwtIss"), Some(at(60))));
    for (client, id, found) in [("t", "a", true), ("t", "c", true), ("rival", "a", false), ("t", "e", false)] {
        let one = read(&store, move |tx| tx.event_of_client(&client.into(), &id.into())).await;
        assert_eq!(one.is_some(), found, "{id} of {client}");
    }
    let acknowledged = async |client: &'static str, examined| {
        read(&store, move |tx| tx.events_acknowledged_lately(&client.into(), examined, 9)).await
    };
    assert_eq!(acknowledged("t", 9).await, [AcknowledgedEvent { id: "e".into(), at: at(50) }]);
    assert_eq!(acknowledged("t", 1).await, [], "the latest one is another client's");
}
