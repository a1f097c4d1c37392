//! The ownership of a looked-up record.

/// The result of a lookup by id for one owner. The standard distinguishes foreign (403) from absent (400). Source: RW-102,
/// RW-104.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owned<T> {
    /// The record exists and belongs to the caller.
    Mine(T),
    /// The record exists and belongs to somebody else.
    Foreign,
    /// The record does not exist.
    Absent,
}
