//! The ownership of a looked-up record.

/// The result of a lookup by id for one owner. The standard tells foreign (403) from absent (400). Source: RW-102, RW-104.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owned<T> {
    /// It exists and is the caller's.
    Mine(T),
    /// It exists and is somebody else's.
    Foreign,
    /// It does not exist.
    Absent,
}
