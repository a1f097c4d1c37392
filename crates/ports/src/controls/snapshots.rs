//! Snapshots of a sandbox, each under a name.

use jiff::Timestamp;
use std::fmt;

/// Most snapshots of a sandbox.
pub const SNAPSHOTS_MAX: usize = 20;
/// Most characters of the name of a snapshot.
const NAME_CHARS_MAX: usize = 40;

/// The name of a snapshot: 1 to 40 lower-case letters, digits and hyphens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SnapshotName(String);

impl SnapshotName {
    /// What names are made of, for whoever chose another one.
    pub const RULE: &'static str = "a snapshot's name has 1 to 40 lower-case letters, digits and hyphens";

    /// The name; `None` if it is not one ([`RULE`](Self::RULE)).
    pub fn parse(text: &str) -> Option<Self> {
        let is_name = (1..=NAME_CHARS_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        is_name.then(|| Self(text.to_owned()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SnapshotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is done with the snapshot of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotAction {
    /// The sandbox is kept as it is now. A snapshot with this name is replaced.
    Save,
    /// The sandbox becomes what it was. The snapshot stays.
    Load,
    /// The snapshot is removed.
    Delete,
}

/// A snapshot of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Its name.
    pub name: SnapshotName,
    /// When it was saved (wall clock).
    pub saved_at: Timestamp,
    /// What the bank's clock showed then.
    pub bank_time: Timestamp,
}
