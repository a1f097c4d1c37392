//! Tests of sealing, verifying and purging.

use super::*;
use lombard_domain::code::StoredCode;
use lombard_domain::ids::PsuId;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

async fn temporary_store() -> Store {
    lombard_store::open_temporary_store().await.unwrap()
}

/// Records a decision of a customer at this second, on a target named after it.
async fn decide(store: &Store, second: i64) {
    let psu = PsuId::new("psu");
    let decision = AuditRecord::of_customer(&psu, at(second), AuditAction::ConsentRevoke, second.to_string());
    record(store, decision).await.unwrap();
}

/// Records and seals a decision at each of these seconds, each with an entry of the joint chain.
async fn decide_and_seal(store: &Store, seconds: impl IntoIterator<Item = i64>) {
    for second in seconds {
        decide(store, second).await;
        seal_all(store, at(second)).await.unwrap();
    }
}

async fn read_all(store: &Store) -> (Vec<AuditEntry>, Vec<AuditChain>) {
    let page = read_page(store, AuditFilter::default(), AuditPage::After(0), PAGE_ENTRIES_MAX).await.unwrap();
    (page.entries.into_iter().map(|sealed| sealed.entry).collect(), page.chains.unwrap())
}

/// The faults of these entries, each as its kind, chain and numbers.
fn faults(entries: &[AuditEntry], chains: &[AuditChain]) -> Vec<String> {
    faults_beside(entries, chains, [])
}

fn faults_beside<const N: usize>(
    entries: &[AuditEntry],
    chains: &[AuditChain],
    anchors: [&AuditEntry; N],
) -> Vec<String> {
    let mut verifier = AuditVerifier::with_anchors(anchors.into_iter().cloned());
    entries.iter().for_each(|entry| verifier.check_entry(entry));
    let found = verifier.finish(chains).into_iter();
    found.map(|it| format!("{} {} {}-{}", it.kind.code(), it.node, it.first, it.last)).collect()
}

/// Four entries of a node, and four of the joint chain after each.
async fn log() -> (Vec<AuditEntry>, Vec<AuditChain>) {
    let store = temporary_store().await;
    decide_and_seal(&store, 1..5).await;
    read_all(&store).await
}

#[test]
fn the_hash_is_that_of_the_json_of_all_other_members() {
    let last = AuditChain { sequence: 6, hash: "cd".repeat(32), ..AuditChain::new("node-1") };
    let decision = AuditRecord::of_customer(&PsuId::new("psü"), at(0), AuditAction::ConsentApprove, "c-1");
    let decision = decision.with_digests(None, Some(Digest([0xab; 32])));
    let mut entry = decision.seal(&last);
    entry.hash = hash_entry(&entry);
    let json = serde_json::to_string(&entry).unwrap();
    let (unhashed, hash) = json.split_once(",\"hash\"").unwrap();
    let expected = format!(
        "{{\"at\":\"1970-01-01T00:00:00Z\",\"node\":\"node-1\",\"sequence\":7,\"actor\":\"psü\",\"role\":\"customer\",\
         \"action\":\"consent.approve\",\"target\":\"c-1\",\"reason\":null,\"from\":\"\",\"interaction_id\":null,\
         \"before\":null,\"after\":\"{}\",\"previous\":\"{}\"",
        "ab".repeat(32),
        "cd".repeat(32)
    );
    assert_eq!(unhashed, expected);
    assert_eq!(hash, format!(":\"{}\"}}", digest_bytes(format!("{expected}}}").as_bytes()).to_hex()));
    assert_eq!(serde_json::from_str::<AuditEntry>(&json).unwrap(), entry);
}

