//! Rows for the benchmarks, put into a stopped server's database through the storage port.

use crate::Outcome;
use crate::process::Lombard;
use indicatif::ProgressBar;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{
    Account, AccountScheme, AccountStatus, AccountSubType, AccountType, BalanceType, BankTransactionCode, EntryBalance,
    EntryStatus, Identification, Mutability, Statement, StatementAmountType, StatementDateType, StatementType,
    Transaction,
};
use lombard_domain::consent::{AccountAccess, ConsentDraft, Permission, Submitted, Terms};
use lombard_domain::ids::{BankAccountId, ClientId};
use lombard_domain::money::{Currency, Signed};
use lombard_domain::version::Version;
use lombard_ports::store::{BankAccountRecord, Store, StoreError};
use lombard_store::Options;
use std::path::Path;

/// Rows of one transaction.
const BATCH: u32 = 10_000;

/// The database that the servers under measurement share when it is set, as any setting of theirs: PostgreSQL, empty.
pub(crate) const DATABASE: &str = "LOMBARD__DATABASE__URL";

/// Whether every server keeps its rows in one database, so that two banks cannot be compared.
pub(crate) fn is_shared() -> bool {
    std::env::var_os(DATABASE).is_some()
}

/// Makes a data folder by a first start, and opens its database.
pub(crate) async fn first_start(program: &Path, data: &Path) -> Outcome<Store> {
    Lombard::start(program, data).await?.process.stop().await?;
    let own = || format!("sqlite://{}", data.join("lombard.db").display());
    Ok(lombard_store::open(&Options::new(std::env::var(DATABASE).unwrap_or_else(|_| own()))).await?)
}

/// Gives amelia an account with this nickname and so many entries, a minute apart.
pub(crate) async fn account(store: &Store, nickname: &str, entries: u32) -> Outcome<()> {
    let record = record(nickname, Timestamp::UNIX_EPOCH);
    let account = record.account.id.clone();
    store.write(move |tx| tx.bank_account_insert(&record)).await.map_err(|error: StoreError| error)?;
    let newest: Timestamp = "2026-01-01T00:00:00Z".parse()?;
    let progress = ProgressBar::new(u64::from(entries)).with_message(nickname.to_owned());
    for first in (0..entries).step_by(usize::try_from(BATCH)?) {
        let numbers = first..entries.min(first.saturating_add(BATCH));
        progress.inc(u64::from(numbers.end.saturating_sub(numbers.start)));
        let batch: Vec<_> = numbers.map(|number| entry(&account, number, newest)).collect();
        store.write(move |tx| tx.entries_insert(&batch)).await.map_err(|error: StoreError| error)?;
    }
    progress.finish_and_clear();
    Ok(())
}

/// Gives the account of this nickname so many statements, an hour each.
pub(crate) async fn statements(store: &Store, nickname: &str, statements: u32) -> Outcome<()> {
    let account = account_id(nickname);
    // Before any entry, so that closing one has nothing to look for.
    let newest: Timestamp = "2020-01-01T00:00:00Z".parse()?;
    let progress = ProgressBar::new(u64::from(statements)).with_message(format!("statements of {nickname}"));
    for first in (0..statements).step_by(usize::try_from(BATCH)?) {
        let numbers = first..statements.min(first.saturating_add(BATCH));
        progress.inc(u64::from(numbers.end.saturating_sub(numbers.start)));
        let batch: Vec<_> = numbers.map(|number| statement(&account, number, newest)).collect();
        let close = move |tx: &mut dyn lombard_ports::store::Transaction| {
            batch.iter().try_for_each(|statement| tx.statement_close(statement).map(drop))
        };
        store.write(close).await.map_err(|error: StoreError| error)?;
    }
    progress.finish_and_clear();
    Ok(())
}

fn account_id(nickname: &str) -> BankAccountId {
    BankAccountId::new(format!("bench-{nickname}"))
}

