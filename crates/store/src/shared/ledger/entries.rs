//! The entries customers see, kept newest first.
//!
//! A page is read from one index range per account, each cut at one record more than the page holds, and merged: its
//! cost depends on the page, never on the table. Entries are never removed, so a position once given out stays a
//! record of the list.

use super::paging::{Cut, Placed, merge};
use crate::shared::codes::Code;
use crate::shared::records::{EntryColumns, EntryRecord};
use crate::shared::session::{Session, Sql};
use crate::shared::statement::{Statement, both, statements};
use crate::shared::value::{Row, Value};
use jiff::Timestamp;
use lombard_domain::account::{EntryStatus, Transaction};
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::money::{CreditDebit, Currency, Signed};
use lombard_domain::page::{Direction, Page, Position, Window};
use lombard_ports::bank::EntryFilter;
use lombard_ports::store::StoreError;
use std::collections::BTreeSet;

/// One index range of one account: from a bound on, one side or both, forwards or backwards.
macro_rules! range {
    ($side:literal, $bound:literal, $order:literal, $limit:literal) => {
        both(concat!(
            "SELECT id, account_id, booked_at, minor, currency, status, detail FROM entries WHERE account_id = $1 \
             AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4",
            $side,
            $bound,
            " ORDER BY booked_at ",
            $order,
            ", id ",
            $order,
            " LIMIT ",
            $limit
        ))
    };
}

macro_rules! span {
    ($side:literal) => {
        both(concat!(
            "SELECT booked_at FROM (SELECT booked_at FROM entries WHERE account_id = $1 AND booked_at >= $2 \
             AND booked_at <= $3", $side, " ORDER BY booked_at, id LIMIT 1) AS earliest \
             UNION ALL SELECT booked_at FROM (SELECT booked_at FROM entries WHERE account_id = $1 AND booked_at >= $2 \
             AND booked_at <= $3", $side, " ORDER BY booked_at DESC, id DESC LIMIT 1) AS latest"
        ))
    };
}

statements! { "entries" =>
    // The numbers stay taken until the transaction ends, so they become visible in their order and none is ever
    // below a number that somebody has seen. This serialises those who add entries, and nobody else.
    NUMBERS_TAKE = both("UPDATE counters SET value = value + $1 WHERE name = 'entries' RETURNING value");
    NUMBER = both("SELECT value FROM counters WHERE name = 'entries'");
    INSERT = both(
        "INSERT INTO entries (id, account_id, booked_at, seq, minor, currency, status, detail) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
    FIRST = range!("", "", "DESC", "$5");
    FIRST_CREDITS = range!(" AND minor >= 0", "", "DESC", "$5");
    FIRST_DEBITS = range!(" AND minor < 0", "", "DESC", "$5");
    NEXT = range!("", " AND (booked_at, id) < ($5, $6)", "DESC", "$7");
    NEXT_CREDITS = range!(" AND minor >= 0", " AND (booked_at, id) < ($5, $6)", "DESC", "$7");
    NEXT_DEBITS = range!(" AND minor < 0", " AND (booked_at, id) < ($5, $6)", "DESC", "$7");
    PREV = range!("", " AND (booked_at, id) > ($5, $6)", "ASC", "$7");
    PREV_CREDITS = range!(" AND minor >= 0", " AND (booked_at, id) > ($5, $6)", "ASC", "$7");
    PREV_DEBITS = range!(" AND minor < 0", " AND (booked_at, id) > ($5, $6)", "ASC", "$7");
    SPAN = span!("");
    SPAN_CREDITS = span!(" AND minor >= 0");
    SPAN_DEBITS = span!(" AND minor < 0");
}

pub(super) fn insert<S: Sql>(session: &mut Session<S>, entries: &[Transaction]) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let count = i64::try_from(entries.len()).unwrap_or(i64::MAX);
    let last = session.all_changed(&NUMBERS_TAKE, &[count.into()], |row| row.integer())?;
    let last = last.first().copied().ok_or_else(|| session.no_row(&NUMBERS_TAKE, "entries"))?;
    let rows: Vec<_> = (last - count + 1..)
        .zip(entries)
        .map(|(number, entry)| {
            vec![
                (&entry.id).into(),
                (&entry.account).into(),
                entry.booked_at.into(),
                number.into(),
                entry.sum.minor().into(),
                entry.sum.currency().code().into(),
                entry.status.code().into(),
                EntryRecord::write(entry).into(),
            ]
        })
        .collect();
    session.execute_many(&INSERT, &rows).map(drop)
}

