//! The data of a statement file.

use lombard_domain::account::{Account, AccountParty, Statement, Transaction};

/// The data from which a statement file is rendered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StatementDocument<'a> {
    /// The statement.
    pub(crate) statement: &'a Statement,
    /// The account of the statement.
    pub(crate) account: &'a Account,
    /// The parties of the account; the owners are the addressees.
    pub(crate) parties: &'a [AccountParty],
    /// The entries on the statement, in any order. Entries that are not booked are left out.
    pub(crate) entries: &'a [Transaction],
}
