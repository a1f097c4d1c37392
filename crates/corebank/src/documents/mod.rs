//! The files of a statement: a PDF for people, a CSV for spreadsheets. Source: AIS-155, AIS-156.
//!
//! Both are written from one [`Listing`], which is checked against the statement's own totals: a file that does not
//! add up to the statement is never made. Nothing here reads a store or a clock, so a statement gives the same
//! bytes for ever. Card numbers are always masked (AIS-052).

mod csv;
mod listing;
mod pdf;
#[cfg(test)]
mod tests;
mod words;

use listing::Listing;
use lombard_domain::account::{Account, AccountParty, Statement, StatementAmountType, Transaction};

/// All that a statement's file is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StatementDocument<'a> {
    /// The statement.
    pub(crate) statement: &'a Statement,
    /// The account it is of.
    pub(crate) account: &'a Account,
    /// Who has to do with the account. Those who own it are addressed.
    pub(crate) parties: &'a [AccountParty],
    /// The entries on the statement, in any order. What is not booked is left out.
    pub(crate) entries: &'a [Transaction],
}

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

impl StatementDocument<'_> {
    /// The statement as a tagged PDF that can be read aloud (PDF/UA-1) and kept (PDF/A-2a).
    ///
    /// Takes some milliseconds for hundreds of entries: not for a thread that serves requests.
    ///
    /// # Errors
    /// [`DocumentError`].
    pub(crate) fn pdf(&self) -> Result<Vec<u8>, DocumentError> {
        pdf::write(&Listing::new(*self)?)
    }

    /// The statement's entries as CSV (RFC 4180, UTF-8) under a row of names, oldest first.
    ///
    /// # Errors
    /// [`DocumentError`].
    pub(crate) fn csv(&self) -> Result<Vec<u8>, DocumentError> {
        csv::write(&Listing::new(*self)?)
    }
}
