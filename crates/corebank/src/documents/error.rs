//! Errors of rendering a statement file.

use lombard_domain::account::StatementAmountType;

/// Why a file could not be rendered. The bank's data or the writer is at fault, never the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DocumentError {
    /// The statement has no opening balance.
    #[error("the statement has no starting balance")]
    NoOpeningBalance,
    /// An entry is not in the account's currency.
    #[error("an entry of the statement is in another currency than its account")]
    Currency,
    /// A sum exceeds 64 bits.
    #[error("a sum of the statement is out of range")]
    SumOutOfRange,
    /// The entries do not add up to the statement's total.
    #[error("the entries do not add up to the statement's {0:?}")]
    DoesNotAddUp(StatementAmountType),
    /// The file could not be written.
    #[error("the statement could not be written: {0}")]
    Writing(String),
}
