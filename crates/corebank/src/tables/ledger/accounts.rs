//! Customers' accounts.

use super::journals;
use crate::storage::{AccountAvailability, AccountSums, BankAccountRecord, BankSize};
use crate::tables::records::AccountRecord;
use lombard_database::document;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue};
use lombard_database::{Query, SqlTransaction};
use lombard_domain::account::{AccountIdentification, AccountStatus, AccountSubType};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::ledger::LedgerSums;
use lombard_domain::money::Currency;
use lombard_ports::store::StoreError;

macro_rules! columns {
    () => {
        "bank_accounts.id, bank_accounts.status, bank_accounts.sub_type, bank_accounts.currency, bank_accounts.detail, \
         bank_accounts.holders, bank_accounts.eligible, bank_accounts.credit_limit, bank_accounts.authorisers"
    };
}

macro_rules! sums {
    () => {
        "SELECT bank_accounts.id, bank_accounts.currency, bank_accounts.status, bank_accounts.sub_type, \
         bank_accounts.eligible, bank_accounts.credit_limit, ledger_accounts.booked, ledger_accounts.pending \
         FROM bank_accounts JOIN ledger_accounts ON ledger_accounts.id = bank_accounts.id"
    };
}

macro_rules! standings {
    () => {
        "SELECT bank_accounts.id, bank_accounts.status, bank_accounts.eligible FROM bank_accounts"
    };
}

macro_rules! versions {
    () => {
        "SELECT bank_accounts.id, bank_accounts.status, bank_accounts.eligible, ledger_accounts.entries_version \
         FROM bank_accounts JOIN ledger_accounts ON ledger_accounts.id = bank_accounts.id"
    };
}

/// A query for one id. A query for a list of ids costs several times as much, and most requests concern one account.
macro_rules! one {
    ($($text:expr),+) => {
        both(concat!($($text),+, " WHERE bank_accounts.id = $1"))
    };
}

/// A query for a list of ids.
macro_rules! among {
    ($($text:expr),+) => {
        SqlText {
            sqlite: concat!($($text),+, " WHERE bank_accounts.id IN (SELECT value FROM json_each($1))"),
            postgres: concat!($($text),+, " WHERE bank_accounts.id = ANY ($1)"),
        }
    };
}

statements! { "bank_accounts" =>
    INSERT = both(
        "INSERT INTO bank_accounts \
         (status, sub_type, eligible, credit_limit, authorisers, holders, detail, id, currency) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)");
    UPDATE = both(
        "UPDATE bank_accounts SET status = $1, sub_type = $2, eligible = $3, credit_limit = $4, \
         authorisers = $5, holders = $6, detail = $7 WHERE id = $8 AND currency = $9");
    HOLDERS_CLEAR = both("DELETE FROM bank_account_holders WHERE bank_account_id = $1");
    HOLDERS_INSERT = both("INSERT INTO bank_account_holders (psu_id, bank_account_id) VALUES ($1, $2)");
    BY_ID = one!("SELECT ", columns!(), " FROM bank_accounts");
    // Other transactions may insert rows that refer to the account meanwhile, because its id and currency never change.
    BY_ID_LOCKED = SqlText {
        sqlite: concat!("SELECT ", columns!(), " FROM bank_accounts WHERE bank_accounts.id = $1"),
        postgres: concat!("SELECT ", columns!(), " FROM bank_accounts WHERE bank_accounts.id = $1 FOR NO KEY UPDATE"),
    };
    BY_IDS = among!("SELECT ", columns!(), " FROM bank_accounts");
    STANDING_OF_ONE = one!(standings!());
    STANDINGS = among!(standings!());
    VERSION_OF_ONE = one!(versions!());
    VERSIONS = among!(versions!());
    SUMS_OF_ONE = one!(sums!());
    SUMS = among!(sums!());
    SUMS_LOCKED = SqlText {
        sqlite: concat!(sums!(), " WHERE bank_accounts.id = $1"),
        postgres: concat!(sums!(), " WHERE bank_accounts.id = $1 FOR UPDATE OF ledger_accounts"),
    };
    NUMBERS_CLEAR = both("DELETE FROM bank_account_numbers WHERE account_id = $1");
    NUMBERS_INSERT = both(
        "INSERT INTO bank_account_numbers (scheme, number, account_id) VALUES ($1, $2, $3) \
         ON CONFLICT (scheme, number) DO NOTHING");
    BY_NUMBER = both("SELECT account_id FROM bank_account_numbers WHERE scheme = $1 AND number = $2");
    OF_CUSTOMER = both(concat!("SELECT ", columns!(), " FROM bank_account_holders \
         JOIN bank_accounts ON bank_accounts.id = bank_account_holders.bank_account_id \
         WHERE bank_account_holders.psu_id = $1 ORDER BY bank_accounts.id"));
    OF_CUSTOMERS = SqlText {
        sqlite: concat!("SELECT ", columns!(), " FROM bank_accounts WHERE bank_accounts.id IN \
            (SELECT bank_account_id FROM bank_account_holders WHERE psu_id IN (SELECT value FROM json_each($1))) \
            ORDER BY bank_accounts.id"),
        postgres: concat!("SELECT ", columns!(), " FROM bank_accounts WHERE bank_accounts.id IN \
            (SELECT bank_account_id FROM bank_account_holders WHERE psu_id = ANY ($1)) ORDER BY bank_accounts.id"),
    };
    SIZE = both("SELECT (SELECT COUNT(*) FROM customers), (SELECT COUNT(*) FROM bank_accounts)");
}

