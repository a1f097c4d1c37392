//! Whoever changes the log in the database is found out, and what was changed is named.

use super::{faults, whole_log};
use crate::harness::{Bank, ExchangeExt};
use crate::workers::rows::change;
use lombard_domain::audit::{AuditAction, AuditChain, AuditEntry, AuditRecord, JOINT_CHAIN};
use lombard_service::audit::hash_entry;
use serde_json::json;

/// A log with its last entry of a node, and the one two before it, which has a reason and both digests.
struct Log {
    entries: Vec<AuditEntry>,
    end: AuditChain,
    chosen: i64,
}

impl Log {
    /// The entry of the node with this number.
    fn entry(&self, sequence: i64) -> &AuditEntry {
        self.entries.iter().find(|it| it.node == self.end.node && it.sequence == sequence).unwrap()
    }

    /// The statements that replace an entry by this one.
    fn replace(entry: &AuditEntry) -> String {
        let AuditEntry { node, sequence, target, previous, hash, .. } = entry;
        format!(
            "UPDATE audit_entries SET target = '{target}', previous = '{previous}', hash = '{hash}' \
             WHERE node = '{node}' AND sequence = {sequence}"
        )
    }

    /// The statement that adds an entry.
    fn insert(entry: &AuditEntry) -> String {
        let AuditEntry { at, node, sequence, actor, role, action, target, from, previous, hash, .. } = entry;
        let at = at.as_microsecond();
        format!(
            "INSERT INTO audit_entries (node, sequence, at, actor, role, action, target, origin, previous, hash) VALUES \
             ('{node}', {sequence}, {at}, '{actor}', '{role}', '{action}', '{target}', '{from}', '{previous}', '{hash}')"
        )
    }
}

/// Makes a log in which the joint chain tells the end of the node after each of four acts, and stops the bank.
async fn make_log(bank: &mut Bank) -> Log {
    for status in ["disable", "enable", "disable", "enable"] {
        let path = format!("/operations/tpps/robot/{status}");
        assert_eq!(bank.ops_post(&path, &json!({"reason": "case 7"})).await.0, 200);
        bank.ops_get("/operations/audit?limit=1").await.ok(200);
    }
    bank.stop().await;
    let log = whole_log(bank).await;
    assert_eq!(faults(&log, &[]), [""; 0], "an untouched log");
    let end = log.1.into_iter().find(|chain| chain.node != JOINT_CHAIN).unwrap();
    let chosen = log.0.iter().rfind(|it| it.action == "tpp.disable").unwrap().sequence;
    Log { entries: log.0, end, chosen }
}

/// Keeps the log, or restores it.
async fn copy(bank: &Bank, restore: bool) {
    let overriding = if bank.environment().iter().any(|(name, _)| name == "LOMBARD__DATABASE__URL") {
        "OVERRIDING SYSTEM VALUE "
    } else {
        ""
    };
    for (table, overriding) in [("audit_entries", overriding), ("audit_chains", "")] {
        if restore {
            change(bank, &format!("DELETE FROM {table}")).await;
            change(bank, &format!("INSERT INTO {table} {overriding}SELECT * FROM kept_{table}")).await;
        } else {
            change(bank, &format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}")).await;
        }
    }
}

