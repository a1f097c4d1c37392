//! The audit log.

use super::samples::{at, digest, read, write};
use lombard_domain::audit::{AuditAction, AuditChain, AuditEntry, AuditRecord};
use lombard_domain::ids::{ClientId, FapiInteractionId, PsuId};
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::staff::{StaffAct, StaffMember, StaffName, StaffRole};
use lombard_ports::store::{AuditFilter, AuditPage, Store, StoreError};

/// An act of a member of staff, with every member.
fn record() -> AuditRecord {
    let act = StaffAct {
        member: StaffMember { name: StaffName::parse("Ada “L”").unwrap(), role: StaffRole::Security },
        from: "192.0.2.7".to_owned(),
        reason: ChangeReason::parse("case 7"),
        interaction_id: Some(FapiInteractionId::new("i-1")),
    };
    let record = AuditRecord::of_staff(&act, at(5), AuditAction::TppDisable, "acme");
    record.with_digests(Some(digest(1)), Some(digest(2)))
}

/// Entry `sequence` of a node, with this record.
fn entry(record: &AuditRecord, node: &str, sequence: i64) -> AuditEntry {
    let last = AuditChain { sequence: sequence - 1, hash: "before".to_owned(), ..AuditChain::new(node) };
    AuditEntry { hash: format!("{node}{sequence}"), ..record.seal(&last) }
}

/// A record is stored if its transaction commits, and reads back with every member and without any.
pub(super) async fn a_record_is_kept_with_what_it_tells_of(store: Store) {
    let bare = AuditRecord::of_tpp(&ClientId::new("acme\0"), at(6), AuditAction::TppRegister);
    let records = [record(), bare];
    let given = records.clone();
    write(&store, move |tx| given.iter().try_for_each(|record| tx.audit_append(record))).await;
    let rolled_back: Result<(), StoreError> = store
        .write(move |tx| {
            tx.audit_append(&record())?;
            Err(StoreError::Unavailable("a refusal".into()))
        })
        .await;
    assert!(rolled_back.is_err());
    let drafts = read(&store, |tx| tx.audit_drafts(9)).await;
    let kept: Vec<_> = drafts.iter().map(|draft| draft.entry.clone()).collect();
    let mut expected = records.map(|record| AuditEntry { sequence: 0, ..record.seal(&AuditChain::new("node")) });
    expected[1].target = "acme\u{fffd}".to_owned();
    expected[1].actor = "acme\u{fffd}".to_owned();
    assert_eq!(kept, expected);
    assert_eq!(read(&store, |tx| tx.audit_drafts(1)).await, &drafts[..1]);
    let numbers: Vec<_> = drafts.iter().map(|draft| draft.number).collect();
    write(&store, move |tx| tx.audit_seal(&[], &numbers)).await;
    assert_eq!(read(&store, |tx| tx.audit_drafts(9)).await, []);
}

/// Entries come in the order in which they were sealed, from either end, and are found by each of their keys.
pub(super) async fn entries_read_back_and_are_found_by_what_they_tell(store: Store) {
    let other = AuditRecord::of_customer(&PsuId::new("psu"), at(9000), AuditAction::ConsentRevoke, "acme");
    let entries = [entry(&record(), "b", 1), entry(&other, "a", 1), entry(&record(), "b", 2)];
    let sealed = entries.clone();
    write(&store, move |tx| tx.audit_seal(&sealed, &[])).await;
    let all = AuditFilter::default;
    let target = |target: &str| AuditFilter { target: Some(target.to_owned()), ..all() };
    let actor = |actor: &str| AuditFilter { actor: Some(actor.to_owned()), ..all() };
    let action = |action| AuditFilter { action: Some(action), ..all() };
    for (filter, expected) in [
        (all(), &[0, 1, 2][..]),
        (target("acme"), &[0, 1, 2]),
        (target("none"), &[]),
        (actor("psu"), &[1]),
        (AuditFilter { target: Some("acme".to_owned()), ..actor("psu") }, &[1]),
        (action(AuditAction::TppDisable), &[0, 2]),
        (AuditFilter { since: Some(at(5)), until: Some(at(9000)), ..all() }, &[0, 2]),
        (AuditFilter { since: Some(at(6)), ..all() }, &[1]),
        (AuditFilter { since: Some(at(99_000)), ..all() }, &[]),
    ] {
        let expected: Vec<_> = expected.iter().map(|place: &usize| entries[*place].clone()).collect();
        for page in [AuditPage::After(0), AuditPage::Before(i64::MAX)] {
            let wanted = filter.clone();
            let found = read(&store, move |tx| tx.audit_entries(&wanted, page, 9)).await;
            let mut found: Vec<_> = found.into_iter().map(|sealed| sealed.entry).collect();
            if matches!(page, AuditPage::Before(_)) {
                found.reverse();
            }
            assert_eq!(found, expected, "{filter:?} {page:?}");
        }
    }
    let first = read(&store, move |tx| tx.audit_entries(&all(), AuditPage::After(0), 1)).await.remove(0);
    let (number, last) = (first.number, entries[2].clone());
    let rest = read(&store, move |tx| tx.audit_entries(&AuditFilter::default(), AuditPage::After(number), 9)).await;
    assert_eq!(rest.len(), 2);
    assert_eq!(write(&store, move |tx| tx.audit_remove_through(number)).await, 1);
    let twice: Result<(), StoreError> = store.write(move |tx| tx.audit_seal(std::slice::from_ref(&last), &[])).await;
    assert!(matches!(twice, Err(StoreError::Duplicate("audit_entries"))), "{twice:?}");
}

/// The end of a chain is replaced, and listed as long as the joint chain does not name it.
pub(super) async fn chains_read_back_until_they_are_named(store: Store) {
    let chain = |node: &str, sequence, headed| AuditChain { sequence, headed, last_at: at(3), ..AuditChain::new(node) };
    for stored in [chain("b", 1, 0), chain("a", 2, 1), chain("b", 2, 2)] {
        write(&store, move |tx| tx.audit_chain_put(&stored)).await;
    }
    assert_eq!(read(&store, |tx| tx.audit_chain("b")).await, Some(chain("b", 2, 2)));
    assert_eq!(read(&store, |tx| tx.audit_chain("c")).await, None);
    assert_eq!(read(&store, |tx| tx.audit_chains(false, 9)).await, [chain("a", 2, 1), chain("b", 2, 2)]);
    assert_eq!(read(&store, |tx| tx.audit_chains(true, 9)).await, [chain("a", 2, 1)]);
}

/// Transactions that take a turn see what the one before has stored.
pub(super) async fn transactions_that_seal_wait_for_each_other(store: Store) {
    let mut turns = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let store = store.clone();
        turns.spawn(async move {
            let turn = store.write::<_, StoreError, _>(move |tx| {
                assert_eq!(tx.audit_take_turn()?, "node");
                let chain = tx.audit_chain("node")?.unwrap_or(AuditChain::new("node"));
                tx.audit_chain_put(&AuditChain { sequence: chain.sequence + 1, ..chain })
            });
            turn.await.unwrap();
        });
    }
    turns.join_all().await;
    assert_eq!(read(&store, |tx| tx.audit_chain("node")).await.unwrap().sequence, 8);
}