fn statement(account: &BankAccountId, number: u32, newest: Timestamp) -> Statement {
    let back = |hours: i64| newest.saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(newest);
    let end = back(i64::from(number));
    let sum = Signed::from_minor(12_345, Currency::GBP);
    Statement {
        id: format!("{account}-{number:08}").into(),
        account: account.clone(),
        reference: Some(format!("{number:08}")),
        kind: StatementType::RegularPeriodic,
        starts_at: back(i64::from(number).saturating_add(1)),
        ends_at: end.saturating_sub(SignedDuration::from_secs(1)).unwrap_or(end),
        created_at: end,
        descriptions: Vec::new(),
        benefits: Vec::new(),
        fees: Vec::new(),
        interest: Vec::new(),
        amounts: vec![(StatementAmountType::StartingBalance, sum), (StatementAmountType::ClosingBalance, sum)],
        dates: vec![(StatementDateType::StatementAvailable, end)],
        rates: Vec::new(),
        values: Vec::new(),
        total: None,
    }
}

/// Gives a client so many consents that nobody decided.
pub(crate) async fn consents(store: &Store, client: &ClientId, rows: u32) -> Outcome<()> {
    let now: Timestamp = "2026-01-01T00:00:00Z".parse()?;
    let progress = ProgressBar::new(u64::from(rows)).with_message("consents");
    for first in (0..rows).step_by(usize::try_from(BATCH)?) {
        let client = client.clone();
        let numbers = first..rows.min(first.saturating_add(BATCH));
        progress.inc(u64::from(numbers.end.saturating_sub(numbers.start)));
        let batch: Vec<_> =
            numbers.map(|number| draft().into_consent(consent_id(number).into(), client.clone(), now)).collect();
        let insert = move |tx: &mut dyn lombard_ports::store::Transaction| {
            batch.iter().try_for_each(|consent| tx.consent_insert(consent))
        };
        store.write(insert).await.map_err(|error: StoreError| error)?;
    }
    progress.finish_and_clear();
    Ok(())
}

/// The id of a consent made here.
pub(crate) fn consent_id(number: u32) -> String {
    format!("bench-{number:08}")
}

fn draft() -> ConsentDraft {
    let access = AccountAccess {
        permissions: [Permission::ReadAccountsBasic].into_iter().collect(),
        transactions_from: None,
        transactions_to: None,
    };
    let submitted = Submitted { version: Version::V3_1, json: r#"{"Permissions":["ReadAccountsBasic"]}"#.to_owned() };
    ConsentDraft { terms: Terms::AccountAccess(access), expires_at: None, submitted }
}

fn record(nickname: &str, at: Timestamp) -> BankAccountRecord {
    let number = Identification {
        scheme: AccountScheme::SortCodeAccountNumber,
        number: "40000010000000".to_owned(),
        name: Some("Amelia".to_owned()),
        secondary: None,
    };
    let account = Account {
        id: account_id(nickname),
        status: AccountStatus::Enabled,
        status_changed_at: at,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CurrentAccount,
        description: None,
        nickname: Some(nickname.to_owned()),
        opened_on: None,
        matures_on: None,
        switch_status: None,
        identifications: vec![number],
        servicer: None,
    };
    BankAccountRecord { account, holders: vec!["amelia".into()], eligible: true, credit_limit: 0 }
}

fn entry(account: &BankAccountId, number: u32, newest: Timestamp) -> Transaction {
    let sum = Signed::from_minor(if number.is_multiple_of(3) { 12_345 } else { -2_345 }, Currency::GBP);
    let booked_at = newest.saturating_sub(SignedDuration::from_mins(i64::from(number))).unwrap_or(newest);
    Transaction {
        account: account.clone(),
        id: format!("{account}-{number:08}").into(),
        reference: Some("A reference".to_owned()),
        statement_references: Vec::new(),
        sum,
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at,
        value_at: Some(booked_at),
        information: Some("Card payment to a shop around the corner".to_owned()),
        address_line: None,
        charge: None,
        exchange: None,
        bank_code: Some(BankTransactionCode {
            code: "CustomerCardTransactions".to_owned(),
            sub_code: "PointOfSaleDebitCard".to_owned(),
        }),
        proprietary_code: None,
        balance: Some(EntryBalance { kind: BalanceType::InterimBooked, sum }),
        merchant: None,
        other_party: None,
        card: None,
    }
}