pub(super) fn page<S: Sql>(
    session: &mut Session<S>,
    filter: &EntryFilter,
    window: &Window,
) -> Result<Page<Transaction>, StoreError> {
    let as_of = match window.as_of {
        Some(number) => number,
        None => session.one(&NUMBER, &[], |row| row.integer())?.unwrap_or(0),
    };
    let (statement, bound): (&Statement, Option<&Position>) = match (&window.from, filter.direction) {
        (None, None) => (&FIRST, None),
        (None, Some(CreditDebit::Credit)) => (&FIRST_CREDITS, None),
        (None, Some(CreditDebit::Debit)) => (&FIRST_DEBITS, None),
        (Some((Direction::Next, at)), None) => (&NEXT, Some(at)),
        (Some((Direction::Next, at)), Some(CreditDebit::Credit)) => (&NEXT_CREDITS, Some(at)),
        (Some((Direction::Next, at)), Some(CreditDebit::Debit)) => (&NEXT_DEBITS, Some(at)),
        (Some((Direction::Prev, at)), None) => (&PREV, Some(at)),
        (Some((Direction::Prev, at)), Some(CreditDebit::Credit)) => (&PREV_CREDITS, Some(at)),
        (Some((Direction::Prev, at)), Some(CreditDebit::Debit)) => (&PREV_DEBITS, Some(at)),
    };
    let one_more = i64::try_from(window.size).unwrap_or(i64::MAX).saturating_add(1);
    let ranges = ranges(filter, |range| {
        range.push(as_of.into());
        if let Some(position) = bound {
            range.extend([position.at.into(), (&position.id).into()]);
        }
        range.push(one_more.into());
    });
    let found = session.all_of_many(statement, &ranges, Found::read)?;
    let direction = window.from.as_ref().map(|(direction, _)| *direction);
    let Cut { kept, prev, next } = merge(found, direction, window.size);
    let items = kept.into_iter().map(Found::decode).collect::<Result<_, _>>().map_err(|error| session.fail(error))?;
    Ok(Page { items, prev, next, as_of })
}

pub(super) fn span<S: Sql>(
    session: &mut Session<S>,
    filter: &EntryFilter,
) -> Result<Option<(Timestamp, Timestamp)>, StoreError> {
    let statement = match filter.direction {
        None => &SPAN,
        Some(CreditDebit::Credit) => &SPAN_CREDITS,
        Some(CreditDebit::Debit) => &SPAN_DEBITS,
    };
    let ranges = ranges(filter, |_| ());
    let ends: Vec<_> = session.all_of_many(statement, &ranges, |row| row.instant())?.into_iter().flatten().collect();
    Ok(ends.iter().min().copied().zip(ends.iter().max().copied()))
}

/// The parameters of each account's range, however often the account was named.
fn ranges<'a>(filter: &'a EntryFilter, complete: impl Fn(&mut Vec<Value<'a>>)) -> Vec<Vec<Value<'a>>> {
    let bound = |time: Option<Timestamp>, open: i64| Value::Integer(time.map_or(open, Timestamp::as_microsecond));
    let accounts: BTreeSet<&BankAccountId> = filter.accounts.iter().collect();
    let range = |account: &'a BankAccountId| {
        let mut range = vec![account.into(), bound(filter.from, i64::MIN), bound(filter.to, i64::MAX)];
        complete(&mut range);
        range
    };
    accounts.into_iter().map(range).collect()
}

/// A row found but not yet decoded: of what several accounts offer, most is never shown.
struct Found {
    columns: EntryColumns,
    detail: String,
}

impl Found {
    fn read(row: &mut Row<'_>) -> Result<Self, StoreError> {
        let (id, account) = (row.id::<TransactionId>()?, row.id::<BankAccountId>()?);
        let (booked_at, minor) = (row.instant()?, row.integer()?);
        let sum = Signed::from_minor(minor, row.parsed(Currency::decode)?);
        let status = row.parsed(EntryStatus::decode)?;
        Ok(Self { columns: EntryColumns { account, id, booked_at, sum, status }, detail: row.id()? })
    }

    fn decode(self) -> Result<Transaction, StoreError> {
        let id = self.columns.id.clone();
        EntryRecord::read(&self.detail, self.columns).map_err(|source| StoreError::Corrupt {
            table: "entries",
            id: id.to_string(),
            source,
        })
    }
}

impl Placed for Found {
    fn place(&self) -> (Timestamp, &str) {
        (self.columns.booked_at, self.columns.id.as_str())
    }
}
