//! The entries of customers, ordered newest first.
//!
//! A page is read from one index range per account and merged. Each range is limited to one record more than the page holds, so the
//! cost depends on the page and not on the table. Entries are never removed, so a position once given out always refers to an
//! entry of the list.

use super::accounts;
use crate::account_availability::is_shareable;
use crate::storage::EntryList;
use crate::tables::paging::{CutPage, ListPosition, merge};
use crate::tables::records::{EntryColumns, EntryRecord, column_status};
use jiff::Timestamp;
use lombard_database::not_quarantined;
use lombard_database::quarantine::due_rows;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::value::{SqlRow, SqlValue};
use lombard_database::{Query, SqlTransaction};
use lombard_database::{must_change_all, statements};
use lombard_domain::account::{EntryStatus, Transaction};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::instant;
use lombard_domain::money::{CreditDebit, Currency, SignedAmount};
use lombard_domain::page::{Direction, ListWindow, Page, Position};
use lombard_ports::bank::EntryFilter;
use lombard_ports::store::{DueRows, StoreError, WorkKind};
use std::cmp::Ordering;
use std::collections::BTreeSet;

macro_rules! select {
    ($($rest:expr),+) => {
        both(concat!(
            "SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE ",
            $($rest),+
        ))
    };
}

/// One index range of one account or statement: from a bound on, for one direction or both, forwards or backwards.
macro_rules! range {
    ($key:literal, $side:literal, $bound:literal, $order:literal, $limit:literal) => {
        select!(
            $key,
            " = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4",
            $side,
            $bound,
            " ORDER BY booked_at ",
            $order,
            ", id ",
            $order,
            " LIMIT ",
            $limit
        )
    };
}

/// The first page of a key, newest first.
macro_rules! first {
    ($key:literal, $side:literal) => {
        range!($key, $side, "", "DESC", "$5")
    };
}

/// The page after a position.
macro_rules! next {
    ($key:literal, $side:literal) => {
        range!($key, $side, " AND (booked_at, id) < ($5, $6)", "DESC", "$7")
    };
}

/// The page before a position, in reverse.
macro_rules! prev {
    ($key:literal, $side:literal) => {
        range!($key, $side, " AND (booked_at, id) > ($5, $6)", "ASC", "$7")
    };
}

/// The first and the last booking time of a key.
macro_rules! span {
    ($key:literal, $side:literal) => {
        both(concat!(
            "SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE ",
            $key,
            " = $1 \
             AND booked_at >= $2 AND booked_at <= $3",
            $side,
            " ORDER BY booked_at, id LIMIT 1) AS earliest \
             UNION ALL SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE ",
            $key,
            " = $1 AND booked_at >= $2 AND booked_at <= $3",
            $side,
            " ORDER BY booked_at DESC, id DESC LIMIT 1) \
             AS latest"
        ))
    };
}

