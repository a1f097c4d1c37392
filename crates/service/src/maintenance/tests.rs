//! Tests of acts on notices and of what a node knows.

use super::*;
use lombard_domain::maintenance::{NoticeImpact, NoticeKind, NoticeStatus, NoticeText, SystemName};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn content(message: &str) -> NoticeContent {
    NoticeContent {
        message: NoticeText::parse(message).unwrap(),
        reason: None,
        systems: vec![SystemName::parse("production").unwrap()],
        action: NoticeText::parse("Call again afterwards."),
    }
}

fn announce(from: &str, until: &str) -> MaintenanceChange {
    let announcement = Announcement {
        is_change: false,
        impact: NoticeImpact::BusinessCritical,
        from: at(from),
        until: Some(at(until)),
        content: content("The database is moved."),
    };
    MaintenanceChange::Announce { id: None, announcement }
}

async fn change(
    store: &Store,
    id: &str,
    now: &str,
    change: MaintenanceChange,
) -> Result<MaintenanceNotice, MaintenanceError> {
    let record = AuditRecord::of_server(at(now), change.action(), "");
    change_maintenance(store, id.into(), at(now), change, record).await
}

const GIVEN: &str = "2026-03-02T12:00:00Z";
const FROM: &str = "2026-04-18T21:00:00Z";
const UNTIL: &str = "2026-04-19T01:00:00Z";

#[tokio::test]
async fn dtn_006_a_node_refuses_from_the_begin_to_the_end_by_its_own_clock() {
    let store = lombard_store::open_temporary_store().await.unwrap();
    let node = MaintenanceState::default();
    let in_force = |now: &str| node.in_force(at(now)).map(|it| (it.retry_after_secs, it.is_planned));
    assert_eq!(in_force(FROM), None, "nothing is announced");
    change(&store, "n", GIVEN, announce(FROM, UNTIL)).await.unwrap();
    node.refresh(&store, at(GIVEN)).await.unwrap();
    assert_eq!(in_force("2026-04-18T20:59:59.999999Z"), None);
    assert_eq!(in_force(FROM), Some((4 * 3600 + 1, true)));
    assert_eq!(in_force("2026-04-19T00:59:30Z"), Some((60, true)), "at least a minute");
    assert_eq!(in_force("2026-04-19T09:00:00Z"), Some((60, false)), "past the announced end");
    change(&store, "x", "2026-04-19T09:00:00Z", MaintenanceChange::End { id: None }).await.unwrap();
    node.refresh(&store, at(FROM)).await.unwrap();
    assert_eq!(in_force(FROM), None, "ended, also where a clock is behind");
}

#[tokio::test]
async fn dtn_006_unannounced_maintenance_needs_no_end_and_is_unplanned() {
    let store = lombard_store::open_temporary_store().await.unwrap();
    let node = MaintenanceState::default();
    let begin = |until: Option<&str>| MaintenanceChange::BeginUnannounced {
        until: until.map(at),
        content: content("Power failure."),
    };
    let begun = change(&store, "u", FROM, begin(None)).await.unwrap();
    assert_eq!((begun.kind, begun.status(at(FROM))), (NoticeKind::Unplanned, NoticeStatus::InProgress));
    // This node's clock is behind that of the node that began.
    node.refresh(&store, at(GIVEN)).await.unwrap();
    let found = node.in_force(at(GIVEN)).unwrap();
    assert_eq!((found.until, found.retry_after_secs, found.is_planned), (None, RETRY_AFTER_SECS_MIN, false));
    let again = change(&store, "v", FROM, begin(Some(UNTIL))).await.unwrap_err();
    assert!(matches!(again, MaintenanceError::Refused(NoticeFault::InForce(_))), "{again}");
}