/// The ways to tamper with a log: what is done, the statements, and the faults.
fn ways(log: &Log) -> Vec<(&'static str, Vec<String>, Vec<String>)> {
    let (node, last, chosen) = (&log.end.node, log.end.sequence, log.chosen);
    let which = |sequence: i64| format!("WHERE node = '{node}' AND sequence = {sequence}");
    let altered = || vec![format!("altered {node} {chosen}-{chosen}")];
    let removed = |first: i64, last: i64| vec![format!("removed {node} {first}-{last}")];
    let replaced = |sequence: i64| format!("replaced {node} {sequence}-{sequence}");
    let mut ways = Vec::new();
    for (column, value) in [
        ("at", "at + 1"),
        ("actor", "'somebody'"),
        ("role", "'admin '"),
        ("action", "'tpp.enable'"),
        ("target", "'another'"),
        ("reason", "NULL"),
        ("origin", "'192.0.2.1'"),
        ("interaction_id", "'another'"),
        ("before_digest", "after_digest"),
        ("after_digest", "before_digest"),
        ("previous", "hash"),
        ("hash", "previous"),
    ] {
        ways.push((column, vec![format!("UPDATE audit_entries SET {column} = {value} {}", which(chosen))], altered()));
    }
    ways.push((
        "one is removed",
        vec![format!("DELETE FROM audit_entries {}", which(chosen))],
        removed(chosen, chosen),
    ));
    ways.push(("the first is removed", vec![format!("DELETE FROM audit_entries {}", which(1))], removed(1, 1)));
    ways.push(("the last is removed", vec![format!("DELETE FROM audit_entries {}", which(last))], removed(last, last)));
    ways.push((
        "all of a node are removed, with its end",
        vec![
            format!("DELETE FROM audit_entries WHERE node = '{node}'"),
            format!("DELETE FROM audit_chains WHERE node = '{node}'"),
        ],
        // The joint chain told the last end but that of the stop.
        removed(1, last),
    ));
    ways.push((
        "two are exchanged",
        vec![
            format!("UPDATE audit_entries SET sequence = -1 {}", which(chosen)),
            format!("UPDATE audit_entries SET sequence = {chosen} {}", which(chosen + 1)),
            format!("UPDATE audit_entries SET sequence = {} {}", chosen + 1, which(-1)),
        ],
        vec![format!("altered {node} {0}-{0}", chosen + 1), format!("reordered {node} {chosen}-{chosen}")],
    ));
    ways.push((
        "one becomes another node's",
        vec![format!("UPDATE audit_entries SET node = 'other', sequence = 1 {}", which(chosen))],
        vec!["altered other 1-1".to_owned(), format!("removed {node} {chosen}-{chosen}")],
    ));
    let more = AuditRecord::of_server(log.entry(last).at, AuditAction::ServerStart, "1").seal(&log.end);
    let more = AuditEntry { hash: hash_entry(&more), ..more };
    ways.push(("one is added", vec![Log::insert(&more)], vec![format!("inserted {node} {0}-{0}", last + 1)]));
    let mut other = AuditEntry { target: "another".to_owned(), ..log.entry(chosen).clone() };
    other.hash = hash_entry(&other);
    ways.push(("one is replaced", vec![Log::replace(&other)], vec![replaced(chosen)]));
    let mut rewritten = vec![Log::replace(&other)];
    let mut previous = other.hash;
    for sequence in chosen + 1..=last {
        let mut entry = AuditEntry { previous, ..log.entry(sequence).clone() };
        entry.hash = hash_entry(&entry);
        rewritten.push(Log::replace(&entry));
        previous = entry.hash;
    }
    rewritten.push(format!("UPDATE audit_chains SET hash = '{previous}' WHERE node = '{node}'"));
    ways.push(("the rest is written anew", rewritten, vec![replaced(last)]));
    ways.push((
        "the end is another",
        vec![format!("UPDATE audit_chains SET hash = 'ab' WHERE node = '{node}'")],
        vec![replaced(last)],
    ));
    ways.push((
        "an entry of the joint chain is removed",
        vec![format!("DELETE FROM audit_entries WHERE node = '{JOINT_CHAIN}' AND sequence = 2")],
        vec![format!("removed {JOINT_CHAIN} 2-2")],
    ));
    ways.push((
        "an entry of the joint chain is altered",
        vec![format!("UPDATE audit_entries SET target = '' WHERE node = '{JOINT_CHAIN}' AND sequence = 2")],
        vec![format!("altered {JOINT_CHAIN} 2-2")],
    ));
    ways.push((
        "the last entries are removed, with the end",
        vec![
            format!("DELETE FROM audit_entries WHERE node = '{node}' AND sequence >= {chosen}"),
            format!("UPDATE audit_chains SET sequence = {} WHERE node = '{node}'", chosen - 1),
        ],
        removed(chosen, last),
    ));
    ways
}

#[tokio::test]
async fn a_log_that_was_tampered_with_in_some_way_is_named_each_time() {
    for mut bank in Bank::each_engine().await {
        let log = make_log(&mut bank).await;
        copy(&bank, false).await;
        let ways = ways(&log);
        assert!(ways.len() >= 20, "{}", ways.len());
        for (what, statements, expected) in ways {
            for statement in &statements {
                assert_ne!(change(&bank, statement).await, 0, "{what}: {statement}");
            }
            let found = faults(&whole_log(&bank).await, &[]);
            let last = format!("-{}", log.end.sequence);
            let is_named = if what == "the rest is written anew" || what == "the last entries are removed, with the end"
            {
                // The joint chain told several ends, and each is named.
                !found.is_empty() && found.last().is_some_and(|it| it.ends_with(&last))
            } else {
                found == expected
            };
            assert!(is_named, "{what}: {found:?}, not {expected:?}");
            copy(&bank, true).await;
        }
        assert_eq!(faults(&whole_log(&bank).await, &[]), [""; 0], "restored");
    }
}

#[tokio::test]
async fn an_anchor_names_what_the_database_no_longer_shows() {
    for mut bank in Bank::each_engine().await {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("anchors.jsonl");
        bank.stop().await;
        bank.restart_with(&[("audit.anchor_file", file.to_str().unwrap())]).await;
        let log = make_log(&mut bank).await;
        let text = std::fs::read_to_string(&file).unwrap();
        let anchors: Vec<AuditEntry> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(anchors.len() >= 4, "{text}");
        assert_eq!(faults(&whole_log(&bank).await, &anchors), [""; 0]);
        // Everything after the first of these acts goes, and the ends are made to agree.
        let kept = &anchors[0];
        let ends = AuditChain::parse_mentions(&kept.target).unwrap();
        for AuditChain { node, sequence, hash, .. } in ends.iter().chain([&AuditChain::new(JOINT_CHAIN).after(kept)]) {
            change(&bank, &format!("DELETE FROM audit_entries WHERE node = '{node}' AND sequence > {sequence}")).await;
            let end = format!("UPDATE audit_chains SET sequence = {sequence}, hash = '{hash}' WHERE node = '{node}'");
            change(&bank, &end).await;
        }
        let cut = whole_log(&bank).await;
        assert_eq!(faults(&cut, &[]), [""; 0], "the database agrees with itself");
        let last = anchors.last().unwrap().sequence;
        assert_eq!(faults(&cut, &anchors), [format!("removed {JOINT_CHAIN} {}-{last}", kept.sequence + 1)]);
        assert!(log.entries.len() > cut.0.len());
    }
}
