//! The fields of a file payment, named without the JSON of a version.

/// What a TPP says of a file beforehand; each version of the wire has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileField {
    /// The digest of its bytes.
    Hash,
    /// How many payments are in it.
    Count,
    /// The sum of their amounts.
    ControlSum,
    /// The account to pay from.
    DebtorAccount,
    /// The day they are paid on.
    RequestedExecution,
    /// The rail they go by.
    LocalInstrument,
}