#[tokio::test]
async fn records_are_sealed_in_order_and_the_joint_chain_tells_ends() {
    let store = temporary_store().await;
    let later = at(1000);
    for second in 1..4 {
        decide(&store, second).await;
    }
    let batch = seal_audit(&store, later, HeadTime::Due).await.unwrap();
    assert_eq!(batch.sealed, 3);
    let head = batch.head.unwrap();
    let (entries, chains) = read_all(&store).await;
    let of_node: Vec<_> = entries[..3].iter().map(|it| (it.sequence, it.target.as_str())).collect();
    assert_eq!(of_node, [(1, "1"), (2, "2"), (3, "3")]);
    assert_eq!(entries[3], head);
    assert_eq!(head.target, format!("node/3/{}", entries[2].hash));
    assert_eq!(faults(&entries, &chains), [""; 0]);
    decide(&store, 5).await;
    assert_eq!(seal_audit(&store, later, HeadTime::Due).await.unwrap(), SealedBatch { sealed: 1, head: None });
    let (entries, chains) = read_all(&store).await;
    assert_eq!(faults(&entries, &chains), [""; 0], "the end of a chain need not be told");
    let quiet = seal_audit(&store, later + HEADS_EVERY, HeadTime::Due).await.unwrap();
    assert_eq!((quiet.sealed, quiet.head.map(|head| head.sequence)), (0, Some(2)), "told a minute later");
    let nothing = seal_audit(&store, later + HEADS_EVERY * 2, HeadTime::Now).await.unwrap();
    assert_eq!(nothing, SealedBatch { sealed: 0, head: None }, "nothing has grown");
}

#[tokio::test]
async fn more_records_than_a_batch_are_sealed_in_several() {
    let store = temporary_store().await;
    let count = i64::from(BATCH) + 1;
    store
        .write::<_, StoreError, _>(move |tx| {
            (0..count).try_for_each(|second| {
                tx.audit_append(&AuditRecord::of_server(at(second), AuditAction::ServerStart, ""))
            })
        })
        .await
        .unwrap();
    assert_eq!(seal_all(&store, at(9)).await.unwrap().len(), 2);
    let (entries, chains) = read_all(&store).await;
    assert_eq!(entries.len(), usize::try_from(count).unwrap() + 2);
    assert_eq!(faults(&entries, &chains), [""; 0]);
}

#[tokio::test]
async fn an_altered_removed_or_moved_entry_is_named() {
    /// Seals an entry again after a change, as somebody who knows the form of entries would.
    fn reseal(entries: &mut [AuditEntry], from: usize, node: &str) {
        let mut previous = None;
        for entry in entries.iter_mut().skip(from).filter(|entry| entry.node == node) {
            if let Some(previous) = previous.take() {
                entry.previous = previous;
            }
            entry.hash = hash_entry(entry);
            previous = Some(entry.hash.clone());
        }
    }
    type Tampering = fn(&mut Vec<AuditEntry>, &mut Vec<AuditChain>);
    // The entries are node 1, joint 1, node 2, joint 2 and so on.
    let cases: [(&str, Tampering, &[&str]); 16] = [
        ("a target", |log, _| log[2].target.push('x'), &["altered node 2-2"]),
        ("a hash", |log, _| log[2].hash = "ff".repeat(32), &["altered node 2-2"]),
        ("a previous", |log, _| log[2].previous = "ff".repeat(32), &["altered node 2-2"]),
        ("the first", |log, _| drop(log.remove(0)), &["removed node 1-1"]),
        ("one between", |log, _| drop(log.remove(2)), &["removed node 2-2"]),
        ("the last", |log, _| drop(log.remove(6)), &["removed node 4-4"]),
        ("two places", |log, _| log.swap(2, 4), &["reordered node 2-2", "reordered node 3-3"]),
        ("twice", |log, _| log.insert(3, log[2].clone()), &["reordered node 2-2"]),
        (
            "a sealed change",
            |log, _| {
                log[2].target.push('x');
                log[2].hash = hash_entry(&log[2]);
            },
            &["replaced node 2-2"],
        ),
        (
            "all sealed again",
            |log, chains| {
                log[2].target.push('x');
                reseal(log, 2, "node");
                chains[1].hash = log[6].hash.clone();
            },
            &["replaced node 2-2", "replaced node 3-3", "replaced node 4-4"],
        ),
        ("a joint entry", |log, _| drop(log.remove(3)), &["removed joint 2-2"]),
        ("a joint entry, altered", |log, _| log[3].target = String::new(), &["altered joint 2-2"]),
        (
            "the ends, also where they are stored",
            |log, chains| {
                log.remove(6);
                chains[1].sequence = 3;
            },
            &["removed node 4-4"],
        ),
        (
            "all of a node",
            |log, chains| {
                log.retain(|entry| entry.node == JOINT_CHAIN);
                chains.remove(1);
            },
            &["removed node 1-4"],
        ),
        (
            "one more",
            |log, _| {
                let mut more = AuditRecord::of_server(at(9), AuditAction::ServerStart, "").seal(&AuditChain {
                    sequence: 4,
                    hash: log[6].hash.clone(),
                    ..AuditChain::new("node")
                });
                more.hash = hash_entry(&more);
                log.push(more);
            },
            &["inserted node 5-5"],
        ),
        ("another node", |log, _| log[0].node = "other".to_owned(), &["altered other 1-1", "removed node 1-1"]),
    ];
    let (entries, chains) = log().await;
    assert_eq!(faults(&entries, &chains), [""; 0], "an untouched log");
    for (what, tamper, expected) in cases {
        let (mut entries, mut chains) = (entries.clone(), chains.clone());
        tamper(&mut entries, &mut chains);
        assert_eq!(faults(&entries, &chains), expected, "{what}");
    }
}

