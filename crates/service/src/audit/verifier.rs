//! Verifies entries one after the other, in the order in which they were sealed. The memory it needs grows with the chains and the purges,
//! and not with the entries.

use super::hash_entry;
use lombard_domain::audit::{AuditAction, AuditChain, AuditEntry, JOINT_CHAIN, NO_PREVIOUS};
use lombard_domain::code::StoredCode;
use std::collections::{BTreeMap, BTreeSet};

/// The most faults that are named.
pub const FAULTS_MAX: usize = 100;

/// What is wrong with entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditFaultKind {
    /// A member of the entry was altered after it was sealed.
    Altered,
    /// Entries were removed.
    Removed,
    /// The entry was moved, or is there twice.
    Reordered,
    /// The entry was added without being sealed.
    Inserted,
    /// The entry was replaced: its hash is that of its members, and other entries or an anchor have another one.
    Replaced,
}

lombard_domain::unit_codes! {
    AuditFaultKind {
        Altered = "altered",
        Removed = "removed",
        Reordered = "reordered",
        Inserted = "inserted",
        Replaced = "replaced",
    }
}

/// Entries of a chain with a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFault {
    /// What is wrong.
    pub kind: AuditFaultKind,
    /// The name of the chain.
    pub node: String,
    /// The number of the first entry.
    pub first: i64,
    /// The number of the last entry; that of the first one if there is one.
    pub last: i64,
}

/// Verifies the log.
#[derive(Debug, Default)]
pub struct AuditVerifier {
    entries: u64,
    /// The last entry of each chain so far.
    ends: BTreeMap<String, AuditChain>,
    /// The entry before the first one of each chain that does not begin with number 1.
    begins: BTreeMap<String, AuditChain>,
    /// The ends of chains, none of whose entries had come when the joint chain told them.
    early: BTreeMap<String, AuditChain>,
    /// The last removed entries of chains, by the purges.
    purged: BTreeSet<(String, i64, String)>,
    /// The hashes of entries of the joint chain that are known from outside, by number.
    anchors: BTreeMap<i64, String>,
    faults: Vec<AuditFault>,
}

impl AuditVerifier {
    /// A verifier that knows these entries of the joint chain from outside of the database, and no others.
    pub fn with_anchors(anchors: impl IntoIterator<Item = AuditEntry>) -> Self {
        let mut verifier = Self::default();
        for anchor in anchors.into_iter().filter(|anchor| anchor.node == JOINT_CHAIN) {
            if let Some(other) = verifier.anchors.insert(anchor.sequence, anchor.hash.clone())
                && other != anchor.hash
            {
                verifier.fault(AuditFaultKind::Replaced, JOINT_CHAIN, (anchor.sequence, anchor.sequence));
            }
        }
        verifier
    }

    /// The number of entries so far.
    pub fn count_entries(&self) -> u64 {
        self.entries
    }

    /// Verifies the next entry.
    pub fn check_entry(&mut self, entry: &AuditEntry) {
        self.entries = self.entries.saturating_add(1);
        let (node, sequence) = (entry.node.as_str(), entry.sequence);
        let is_altered = hash_entry(entry) != entry.hash;
        if is_altered {
            self.fault(AuditFaultKind::Altered, node, (sequence, sequence));
        }
        self.check_place(entry, is_altered);
        if node == JOINT_CHAIN {
            if self.anchors.get(&sequence).is_some_and(|known| *known != entry.hash) {
                self.fault(AuditFaultKind::Replaced, node, (sequence, sequence));
            }
            self.check_head(entry);
        }
        if entry.action == AuditAction::AuditPurge.code() {
            let told = AuditChain::parse_mentions(&entry.target).unwrap_or_default();
            self.purged.extend(told.into_iter().map(|it| (it.node, it.sequence, it.hash)));
        }
    }

    /// Compares an entry with the one before it in its chain. Whom an altered entry follows says nothing about the one before it.
    fn check_place(&mut self, entry: &AuditEntry, is_altered: bool) {
        let (node, sequence) = (entry.node.as_str(), entry.sequence);
        let before = sequence.saturating_sub(1);
        let end = AuditChain::new(node).after(entry);
        let Some(last) = self.ends.get(node).cloned() else {
            match before {
                0 if entry.previous == NO_PREVIOUS => {}
                ..=0 => self.fault(AuditFaultKind::Altered, node, (sequence, sequence)),
                _ => {
                    let begin = AuditChain { sequence: before, hash: entry.previous.clone(), ..end.clone() };
                    self.begins.insert(node.to_owned(), begin);
                }
            }
            self.ends.insert(node.to_owned(), end);
            return;
        };
        if sequence <= last.sequence {
            self.fault(AuditFaultKind::Reordered, node, (sequence, sequence));
            return;
        }
        if before > last.sequence {
            self.fault(AuditFaultKind::Removed, node, (last.sequence.saturating_add(1), before));
        } else if entry.previous != last.hash && !is_altered {
            self.fault(AuditFaultKind::Replaced, node, (before, before));
        }
        self.ends.insert(node.to_owned(), end);
    }