statements! { "entries" =>
    LAST_OF_SO_MANY = both("SELECT id FROM entries WHERE account_id = $1 ORDER BY booked_at, id LIMIT 1 OFFSET $2");
    // The counter is locked until the transaction ends, so numbers become visible in ascending order. This serialises only
    // transactions that add entries.
    NUMBERS_TAKE = both("UPDATE counters SET value = value + $1 WHERE name = 'entries' RETURNING value");
    NUMBER = both("SELECT value FROM counters WHERE name = 'entries'");
    INSERT = SqlText {
        sqlite: "INSERT INTO entries (id, account_id, booked_at, seq, minor, currency, status, detail) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        postgres: "INSERT INTO entries (id, account_id, booked_at, seq, minor, currency, status, detail) \
                   SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], \
                   $7::text[], $8::text[])",
    };
    KNOWN = SqlText {
        sqlite: "SELECT id FROM entries WHERE id IN (SELECT value FROM json_each($1))",
        postgres: "SELECT id FROM entries WHERE id = ANY ($1)",
    };
    PENDING = select!(
        "status = 'pending' AND booked_at <= $1 AND ",
        not_quarantined!("bank_quarantine", "pending-entry", "entries.id"),
        " ORDER BY booked_at, id LIMIT $2");
    ON_NO_STATEMENT = select!(
        "account_id = $1 AND statement_id IS NULL AND status = 'booked' AND booked_at <= $2 ORDER BY booked_at");
    // Repeats the condition of its partial index.
    LATEST_BOOKING = both(
        "SELECT booked_at FROM entries WHERE account_id = $1 AND status = 'booked' AND seq >= 0 \
         ORDER BY booked_at DESC LIMIT 1");
    SETTLE = SqlText {
        sqlite: "UPDATE entries SET status = $1, detail = $2, booked_at = $3 WHERE id = $4 AND account_id = $5 \
                 AND minor = $6 AND status = 'pending'",
        postgres: must_change_all!(
            "$4",
            "UPDATE entries SET status = settled.status, detail = settled.detail, booked_at = settled.booked_at \
             FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[]) \
             AS settled (status, detail, booked_at, id, account_id, minor) \
             WHERE entries.id = settled.id AND entries.account_id = settled.account_id \
             AND entries.minor = settled.minor AND entries.status = 'pending'"),
    };
    FIRST = first!("account_id", "");
    FIRST_CREDITS = first!("account_id", " AND minor >= 0");
    FIRST_DEBITS = first!("account_id", " AND minor < 0");
    NEXT = next!("account_id", "");
    NEXT_CREDITS = next!("account_id", " AND minor >= 0");
    NEXT_DEBITS = next!("account_id", " AND minor < 0");
    PREV = prev!("account_id", "");
    PREV_CREDITS = prev!("account_id", " AND minor >= 0");
    PREV_DEBITS = prev!("account_id", " AND minor < 0");
    SPAN = span!("account_id", "");
    SPAN_CREDITS = span!("account_id", " AND minor >= 0");
    SPAN_DEBITS = span!("account_id", " AND minor < 0");
    STATED_FIRST = first!("statement_id", "");
    STATED_FIRST_CREDITS = first!("statement_id", " AND minor >= 0");
    STATED_FIRST_DEBITS = first!("statement_id", " AND minor < 0");
    STATED_NEXT = next!("statement_id", "");
    STATED_NEXT_CREDITS = next!("statement_id", " AND minor >= 0");
    STATED_NEXT_DEBITS = next!("statement_id", " AND minor < 0");
    STATED_PREV = prev!("statement_id", "");
    STATED_PREV_CREDITS = prev!("statement_id", " AND minor >= 0");
    STATED_PREV_DEBITS = prev!("statement_id", " AND minor < 0");
    STATED_SPAN = span!("statement_id", "");
    STATED_SPAN_CREDITS = span!("statement_id", " AND minor >= 0");
    STATED_SPAN_DEBITS = span!("statement_id", " AND minor < 0");
}

/// A query in three forms: for entries of both directions, for credits, and for debits.
struct DirectionQueries([&'static SqlStatement; 3]);

impl DirectionQueries {
    fn of(&self, direction: Option<CreditDebit>) -> &'static SqlStatement {
        let [both, credits, debits] = self.0;
        match direction {
            None => both,
            Some(CreditDebit::Credit) => credits,
            Some(CreditDebit::Debit) => debits,
        }
    }
}

/// The queries on one list of entries.
struct Queries {
    first: DirectionQueries,
    next: DirectionQueries,
    prev: DirectionQueries,
    span: DirectionQueries,
}

const OF_ACCOUNT: Queries = Queries {
    first: DirectionQueries([&FIRST, &FIRST_CREDITS, &FIRST_DEBITS]),
    next: DirectionQueries([&NEXT, &NEXT_CREDITS, &NEXT_DEBITS]),
    prev: DirectionQueries([&PREV, &PREV_CREDITS, &PREV_DEBITS]),
    span: DirectionQueries([&SPAN, &SPAN_CREDITS, &SPAN_DEBITS]),
};

const ON_STATEMENT: Queries = Queries {
    first: DirectionQueries([&STATED_FIRST, &STATED_FIRST_CREDITS, &STATED_FIRST_DEBITS]),
    next: DirectionQueries([&STATED_NEXT, &STATED_NEXT_CREDITS, &STATED_NEXT_DEBITS]),
    prev: DirectionQueries([&STATED_PREV, &STATED_PREV_CREDITS, &STATED_PREV_DEBITS]),
    span: DirectionQueries([&STATED_SPAN, &STATED_SPAN_CREDITS, &STATED_SPAN_DEBITS]),
};

const fn queries(filter: &EntryFilter) -> &'static Queries {
    match filter.statement {
        None => &OF_ACCOUNT,
        Some(_) => &ON_STATEMENT,
    }
}

