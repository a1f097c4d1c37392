//! Rows for the benchmarks, put into a stopped server's database through the storage port.

use crate::Outcome;
use crate::process::Lombard;
use indicatif::ProgressBar;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{
    Account, AccountScheme, AccountStatus, AccountSubType, AccountType, BalanceType, BankTransactionCode, EntryBalance,
    EntryStatus, Identification, Mutability, Transaction,
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

/// Makes a data folder by a first start, and opens its database.
pub(crate) async fn first_start(program: &Path, data: &Path) -> Outcome<Store> {
    Lombard::start(program, data).await?.process.stop().await?;
    let file = data.join("lombard.db");
    Ok(lombard_store::open(&Options::new(format!("sqlite://{}", file.display()))).await?)
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
        id: BankAccountId::new(format!("bench-{nickname}")),
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