pub(super) fn insert(session: &mut SqlTransaction<'_>, record: &BankAccountRecord) -> Result<(), StoreError> {
    let account = &record.account;
    journals::open_accounts(session, &[(account.id.clone(), account.currency)])?;
    session.execute_later(&INSERT, &parameters(record))?;
    insert_numbers(session, record)?;
    insert_holders(session, record)
}

pub(super) fn update(session: &mut SqlTransaction<'_>, record: &BankAccountRecord) -> Result<(), StoreError> {
    let account = &record.account;
    session.execute_on(&UPDATE, &parameters(record), account.id.as_str())?;
    session.execute_later(&NUMBERS_CLEAR, &[(&account.id).into()])?;
    insert_numbers(session, record)?;
    session.execute_later(&HOLDERS_CLEAR, &[(&account.id).into()])?;
    insert_holders(session, record)
}

/// The parameters for an account's variable columns, its id and its currency.
fn parameters(record: &BankAccountRecord) -> [SqlValue<'_>; 9] {
    let account = &record.account;
    [
        account.status.code().into(),
        account.sub_type.code().into(),
        record.eligible.into(),
        record.credit_limit.into(),
        i64::from(record.authorisers).into(),
        document::write(&record.holders).into(),
        AccountRecord::write(account).into(),
        (&account.id).into(),
        account.currency.code().into(),
    ]
}

/// Inserts the account's numbers. A number that belongs to another account is not reassigned.
fn insert_numbers(session: &mut SqlTransaction<'_>, record: &BankAccountRecord) -> Result<(), StoreError> {
    let account = &record.account;
    let row =
        |it: &AccountIdentification| vec![it.scheme.code().into(), it.number.clone().into(), (&account.id).into()];
    let rows: Vec<_> = account.identifications.iter().map(row).collect();
    session.execute_many_later(&NUMBERS_INSERT, &rows)
}

pub(crate) fn by_number(
    session: &mut SqlTransaction<'_>,
    number: &AccountIdentification,
) -> Result<Option<BankAccountId>, StoreError> {
    session.one(&BY_NUMBER, &[number.scheme.code().into(), (&number.number).into()], |row| row.id())
}

pub(crate) fn by_numbers(
    session: &mut SqlTransaction<'_>,
    numbers: &[AccountIdentification],
) -> Result<Vec<Option<BankAccountId>>, StoreError> {
    let names: Vec<_> = numbers.iter().map(|it| vec![it.scheme.code().into(), (&it.number).into()]).collect();
    let found = session.all_of_many(&BY_NUMBER, &names, |row| row.id())?;
    Ok(found.into_iter().map(|rows| rows.into_iter().next()).collect())
}

/// The query of [`by_ids`], to be sent together with other queries.
pub(crate) fn records_query(ids: &[BankAccountId]) -> Query<'_> {
    Query::new(&BY_IDS, [SqlValue::List(ids.iter().map(BankAccountId::as_str).collect())])
}

/// The query of [`sums_for_update`] in a transaction that writes.
pub(crate) fn locking_query(id: &BankAccountId) -> Query<'_> {
    Query::new(&SUMS_LOCKED, [id.into()])
}

fn insert_holders(session: &mut SqlTransaction<'_>, record: &BankAccountRecord) -> Result<(), StoreError> {
    let rows: Vec<_> = record.holders.iter().map(|psu| vec![psu.into(), (&record.account.id).into()]).collect();
    session.execute_many_later(&HOLDERS_INSERT, &rows)
}

pub(super) fn by_ids(
    session: &mut SqlTransaction<'_>,
    ids: &[BankAccountId],
) -> Result<Vec<BankAccountRecord>, StoreError> {
    let found = asked(session, (&BY_ID, &BY_IDS), ids, read)?;
    Ok(in_order(ids, found, |record| &record.account.id))
}

pub(super) fn for_update(
    session: &mut SqlTransaction<'_>,
    id: &BankAccountId,
) -> Result<Option<BankAccountRecord>, StoreError> {
    let statement = session.may_lock(&BY_ID, &BY_ID_LOCKED);
    session.one(statement, &[id.into()], read)
}

/// The status and eligibility of accounts, in one query of columns only.
pub(super) fn availability(
    session: &mut SqlTransaction<'_>,
    ids: &[BankAccountId],
) -> Result<Vec<AccountAvailability>, StoreError> {
    let found = asked(session, (&STANDING_OF_ONE, &STANDINGS), ids, read_standing)?;
    Ok(in_order(ids, found, |standing| &standing.id))
}