pub(super) fn insert(session: &mut SqlTransaction<'_>, entries: &[Transaction]) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let count = i64::try_from(entries.len()).unwrap_or(i64::MAX);
    let last = session.all_changed(&NUMBERS_TAKE, &[count.into()], |row| row.integer())?;
    let last = last.first().copied().ok_or_else(|| session.no_row(&NUMBERS_TAKE, "entries"))?;
    let rows: Vec<_> = (last.saturating_sub(count).saturating_add(1)..)
        .zip(entries)
        .map(|(number, entry)| {
            vec![
                (&entry.id).into(),
                (&entry.account).into(),
                entry.booked_at.into(),
                number.into(),
                entry.sum.minor().into(),
                entry.sum.currency().code().into(),
                column_status(entry.status).code().into(),
                EntryRecord::write(entry).into(),
            ]
        })
        .collect();
    session.insert_set_later(&INSERT, &rows)
}

pub(super) fn known(session: &mut SqlTransaction<'_>, ids: &[TransactionId]) -> Result<Vec<TransactionId>, StoreError> {
    session.all(&KNOWN, &[SqlValue::List(ids.iter().map(TransactionId::as_str).collect())], |row| row.id())
}

pub(super) fn page(
    session: &mut SqlTransaction<'_>,
    filter: &EntryFilter,
    window: &ListWindow,
) -> Result<Page<Transaction>, StoreError> {
    let as_of = match window.as_of {
        Some(number) => number,
        None => session.one(&NUMBER, &[], |row| row.integer())?.unwrap_or(0),
    };
    let (statement, ranges) = page_ranges(filter, window, as_of);
    let found = session.all_of_many(statement, &ranges, |row| UndecodedEntry::read_of(row, &filter.accounts))?;
    cut(session, found, &filter.accounts, window, as_of)
}

/// The query of a page, and its parameters for each range.
fn page_ranges<'f>(
    filter: &'f EntryFilter,
    window: &'f ListWindow,
    as_of: i64,
) -> (&'static SqlStatement, Vec<Vec<SqlValue<'f>>>) {
    let queries = queries(filter);
    let (sides, bound) = match &window.from {
        None => (&queries.first, None),
        Some((Direction::Next, at)) => (&queries.next, Some(at)),
        Some((Direction::Prev, at)) => (&queries.prev, Some(at)),
    };
    let one_more = i64::try_from(window.size).unwrap_or(i64::MAX).saturating_add(1);
    let ranges = ranges(filter, |range| {
        range.push(as_of.into());
        if let Some(position) = bound {
            range.extend([position.at.into(), (&position.id).into()]);
        }
        range.push(one_more.into());
    });
    (sides.of(filter.direction), ranges)
}

/// Builds the page from the rows of the ranges that belong to these accounts.
fn cut(
    session: &mut SqlTransaction<'_>,
    mut found: Vec<Vec<UndecodedEntry>>,
    accounts: &[BankAccountId],
    window: &ListWindow,
    as_of: i64,
) -> Result<Page<Transaction>, StoreError> {
    // A statement's entries all belong to one account; for another account the result is empty.
    found.iter_mut().for_each(|list| list.retain(|it| accounts.contains(&it.columns.account)));
    let direction = window.from.as_ref().map(|(direction, _)| *direction);
    let CutPage { kept, prev, next } = merge(found, direction, window.size);
    let items =
        kept.into_iter().map(UndecodedEntry::decode).collect::<Result<_, _>>().map_err(|error| session.fail(error))?;
    Ok(Page { items, prev, next, as_of })
}

