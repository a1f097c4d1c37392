//! Why a statement has no file.

use lombard_domain::account::StatementAmountType;

/// Why there is no file. Each is a fault of the bank's data, never of the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DocumentError {
    /// The statement has no balance to start from.
    #[error("the statement has no starting balance")]
    NoStart,
    /// An entry is not in the account's currency.
    #[error("an entry of the statement is in another currency than its account")]
    Currency,
    /// A sum leaves the range of 64 bits.
    #[error("a sum of the statement is out of range")]
    Range,
    /// The entries do not add up to what the statement says.
    #[error("the entries do not add up to the statement's {0:?}")]
    DoesNotAddUp(StatementAmountType),
    /// The file could not be written.
    #[error("the statement could not be written: {0}")]
    Writing(String),
}