/// Does the same as [`availability`], and adds the versions of the accounts' entries.
pub(super) fn entry_versions(
    session: &mut SqlTransaction<'_>,
    ids: &[BankAccountId],
) -> Result<Vec<(AccountAvailability, i64)>, StoreError> {
    let found = asked(session, (&VERSION_OF_ONE, &VERSIONS), ids, read_version)?;
    Ok(in_order(ids, found, |(standing, _)| &standing.id))
}

/// The query of [`entry_versions`], to be sent together with other queries.
pub(super) fn versions_query(ids: &[BankAccountId]) -> Query<'_> {
    match ids {
        [id] => Query::new(&VERSION_OF_ONE, [id.into()]),
        _ => Query::new(&VERSIONS, [SqlValue::List(ids.iter().map(BankAccountId::as_str).collect())]),
    }
}

/// Reads a row of [`versions_query`].
pub(super) fn read_version(row: &mut SqlRow<'_>) -> Result<(AccountAvailability, i64), StoreError> {
    Ok((read_standing(row)?, row.integer()?))
}

fn read_standing(row: &mut SqlRow<'_>) -> Result<AccountAvailability, StoreError> {
    Ok(AccountAvailability { id: row.id()?, status: row.parsed(AccountStatus::decode)?, eligible: row.flag()? })
}

/// The sums of accounts, in one query of columns only, because the bank reads balances often.
pub(super) fn sums(session: &mut SqlTransaction<'_>, ids: &[BankAccountId]) -> Result<Vec<AccountSums>, StoreError> {
    let found = asked(session, (&SUMS_OF_ONE, &SUMS), ids, read_sums)?;
    Ok(in_order(ids, found, |sums| &sums.id))
}

pub(crate) fn sums_for_update(
    session: &mut SqlTransaction<'_>,
    id: &BankAccountId,
) -> Result<Option<AccountSums>, StoreError> {
    let statement = session.may_lock(&SUMS_OF_ONE, &SUMS_LOCKED);
    session.one(statement, &[id.into()], read_sums)
}

pub(crate) fn read_sums(row: &mut SqlRow<'_>) -> Result<AccountSums, StoreError> {
    Ok(AccountSums {
        id: row.id()?,
        currency: row.parsed(Currency::decode)?,
        status: row.parsed(AccountStatus::decode)?,
        sub_type: row.parsed(AccountSubType::decode)?,
        eligible: row.flag()?,
        credit_limit: row.integer()?,
        sums: LedgerSums { booked: row.integer()?, pending: row.integer()? },
    })
}

pub(super) fn of_customer(session: &mut SqlTransaction<'_>, psu: &PsuId) -> Result<Vec<BankAccountRecord>, StoreError> {
    session.all(&OF_CUSTOMER, &[psu.into()], read)
}

pub(super) fn of_customers(
    session: &mut SqlTransaction<'_>,
    psus: &[PsuId],
) -> Result<Vec<BankAccountRecord>, StoreError> {
    session.all(&OF_CUSTOMERS, &[SqlValue::List(psus.iter().map(PsuId::as_str).collect())], read)
}

pub(super) fn bank_size(session: &mut SqlTransaction<'_>) -> Result<BankSize, StoreError> {
    let size = session.one(&SIZE, &[], |row| Ok(BankSize { customers: row.number()?, accounts: row.number()? }))?;
    Ok(size.unwrap_or(BankSize { customers: 0, accounts: 0 }))
}

fn asked<T>(
    session: &mut SqlTransaction<'_>,
    (one, many): (&SqlStatement, &SqlStatement),
    ids: &[BankAccountId],
    read: impl Fn(&mut SqlRow<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    match ids {
        [] => Ok(Vec::new()),
        [id] => session.all(one, &[id.into()], read),
        _ => session.all(many, &[SqlValue::List(ids.iter().map(BankAccountId::as_str).collect())], read),
    }
}

/// Sorts rows into the requested order. An id requested twice is returned once, at its first position.
pub(super) fn in_order<T>(ids: &[BankAccountId], mut found: Vec<T>, id: impl Fn(&T) -> &BankAccountId) -> Vec<T> {
    found.sort_by_cached_key(|it| ids.iter().position(|asked| asked == id(it)));
    found
}

pub(crate) fn read(row: &mut SqlRow<'_>) -> Result<BankAccountRecord, StoreError> {
    let id: BankAccountId = row.id()?;
    let status = row.parsed(AccountStatus::decode)?;
    let sub_type = row.parsed(AccountSubType::decode)?;
    let currency = row.parsed(Currency::decode)?;
    Ok(BankAccountRecord {
        account: row.parsed(|text| AccountRecord::read(text, id, status, sub_type, currency))?,
        holders: row.parsed(document::read)?,
        eligible: row.flag()?,
        credit_limit: row.integer()?,
        authorisers: row.number()?,
    })
}