/// A page of entries with the availability of its accounts and the span of its list; all queries are sent together. The queries include
/// accounts that are not open, which are left out afterwards, because nearly all accounts are open.
pub(super) fn list(
    session: &mut SqlTransaction<'_>,
    covered: &EntryFilter,
    asked: Option<&EntryFilter>,
    window: &ListWindow,
) -> Result<EntryList, StoreError> {
    let mut queries = vec![accounts::versions_query(&covered.accounts), Query::new(&NUMBER, [])];
    let first_range = queries.len();
    // All queries read one snapshot, in which no entry has a higher number than the counter. A query without a bound therefore returns
    // the entries up to the counter.
    let bound = window.as_of.unwrap_or(i64::MAX);
    if let Some(asked) = asked {
        let (statement, ranges) = page_ranges(asked, window, bound);
        queries.extend(ranges.into_iter().map(|range| Query::new(statement, range)));
    }
    let first_span = queries.len();
    let statement = self::queries(covered).span.of(covered.direction);
    queries.extend(ranges(covered, |_| ()).into_iter().map(|range| Query::new(statement, range)));
    let (mut standings, mut counter, mut ends) = (Vec::new(), 0, Vec::new());
    let mut found: Vec<Vec<UndecodedEntry>> = (first_range..first_span).map(|_| Vec::new()).collect();
    session.query_together(&queries, |number, row| {
        match number {
            0 => standings.push(accounts::read_version(row)?),
            1 => counter = row.integer()?,
            _ if number >= first_span => ends.push((row.id::<BankAccountId>()?, row.instant()?)),
            _ => {
                if let Some(list) = found.get_mut(number.saturating_sub(first_range)) {
                    list.push(UndecodedEntry::read_of(row, &covered.accounts)?);
                }
            }
        }
        Ok(())
    })?;
    let standings = accounts::in_order(&covered.accounts, standings, |(standing, _)| &standing.id);
    let open = standings.iter().filter(|(it, _)| is_shareable(it.status, it.eligible)).map(|(it, _)| it.id.clone());
    let open: Vec<_> = open.collect();
    let page = match asked {
        Some(_) => cut(session, found, &open, window, window.as_of.unwrap_or(counter))?,
        None => Page::single_page(Vec::new()),
    };
    let ends: Vec<_> = ends.into_iter().filter(|(account, _)| open.contains(account)).map(|(_, at)| at).collect();
    Ok(EntryList { accounts: standings, page, span: ends.iter().min().copied().zip(ends.iter().max().copied()) })
}

pub(super) fn span(
    session: &mut SqlTransaction<'_>,
    filter: &EntryFilter,
) -> Result<Option<(Timestamp, Timestamp)>, StoreError> {
    let ranges = ranges(filter, |_| ());
    let statement = queries(filter).span.of(filter.direction);
    let ends = session.all_of_many(statement, &ranges, |row| Ok((row.id::<BankAccountId>()?, row.instant()?)))?;
    let own = ends.into_iter().flatten().filter(|(account, _)| filter.accounts.contains(account));
    let ends: Vec<_> = own.map(|(_, at)| at).collect();
    Ok(ends.iter().min().copied().zip(ends.iter().max().copied()))
}

pub(super) fn has_so_many(
    session: &mut SqlTransaction<'_>,
    account: &BankAccountId,
    count: u32,
) -> Result<bool, StoreError> {
    let Some(before) = count.checked_sub(1) else { return Ok(true) };
    let found =
        session.one(&LAST_OF_SO_MANY, &[account.into(), i64::from(before).into()], |row| row.id::<TransactionId>())?;
    Ok(found.is_some())
}

pub(crate) fn pending(
    session: &mut SqlTransaction<'_>,
    until: Timestamp,
    limit: u32,
) -> Result<DueRows<Transaction>, StoreError> {
    let found = session.all(&PENDING, &[until.into(), i64::from(limit).into()], |row| {
        Ok(UndecodedEntry::read(row).and_then(UndecodedEntry::decode))
    })?;
    Ok(due_rows(WorkKind::PendingEntry, found))
}

