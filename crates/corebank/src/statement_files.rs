//! Renders statement files: reads their data in one transaction, and renders them on a blocking thread.

use crate::account_availability::shareable_accounts;
use crate::documents::{DocumentError, StatementDocument};
use crate::storage::{ArrangementKind, ArrangementVariant, BankTransaction as Tables};
use lombard_domain::account::{Account, AccountParty, Statement, Transaction};
use lombard_domain::ids::{BankAccountId, StatementId};
use lombard_domain::page::{Direction, ListWindow};
use lombard_ports::bank::{BankError, EntryFilter, StatementFormat};
use lombard_ports::store::StoreError;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of records read at a time.
const PAGE: usize = 1_000;

/// The number of files rendered at the same time. Rendering takes milliseconds of CPU; the limit keeps other requests responsive.
const WRITTEN_AT_ONCE: usize = 2;

/// Limits how many files are rendered at a time. A request waits for a permit before it reads the data. Clones share the limit.
#[derive(Debug, Clone)]
pub(super) struct RenderLimiter(Arc<Semaphore>);

/// A permit to render one file. It is held until the file is rendered, even if the request is dropped.
#[derive(Debug)]
pub(super) struct RenderPermit(#[expect(dead_code, reason = "held, never read")] OwnedSemaphorePermit);

impl Default for RenderLimiter {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(WRITTEN_AT_ONCE)))
    }
}

impl RenderLimiter {
    /// Waits for a permit, in the order of requests.
    ///
    /// # Errors
    /// [`BankError::Broken`] if the semaphore is closed, which does not happen.
    pub(super) async fn acquire_permit(&self) -> Result<RenderPermit, BankError> {
        let permit = Arc::clone(&self.0).acquire_owned().await;
        permit.map(RenderPermit).map_err(|error| BankError::Broken(error.to_string()))
    }
}

/// The data from which a statement file is rendered.
#[derive(Debug)]
pub(super) struct StatementContents {
    statement: Statement,
    account: Account,
    parties: Vec<AccountParty>,
    entries: Vec<Transaction>,
}

/// Reads the data of a statement of a shareable account; `None` if the account has no statement of this id.
///
/// # Errors
/// [`StoreError`].
pub(super) fn contents(
    tx: &mut dyn Tables,
    account: &BankAccountId,
    id: &StatementId,
) -> Result<Option<StatementContents>, StoreError> {
    let open = shareable_accounts(tx, std::slice::from_ref(account))?;
    let (Some(record), Some(statement)) = (tx.bank_accounts(&open)?.pop(), tx.statement(account, id)?) else {
        return Ok(None);
    };
    let parties = tx.arrangements(ArrangementKind::Party, &open, &ListWindow::first_page(PAGE))?.items;
    let parties = parties.into_iter().filter_map(AccountParty::from_arrangement).collect();
    let filter = EntryFilter { statement: Some(id.clone()), ..EntryFilter::for_accounts(open) };
    let mut page = tx.entries(&filter, &ListWindow::first_page(PAGE))?;
    let mut entries = Vec::new();
    loop {
        entries.append(&mut page.items);
        let Some(next) = page.next else { break };
        let window = ListWindow { from: Some((Direction::Next, next)), as_of: Some(page.as_of), size: PAGE };
        page = tx.entries(&filter, &window)?;
    }
    Ok(Some(StatementContents { statement, account: record.account, parties, entries }))
}

impl StatementContents {
    /// Renders the file.
    ///
    /// # Errors
    /// [`BankError::Broken`] if the statement does not add up.
    pub(super) async fn write(self, turn: RenderPermit, format: StatementFormat) -> Result<Vec<u8>, BankError> {
        let written = tokio::task::spawn_blocking(move || {
            let _until_written = turn;
            self.write_now(format)
        })
        .await;
        let written = written.map_err(|error| BankError::Broken(error.to_string()))?;
        written.map_err(|error| BankError::Broken(error.to_string()))
    }

    fn write_now(&self, format: StatementFormat) -> Result<Vec<u8>, DocumentError> {
        let Self { statement, account, parties, entries } = self;
        let document = StatementDocument { statement, account, parties, entries };
        match format {
            StatementFormat::Pdf => document.pdf(),
            StatementFormat::Csv => document.csv(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[tokio::test]
    async fn ais_156_only_so_many_files_are_made_at_once() {
        let press = RenderLimiter::default();
        let mut turns = Vec::new();
        for _ in 0..WRITTEN_AT_ONCE {
            turns.push(press.acquire_permit().await.unwrap());
        }
        let shared = press.clone();
        let mut next = pin!(shared.acquire_permit());
        let mut context = Context::from_waker(Waker::noop());
        assert!(next.as_mut().poll(&mut context).is_pending());
        turns.pop();
        assert!(matches!(next.as_mut().poll(&mut context), Poll::Ready(Ok(_))));
    }
}