#[tokio::test]
async fn dtn_007_the_published_list_changes_when_a_notice_or_its_status_does() {
    let store = lombard_store::open_temporary_store().await.unwrap();
    let node = MaintenanceState::default();
    change(&store, "n", GIVEN, announce(FROM, UNTIL)).await.unwrap();
    let mut seen = Vec::new();
    for now in [GIVEN, GIVEN, "2026-04-17T00:00:00Z", FROM, UNTIL] {
        node.refresh(&store, at(now)).await.unwrap();
        let published = node.published();
        seen.push((published.revision, published.notices[0].status));
    }
    let expected = [
        (1, NoticeStatus::Announced),
        (1, NoticeStatus::Announced),
        (2, NoticeStatus::Confirmed),
        (3, NoticeStatus::InProgress),
        (3, NoticeStatus::InProgress),
    ];
    assert_eq!(seen, expected);
    change(&store, "x", UNTIL, MaintenanceChange::End { id: Some("n".into()) }).await.unwrap();
    for (now, published) in [("2026-07-17T00:00:00Z", 1), ("2026-07-19T00:00:00Z", 0)] {
        node.refresh(&store, at(now)).await.unwrap();
        assert_eq!(node.published().notices.len(), published, "{now}: for 90 days");
    }
}

#[tokio::test]
async fn dtn_005_a_moved_notice_keeps_its_id_and_unknown_ids_are_refused() {
    let store = lombard_store::open_temporary_store().await.unwrap();
    change(&store, "n", GIVEN, announce(FROM, UNTIL)).await.unwrap();
    let moved = |id: &str| match announce("2026-04-25T21:00:00Z", "2026-04-26T01:00:00Z") {
        MaintenanceChange::Announce { announcement, .. } => {
            MaintenanceChange::Announce { id: Some(id.into()), announcement }
        }
        other => other,
    };
    let later = "2026-03-03T12:00:00Z";
    change(&store, "x", later, moved("n")).await.unwrap();
    let notices = list_notices(&store, at(later)).await.unwrap();
    assert_eq!(notices.iter().map(|it| (it.id.as_str(), it.given_at)).collect::<Vec<_>>(), [("n", at(later))]);
    let unknown = [
        moved("other"),
        MaintenanceChange::BeginAnnounced { id: "other".into() },
        MaintenanceChange::End { id: Some("other".into()) },
        MaintenanceChange::Withdraw { id: "other".into() },
    ];
    for act in unknown {
        assert!(matches!(change(&store, "x", later, act).await, Err(MaintenanceError::Unknown)));
    }
    let withdrawn = change(&store, "x", later, MaintenanceChange::Withdraw { id: "n".into() }).await.unwrap();
    assert_eq!(withdrawn.withdrawn_at, Some(at(later)));
    let none = change(&store, "x", later, MaintenanceChange::End { id: None }).await;
    assert!(matches!(none, Err(MaintenanceError::Refused(NoticeFault::NoneInForce))));
}

#[tokio::test]
async fn a_new_notice_never_replaces_one_with_the_same_id() {
    let store = lombard_store::open_temporary_store().await.unwrap();
    change(&store, "n", GIVEN, announce(FROM, UNTIL)).await.unwrap();
    let again = change(&store, "n", GIVEN, announce("2026-05-18T21:00:00Z", "2026-05-19T01:00:00Z")).await;
    assert!(matches!(again, Err(MaintenanceError::Store(StoreError::Duplicate(_)))));
    assert_eq!(list_notices(&store, at(GIVEN)).await.unwrap()[0].from, at(FROM));
    change(&store, "n", GIVEN, MaintenanceChange::Withdraw { id: "n".into() }).await.unwrap();
}

#[tokio::test]
async fn dtn_004_of_two_overlapping_announcements_at_once_one_is_refused() {
    let store = lombard_store::open_temporary_store().await.unwrap();
    let one = change(&store, "a", GIVEN, announce(FROM, UNTIL));
    let other = change(&store, "b", GIVEN, announce(FROM, UNTIL));
    let (one, other) = tokio::join!(one, other);
    assert_ne!(one.is_ok(), other.is_ok());
    assert_eq!(list_notices(&store, at(GIVEN)).await.unwrap().len(), 1);
}
