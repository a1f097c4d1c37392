//! Snapshots of a sandbox, each under a name.

use jiff::Timestamp;
use std::fmt;

/// The largest number of snapshots of a sandbox.
pub const SNAPSHOTS_MAX: usize = 20;
/// The largest number of characters of a snapshot's name.
const NAME_CHARS_MAX: usize = 40;

/// The name of a snapshot: 1 to 40 lower-case letters, digits and hyphens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SnapshotName(String);

impl SnapshotName {
    /// The rule for names, as the message to a tester who chose an invalid one.
    pub const RULE: &'static str = "a snapshot's name has 1 to 40 lower-case letters, digits and hyphens";

    /// Parses a name; `None` if the text violates [`RULE`](Self::RULE).
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

/// An action on the snapshot with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotAction {
    /// Saves the sandbox as it is now. A snapshot with this name is replaced.
    Save,
    /// Restores the sandbox from the snapshot, which is kept.
    Load,
    /// Removes the snapshot.
    Delete,
}

/// A snapshot of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Its name.
    pub name: SnapshotName,
    /// When it was saved (wall clock).
    pub saved_at: Timestamp,
    /// The time of the bank's clock when it was saved.
    pub bank_time: Timestamp,
}