    /// Compares the ends that an entry of the joint chain tells with those so far.
    fn check_head(&mut self, entry: &AuditEntry) {
        for told in AuditChain::parse_mentions(&entry.target).unwrap_or_default() {
            let node = told.node.clone();
            let Some(end) = self.ends.get(&node).cloned() else {
                self.early.insert(node, told);
                continue;
            };
            if end.sequence < told.sequence {
                self.fault(AuditFaultKind::Removed, &node, (end.sequence.saturating_add(1), told.sequence));
                self.ends.insert(node, told);
            } else if end.sequence > told.sequence {
                self.fault(AuditFaultKind::Reordered, &node, (told.sequence.saturating_add(1), end.sequence));
            } else if end.hash != told.hash {
                self.fault(AuditFaultKind::Replaced, &node, (told.sequence, told.sequence));
            }
        }
    }

    /// Compares with the ends of all chains once the last entry was verified, and returns the faults, at most [`FAULTS_MAX`].
    pub fn finish(mut self, chains: &[AuditChain]) -> Vec<AuditFault> {
        for (node, begin) in std::mem::take(&mut self.begins) {
            if !self.purged.contains(&(node.clone(), begin.sequence, begin.hash.clone())) {
                self.fault(AuditFaultKind::Removed, &node, (1, begin.sequence));
            } else if self.early.get(&node).is_some_and(|told| told.sequence <= begin.sequence) {
                self.early.remove(&node);
            }
        }
        for (node, told) in std::mem::take(&mut self.early) {
            let is_purged = self.purged.iter().any(|(name, sequence, _)| *name == node && *sequence >= told.sequence);
            if !is_purged && !self.ends.contains_key(&node) {
                self.fault(AuditFaultKind::Removed, &node, (1, told.sequence));
                self.ends.insert(node, told);
            }
        }
        self.check_ends(chains);
        if let Some(joint) = self.ends.get(JOINT_CHAIN).map(|end| end.sequence).or(Some(0))
            && let Some(last) = self.anchors.keys().next_back().copied()
            && last > joint
        {
            self.fault(AuditFaultKind::Removed, JOINT_CHAIN, (joint.saturating_add(1), last));
        }
        self.faults.truncate(FAULTS_MAX);
        self.faults
    }

    fn check_ends(&mut self, chains: &[AuditChain]) {
        let stored: BTreeMap<_, _> = chains.iter().map(|chain| (chain.node.as_str(), chain)).collect();
        for (node, end) in self.ends.clone() {
            let known = stored.get(node.as_str()).map_or(0, |chain| chain.sequence);
            if end.sequence > known {
                self.fault(AuditFaultKind::Inserted, &node, (known.saturating_add(1), end.sequence));
            }
        }
        for chain in chains.iter().filter(|chain| chain.sequence > 0) {
            let end = self.ends.get(&chain.node).cloned();
            let is_purged = || self.purged.contains(&(chain.node.clone(), chain.sequence, chain.hash.clone()));
            match end {
                None if is_purged() => {}
                None => self.fault(AuditFaultKind::Removed, &chain.node, (1, chain.sequence)),
                Some(end) if end.sequence < chain.sequence => {
                    let first = end.sequence.saturating_add(1);
                    self.fault(AuditFaultKind::Removed, &chain.node, (first, chain.sequence));
                }
                Some(end) if end.sequence == chain.sequence && end.hash != chain.hash => {
                    self.fault(AuditFaultKind::Replaced, &chain.node, (end.sequence, end.sequence));
                }
                Some(_) => {}
            }
        }
    }

    /// Notes a fault, once for the same entries. Entries that seemed removed and come later were moved.
    fn fault(&mut self, kind: AuditFaultKind, node: &str, (first, last): (i64, i64)) {
        let is_named = |it: &&mut AuditFault| it.node == node && it.first <= first && last <= it.last;
        if let Some(named) = self.faults.iter_mut().find(is_named) {
            if kind == AuditFaultKind::Reordered && named.kind == AuditFaultKind::Removed {
                named.kind = kind;
            }
        } else if self.faults.len() < FAULTS_MAX {
            self.faults.push(AuditFault { kind, node: node.to_owned(), first, last });
        }
    }
}
