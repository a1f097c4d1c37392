//! The account resources: accounts, balances and transactions. Source: T6.

use super::{AccountResource, AccountScope, DateFilter, ResourceQuery, redaction, slice};
use jiff::Timestamp;
use lombard_domain::account::{Account, Balance, Transaction};
use lombard_domain::consent::{Permission as P, Permissions};
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::{ListWindow, Position};
use lombard_ports::bank::{Bank, BankError, CallContext, ListAnswer, ListVersion};

/// The accounts of the consent.
#[derive(Debug, Clone, Copy)]
pub struct Accounts;

impl AccountResource for Accounts {
    type Item = Account;
    type Seen = Account;
    const NAME: &'static str = "accounts";
    const READ: &'static [&'static [P]] = &[&[P::ReadAccountsBasic, P::ReadAccountsDetail]];
    const FILTER: DateFilter = DateFilter::None;

    async fn fetch(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
        _: &ResourceQuery,
        window: &ListWindow,
    ) -> Result<ListAnswer<Account>, BankError> {
        let accounts = bank.list_accounts(call, &scope.bank_ids()).await?;
        let open = !accounts.is_empty();
        let page = slice::page(accounts, window, |account| by_id(scope, &account.id, ""));
        Ok(ListAnswer { page, ..ListAnswer::empty(open) })
    }

    fn account(account: &Account) -> &BankAccountId {
        &account.id
    }

    fn redact(account: Account, granted: Permissions) -> Account {
        redaction::account(account, granted)
    }
}

/// The balances of accounts.
#[derive(Debug, Clone, Copy)]
pub struct Balances;

impl AccountResource for Balances {
    type Item = Balance;
    type Seen = Balance;
    const NAME: &'static str = "balances";
    const READ: &'static [&'static [P]] = &[&[P::ReadBalances]];
    const FILTER: DateFilter = DateFilter::None;

    async fn fetch(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
        _: &ResourceQuery,
        window: &ListWindow,
    ) -> Result<ListAnswer<Balance>, BankError> {
        let mut balances = bank.list_balances(call, &scope.bank_ids()).await?;
        let open = !balances.is_empty();
        // The bank returns balances account by account; the balances of one account differ in type (AIS-111).
        for of_account in balances.chunk_by_mut(|a, b| a.account == b.account) {
            of_account.sort_unstable_by_key(|balance| balance.kind);
        }
        let page = slice::page(balances, window, |balance| {
            by_id(scope, &balance.account, &format!("/{:02}", balance.kind as u8))
        });
        Ok(ListAnswer { page, ..ListAnswer::empty(open) })
    }

    fn account(balance: &Balance) -> &BankAccountId {
        &balance.account
    }

    fn redact(balance: Balance, _: Permissions) -> Balance {
        balance
    }
}

/// The entries on accounts; within a statement, those that appear on it (AIS-147).
#[derive(Debug, Clone, Copy)]
pub struct Transactions;

impl AccountResource for Transactions {
    type Item = Transaction;
    type Seen = Transaction;
    const NAME: &'static str = "transactions";
    const READ: &'static [&'static [P]] = &[
        &[P::ReadTransactionsBasic, P::ReadTransactionsDetail],
        &[P::ReadTransactionsCredits, P::ReadTransactionsDebits],
    ];
    const FILTER: DateFilter = DateFilter::Booking;

    async fn fetch(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
        query: &ResourceQuery,
        window: &ListWindow,
    ) -> Result<ListAnswer<Transaction>, BankError> {
        bank.list_transactions(call, &scope.entries(), query.period(), window).await
    }

    async fn version(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
    ) -> Result<Option<ListVersion>, BankError> {
        bank.entries_version(call, &scope.bank_ids()).await
    }

    fn account(entry: &Transaction) -> &BankAccountId {
        &entry.account
    }

    fn redact(entry: Transaction, granted: Permissions) -> Transaction {
        redaction::transaction(entry, granted)
    }
}

/// The position of a record in a list that is sorted by the account's id.
fn by_id(scope: &AccountScope<'_>, account: &BankAccountId, within: &str) -> Position {
    let alias = scope.alias(account).map_or("", |alias| alias.as_str());
    Position { at: Timestamp::UNIX_EPOCH, id: format!("{alias}{within}") }
}
