//! What a statement's file is made from.

use lombard_domain::account::{Account, AccountParty, Statement, Transaction};

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
