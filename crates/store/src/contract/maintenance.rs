//! Notices of maintenance.

use super::samples::{at, read, write};
use lombard_domain::maintenance::{MaintenanceNotice, NoticeContent, NoticeImpact, NoticeKind, NoticeText, SystemName};
use lombard_ports::store::{Store, StoreError};

/// Planned maintenance between these seconds, with every text.
fn notice(id: &str, from: i64, until: i64) -> MaintenanceNotice {
    MaintenanceNotice {
        id: id.into(),
        kind: NoticeKind::Planned,
        impact: NoticeImpact::BusinessCritical,
        given_at: at(1),
        from: at(from),
        until: Some(at(until)),
        started_at: None,
        ended_at: None,
        withdrawn_at: None,
        content: NoticeContent {
            message: NoticeText::parse("The database is moved, “é”.").unwrap(),
            reason: NoticeText::parse("It is full."),
            systems: ["production", "sandbox"].map(|it| SystemName::parse(it).unwrap()).into(),
            action: NoticeText::parse("Call again afterwards."),
        },
    }
}

fn ids(notices: Vec<MaintenanceNotice>) -> Vec<String> {
    notices.into_iter().map(|notice| notice.id.to_string()).collect()
}

async fn put(store: &Store, notices: &[MaintenanceNotice]) {
    let notices = notices.to_vec();
    write(store, move |tx| notices.iter().try_for_each(|notice| tx.notice_put(notice))).await;
}

/// A notice reads back with every value and without any, and the one with its id is replaced.
pub(super) async fn a_notice_reads_back_and_is_replaced_by_its_id(store: Store) {
    let full = MaintenanceNotice { started_at: Some(at(4)), ended_at: Some(at(6)), ..notice("n", 5, 9) };
    let bare = MaintenanceNotice {
        kind: NoticeKind::Change,
        impact: NoticeImpact::General,
        until: None,
        withdrawn_at: Some(at(2)),
        content: NoticeContent { reason: None, action: None, ..full.content.clone() },
        ..notice("n", 7, 9)
    };
    let unplanned =
        MaintenanceNotice { kind: NoticeKind::Unplanned, impact: NoticeImpact::DegradedService, ..notice("n", 7, 9) };
    assert_eq!(read(&store, |tx| tx.notice(&"n".into())).await, None);
    for stored in [full, bare, unplanned] {
        put(&store, std::slice::from_ref(&stored)).await;
        assert_eq!(read(&store, |tx| tx.notice(&"n".into())).await, Some(stored));
    }
    assert_eq!(ids(read(&store, |tx| tx.notices_over_after(at(0), 9)).await), ["n"]);
}

/// Notices that are not over are always listed, others for a time after they were over; the newest period first.
pub(super) async fn notices_that_are_over_are_listed_for_a_time(store: Store) {
    let ended = MaintenanceNotice { ended_at: Some(at(20)), ..notice("ended", 10, 19) };
    let withdrawn = MaintenanceNotice { withdrawn_at: Some(at(21)), ..notice("withdrawn", 30, 39) };
    let degraded = MaintenanceNotice { impact: NoticeImpact::DegradedService, ..notice("degraded", 12, 22) };
    let in_force = notice("in-force", 11, 13);
    put(&store, &[ended, withdrawn, degraded, in_force]).await;
    for (over_after, expected) in [
        (19, &["withdrawn", "degraded", "in-force", "ended"][..]),
        (20, &["withdrawn", "degraded", "in-force"]),
        (21, &["degraded", "in-force"]),
        (22, &["in-force"]),
    ] {
        assert_eq!(ids(read(&store, move |tx| tx.notices_over_after(at(over_after), 9)).await), expected);
    }
    assert_eq!(ids(read(&store, |tx| tx.notices_over_after(at(0), 2)).await), ["withdrawn", "degraded"]);
}

/// Windows are the notices that stop the service and have an instant in the period, the oldest first.
pub(super) async fn windows_are_those_that_stop_the_service_in_a_period(store: Store) {
    let early = MaintenanceNotice { started_at: Some(at(8)), ended_at: Some(at(12)), ..notice("early", 10, 19) };
    let withdrawn = MaintenanceNotice { withdrawn_at: Some(at(9)), ..notice("withdrawn", 10, 19) };
    let degraded = MaintenanceNotice { impact: NoticeImpact::General, ..notice("degraded", 10, 19) };
    let change = MaintenanceNotice { kind: NoticeKind::Change, ..notice("change", 10, 19) };
    put(&store, &[notice("open", 30, 39), early, withdrawn, degraded, change]).await;
    for (from, until, expected) in [
        (0, 99, &["early", "open"][..]),
        (0, 8, &[]),
        (0, 9, &["early"]),
        (11, 30, &["early"]),
        (12, 31, &["open"]),
        (80, 90, &["open"]),
    ] {
        let windows = read(&store, move |tx| tx.maintenance_windows_between(at(from), at(until))).await;
        assert_eq!(ids(windows), expected, "{from} to {until}");
    }
}

/// Transactions that change notices wait for each other, so that each sees what the one before has stored.
pub(super) async fn acts_on_notices_wait_for_each_other(store: Store) {
    let mut acts = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = store.clone();
        acts.spawn(async move {
            let act = store.write::<_, StoreError, _>(move |tx| {
                if tx.notices_for_change(at(0), 9)?.is_empty() {
                    tx.notice_put(&notice(&number.to_string(), 10, 19))?;
                }
                Ok(())
            });
            act.await.unwrap();
        });
    }
    acts.join_all().await;
    assert_eq!(read(&store, |tx| tx.notices_over_after(at(0), 9)).await.len(), 1);
}
