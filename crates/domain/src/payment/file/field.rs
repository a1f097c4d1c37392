//! The members of a file announcement, independent of the JSON of a version.

/// The members of a file announcement; each wire version has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileField {
    /// The hash of the file.
    Hash,
    /// The number of transactions.
    Count,
    /// The control sum.
    ControlSum,
    /// The debtor account.
    DebtorAccount,
    /// The requested execution day.
    RequestedExecution,
    /// The local instrument.
    LocalInstrument,
}