pub(crate) fn on_no_statement(
    session: &mut SqlTransaction<'_>,
    account: &BankAccountId,
    until: Timestamp,
) -> Result<Vec<Transaction>, StoreError> {
    let mut found =
        session.all(&ON_NO_STATEMENT, &[account.into(), until.into()], |row| UndecodedEntry::read(row)?.decode())?;
    found.sort_by(|a, b| (a.booked_at, &a.id).cmp(&(b.booked_at, &b.id)));
    Ok(found)
}

pub(crate) fn latest_booking(
    session: &mut SqlTransaction<'_>,
    account: &BankAccountId,
) -> Result<Option<Timestamp>, StoreError> {
    session.one(&LATEST_BOOKING, &[account.into()], |row| row.instant())
}

/// The query of [`latest_booking`], to be sent together with other queries.
pub(crate) fn latest_booking_query(account: &BankAccountId) -> Query<'_> {
    Query::new(&LATEST_BOOKING, [account.into()])
}

pub(crate) fn settle(session: &mut SqlTransaction<'_>, entries: &[Transaction]) -> Result<(), StoreError> {
    let row = |entry: &'_ Transaction| {
        vec![
            column_status(entry.status).code().into(),
            EntryRecord::write(entry).into(),
            entry.booked_at.into(),
            entry.id.as_str().to_owned().into(),
            entry.account.as_str().to_owned().into(),
            entry.sum.minor().into(),
        ]
    };
    let rows: Vec<Vec<SqlValue<'_>>> = entries.iter().map(row).collect();
    session.update_set_later(&SETTLE, &rows, |place| entries.get(place).map(|entry| entry.id.as_str()))
}

/// The parameters of the range of the statement, or of one range for each account. An account that is named twice counts once.
fn ranges<'a>(filter: &'a EntryFilter, complete: impl Fn(&mut Vec<SqlValue<'a>>)) -> Vec<Vec<SqlValue<'a>>> {
    let bound = |time: Option<Timestamp>, open: i64| SqlValue::Integer(time.map_or(open, instant::to_micros));
    let keys: BTreeSet<&str> = match &filter.statement {
        Some(statement) => BTreeSet::from([statement.as_str()]),
        None => filter.accounts.iter().map(BankAccountId::as_str).collect(),
    };
    let range = |key: &'a str| {
        let mut range = vec![key.into(), bound(filter.from, i64::MIN), bound(filter.to, i64::MAX)];
        complete(&mut range);
        range
    };
    keys.into_iter().map(range).collect()
}

/// A row that is not decoded yet. Several accounts offer more rows than a page shows, so most rows are never decoded.
struct UndecodedEntry {
    columns: EntryColumns,
    detail: String,
}

impl UndecodedEntry {
    fn read(row: &mut SqlRow<'_>) -> Result<Self, StoreError> {
        Self::read_of(row, &[])
    }

    /// Does the same as [`Self::read`], and shares the ids of known accounts.
    fn read_of(row: &mut SqlRow<'_>, accounts: &[BankAccountId]) -> Result<Self, StoreError> {
        let (id, account) = (row.id::<TransactionId>()?, row.text()?);
        let account = accounts.iter().find(|it| it.as_str() == account).cloned().unwrap_or_else(|| account.into());
        let (booked_at, minor) = (row.instant()?, row.integer()?);
        let sum = SignedAmount::from_minor(minor, row.parsed(Currency::decode)?);
        let status = row.parsed(EntryStatus::decode)?;
        let statement_reference = row.id_or_null()?;
        let columns = EntryColumns { account, id, booked_at, sum, status, statement_reference };
        Ok(Self { columns, detail: row.id()? })
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

impl ListPosition for UndecodedEntry {
    fn order(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.columns, &other.columns);
        (b.booked_at, &b.id).cmp(&(a.booked_at, &a.id))
    }

    fn position(&self) -> Position {
        Position { at: self.columns.booked_at, id: self.columns.id.to_string() }
    }
}
