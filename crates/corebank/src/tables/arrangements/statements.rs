//! The table of statements, ordered by end, newest first. Closing a statement assigns entries to it.

use crate::tables::paging::{CutPage, ListPosition, merge};
use crate::tables::records::{StatementColumns, StatementRecord};
use jiff::Timestamp;
use lombard_database::SqlTransaction;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::account::{Statement, StatementType};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, StatementId};
use lombard_domain::instant;
use lombard_domain::page::{Direction, ListWindow, Page, Position};
use lombard_ports::bank::StatementFilter;
use lombard_ports::store::StoreError;
use std::cmp::Ordering;
use std::collections::BTreeSet;

macro_rules! select {
    ($($rest:expr),+) => {
        both(concat!(
            "SELECT id, account_id, kind, reference, starts_at, ends_at, created_at, detail FROM statements WHERE ",
            $($rest),+
        ))
    };
}

/// Selects statements that lie entirely within bounds. The condition that the end is not before the first bound is redundant, but it lets
/// the engine use the index.
macro_rules! range {
    ($($rest:literal),+) => {
        select!("account_id = $1 AND starts_at >= $2 AND ends_at >= $2 AND ends_at <= $3", $($rest),+)
    };
}

statements! { "statements" =>
    INSERT = both(
        "INSERT INTO statements (id, account_id, kind, reference, starts_at, ends_at, created_at, detail) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
    TAKE_ENTRIES = both(
        "UPDATE entries SET statement_id = $1, statement_reference = $2 \
         WHERE account_id = $3 AND statement_id IS NULL AND status = 'booked' AND booked_at <= $4");
    FIRST = range!(" ORDER BY ends_at DESC, id DESC LIMIT $4");
    NEXT = range!(" AND (ends_at, id) < ($4, $5) ORDER BY ends_at DESC, id DESC LIMIT $6");
    PREV = range!(" AND (ends_at, id) > ($4, $5) ORDER BY ends_at ASC, id ASC LIMIT $6");
    BY_ID = select!("id = $1 AND account_id = $2");
    KNOWN = SqlText {
        sqlite: "SELECT id FROM statements WHERE id IN (SELECT value FROM json_each($1))",
        postgres: "SELECT id FROM statements WHERE id = ANY ($1)",
    };
    SPAN = both(
        "SELECT starts_at FROM (SELECT starts_at FROM statements WHERE account_id = $1 AND starts_at >= $2 \
         AND ends_at >= $2 AND ends_at <= $3 ORDER BY ends_at LIMIT 1) AS earliest \
         UNION ALL SELECT ends_at FROM (SELECT ends_at FROM statements WHERE account_id = $1 AND starts_at >= $2 \
         AND ends_at >= $2 AND ends_at <= $3 ORDER BY ends_at DESC LIMIT 1) AS latest");
}

pub(super) fn close(session: &mut SqlTransaction<'_>, statement: &Statement) -> Result<u64, StoreError> {
    let reference = || optional(statement.reference.as_deref().map(SqlValue::Text));
    let parameters = [
        (&statement.id).into(),
        (&statement.account).into(),
        statement.kind.code().into(),
        reference(),
        statement.starts_at.into(),
        statement.ends_at.into(),
        statement.created_at.into(),
        StatementRecord::write(statement).into(),
    ];
    session.execute_later(&INSERT, &parameters)?;
    let entries = [(&statement.id).into(), reference(), (&statement.account).into(), statement.ends_at.into()];
    session.execute(&TAKE_ENTRIES, &entries)
}

pub(super) fn known(session: &mut SqlTransaction<'_>, ids: &[StatementId]) -> Result<Vec<StatementId>, StoreError> {
    session.all(&KNOWN, &[SqlValue::List(ids.iter().map(StatementId::as_str).collect())], |row| row.id())
}

pub(super) fn page(
    session: &mut SqlTransaction<'_>,
    filter: &StatementFilter,
    window: &ListWindow,
) -> Result<Page<Statement>, StoreError> {
    let (query, bound) = match &window.from {
        None => (&FIRST, None),
        Some((Direction::Next, at)) => (&NEXT, Some(at)),
        Some((Direction::Prev, at)) => (&PREV, Some(at)),
    };
    let one_more = i64::try_from(window.size).unwrap_or(i64::MAX).saturating_add(1);
    let ranges = ranges(filter, |range| {
        if let Some(position) = bound {
            range.extend([position.at.into(), (&position.id).into()]);
        }
        range.push(one_more.into());
    });
    let found = session.all_of_many(query, &ranges, UndecodedStatement::read)?;
    let direction = window.from.as_ref().map(|(direction, _)| *direction);
    let CutPage { kept, prev, next } = merge(found, direction, window.size);
    let items = kept
        .into_iter()
        .map(UndecodedStatement::decode)
        .collect::<Result<_, _>>()
        .map_err(|error| session.fail(error))?;
    Ok(Page { items, prev, next, as_of: 0 })
}

pub(super) fn span(
    session: &mut SqlTransaction<'_>,
    filter: &StatementFilter,
) -> Result<Option<(Timestamp, Timestamp)>, StoreError> {
    let ranges = ranges(filter, |_| ());
    let ends: Vec<_> = session.all_of_many(&SPAN, &ranges, |row| row.instant())?.into_iter().flatten().collect();
    Ok(ends.iter().min().copied().zip(ends.iter().max().copied()))
}

pub(super) fn by_id(
    session: &mut SqlTransaction<'_>,
    account: &BankAccountId,
    id: &StatementId,
) -> Result<Option<Statement>, StoreError> {
    let found = session.one(&BY_ID, &[id.into(), account.into()], UndecodedStatement::read)?;
    found.map(UndecodedStatement::decode).transpose().map_err(|error| session.fail(error))
}

/// The parameters of one range for each account, without duplicates.
fn ranges<'a>(filter: &'a StatementFilter, complete: impl Fn(&mut Vec<SqlValue<'a>>)) -> Vec<Vec<SqlValue<'a>>> {
    let bound = |time: Option<Timestamp>, open: i64| SqlValue::Integer(time.map_or(open, instant::to_micros));
    let range = |account: &'a BankAccountId| {
        let mut range = vec![account.into(), bound(filter.from, i64::MIN), bound(filter.to, i64::MAX)];
        complete(&mut range);
        range
    };
    filter.accounts.iter().collect::<BTreeSet<_>>().into_iter().map(range).collect()
}

/// A row that is not decoded yet.
struct UndecodedStatement {
    columns: StatementColumns,
    detail: String,
}

impl UndecodedStatement {
    fn read(row: &mut SqlRow<'_>) -> Result<Self, StoreError> {
        let columns = StatementColumns {
            id: row.id()?,
            account: row.id()?,
            kind: row.parsed(StatementType::decode)?,
            reference: row.id_or_null()?,
            starts_at: row.instant()?,
            ends_at: row.instant()?,
            created_at: row.instant()?,
        };
        Ok(Self { columns, detail: row.id()? })
    }

    fn decode(self) -> Result<Statement, StoreError> {
        let id = self.columns.id.to_string();
        StatementRecord::read(&self.detail, self.columns).map_err(|source| StoreError::Corrupt {
            table: "statements",
            id,
            source,
        })
    }
}

impl ListPosition for UndecodedStatement {
    fn order(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.columns, &other.columns);
        (b.ends_at, &b.id).cmp(&(a.ends_at, &a.id))
    }

    fn position(&self) -> Position {
        Position { at: self.columns.ends_at, id: self.columns.id.to_string() }
    }
}
