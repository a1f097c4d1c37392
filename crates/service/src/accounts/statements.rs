//! Statements, and a statement as a file. Source: AIS-140 to AIS-156.

use super::{AccountResource, AccountScope, DateFilter, ReadTarget, ResourceQuery, read, redaction};
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::account::Statement;
use lombard_domain::consent::{Consent, Permission as P, Permissions};
use lombard_domain::ids::{AccountId, BankAccountId, StatementId};
use lombard_domain::page::{ListWindow, Page};
use lombard_ports::bank::{Bank, BankError, CallContext, ListAnswer, StatementFormat};

/// The statements of accounts. If the request names a statement, only that statement (AIS-146).
#[derive(Debug, Clone, Copy)]
pub struct Statements;

impl AccountResource for Statements {
    type Item = Statement;
    type Seen = Statement;
    const NAME: &'static str = "statements";
    const READ: &'static [&'static [P]] = &[&[P::ReadStatementsBasic, P::ReadStatementsDetail]];
    const FILTER: DateFilter = DateFilter::Statement;

    async fn fetch(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
        query: &ResourceQuery,
        window: &ListWindow,
    ) -> Result<ListAnswer<Statement>, BankError> {
        match scope.statement() {
            Some(statement) => {
                Ok(ListAnswer { page: Page::single_page(vec![statement.clone()]), ..ListAnswer::empty(true) })
            }
            None => bank.list_statements(call, &scope.statements(), query.period(), window).await,
        }
    }

    fn account(statement: &Statement) -> &BankAccountId {
        &statement.account
    }

    fn redact(statement: Statement, granted: Permissions) -> Statement {
        redaction::statement(statement, granted)
    }
}

/// A statement as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementFile {
    /// The last instant of the statement's period.
    pub ends_at: Timestamp,
    /// The file format.
    pub format: StatementFormat,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// The permissions that disclose the files of statements. Source: T7.
pub const STATEMENT_FILE_READ: &[&[P]] = &[&[P::ReadStatementsDetail]];

/// Reads a statement as a file; the consent must permit the statement's amounts. Source: AIS-155, AIS-156.
///
/// # Errors
/// [`Failure::Refused`]: permission, account, statement, in this order; otherwise the bank's or storage's failure.
pub async fn read_statement_file(
    context: &Context,
    consent: &Consent,
    account: AccountId,
    statement: StatementId,
    format: StatementFormat,
) -> Result<StatementFile, Failure> {
    let access = read::access(context, consent)?;
    read::permitted(access, STATEMENT_FILE_READ)?;
    let scope = read::scope(context, consent, access, &ReadTarget::Statement(account, statement)).await?;
    let lost = || BankError::Broken("a statement without its file".to_owned());
    let statement = scope.statement().ok_or_else(lost)?;
    let bytes = context
        .bank
        .read_statement_file(&context.call, &statement.account, &statement.id, format)
        .await?
        .ok_or_else(lost)?;
    Ok(StatementFile { ends_at: statement.ends_at, format, bytes })
}