#[tokio::test]
async fn an_anchor_names_what_was_removed_or_replaced_everywhere() {
    let (entries, chains) = log().await;
    let shorter: Vec<_> = chains.iter().map(|chain| AuditChain { sequence: 3, ..chain.clone() }).collect();
    let cut: Vec<_> = entries[..6].to_vec();
    let ends: Vec<_> = shorter
        .iter()
        .map(|chain| cut.iter().rfind(|it| it.node == chain.node).map(|last| chain.after(last)).unwrap())
        .collect();
    assert_eq!(faults(&cut, &ends), [""; 0], "without an anchor nothing shows it");
    assert_eq!(faults_beside(&cut, &ends, [&entries[7]]), ["removed joint 4-4"]);
    assert_eq!(faults_beside(&entries, &chains, [&entries[7], &entries[1]]), [""; 0]);
    let other = AuditEntry { hash: "ff".repeat(32), ..entries[3].clone() };
    assert_eq!(faults_beside(&entries, &chains, [&other]), ["replaced joint 2-2"]);
}

#[tokio::test]
async fn a_purged_log_is_sound_and_tells_where_it_begins() {
    let store = temporary_store().await;
    decide_and_seal(&store, 1..9).await;
    let purge = async |before: i64, now: i64| {
        let removed = purge_audit_before(&store, at(before), at(now)).await.unwrap();
        seal_all(&store, at(now)).await.unwrap();
        removed
    };
    assert_eq!(purge(1, 10).await, 0, "the boundary is kept");
    assert_eq!(purge(4, 10).await, 6);
    assert_eq!(purge(4, 11).await, 0);
    let (entries, chains) = read_all(&store).await;
    assert_eq!(entries[0].target, "4");
    assert_eq!(faults(&entries, &chains), [""; 0]);
    let unpurged: Vec<_> = entries[1..].to_vec();
    assert_eq!(faults(&unpurged, &chains), ["removed node 1-4"], "removed by somebody else");
    assert_eq!(purge(9, 20).await, 10);
    assert_eq!(purge(15, 21).await, 2, "the purges themselves");
    decide_and_seal(&store, [30]).await;
    let (entries, chains) = read_all(&store).await;
    assert_eq!(entries.first().map(|first| first.action.as_str()), Some("audit.purge"));
    assert_eq!(faults(&entries, &chains), [""; 0]);
    assert_eq!(purge(100, 101).await, 6, "everything");
    let (entries, chains) = read_all(&store).await;
    assert_eq!(faults(&entries, &chains), [""; 0]);
}
