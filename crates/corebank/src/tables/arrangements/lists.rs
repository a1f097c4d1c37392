//! Lists of arrangements, ordered by account, then id.
//!
//! A page is read from one index range per account, each limited to one record more than the page size, so its cost does not
//! depend on the size of the table. A position is the account and the id, with a separator that no id contains.

use crate::storage::{Arrangement, ArrangementKind};
use crate::tables::paging::{CutPage, ListPosition, merge};
use crate::tables::records::ArrangementRecord;
use jiff::Timestamp;
use lombard_database::SqlTransaction;
use lombard_database::not_quarantined;
use lombard_database::quarantine::due_rows;
use lombard_database::statement::{SqlStatement, both};
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, RecordId};
use lombard_domain::page::{Direction, ListWindow, Page, Position};
use lombard_ports::store::{DueRows, StoreError, WorkKind};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Separates the account from the id in a position: the control character "unit separator".
const SEPARATOR: char = '\u{1f}';

macro_rules! range {
    ($bound:literal, $order:literal, $limit:literal) => {
        both(concat!(
            "SELECT id, account_id, due_at, detail FROM arrangements WHERE kind = $1 AND account_id = $2",
            $bound,
            " ORDER BY id ",
            $order,
            " LIMIT ",
            $limit
        ))
    };
}

statements! { "arrangements" =>
    PUT = both(
        "INSERT INTO arrangements (kind, account_id, id, due_at, detail) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (kind, account_id, id) DO UPDATE SET due_at = excluded.due_at, detail = excluded.detail");
    REMOVE = both("DELETE FROM arrangements WHERE kind = $1 AND account_id = $2 AND id = $3");
    ONE = both(
        "SELECT id, account_id, due_at, detail FROM arrangements WHERE kind = $1 AND account_id = $2 AND id = $3");
    FIRST = range!("", "ASC", "$3");
    AFTER = range!(" AND id > $3", "ASC", "$4");
    LAST = range!("", "DESC", "$3");
    BEFORE = range!(" AND id < $3", "DESC", "$4");
    DUE = both(concat!(
        "SELECT kind || '/' || account_id || '/' || id, id, account_id, due_at, detail, kind FROM arrangements \
         WHERE due_at <= $1 AND ",
        not_quarantined!("bank_quarantine", "arrangement", "arrangements.kind || '/' || arrangements.account_id || '/' || arrangements.id"),
        " ORDER BY due_at, arrangements.kind, account_id, id LIMIT $2"));
}

pub(super) fn put(session: &mut SqlTransaction<'_>, arrangements: &[Arrangement]) -> Result<(), StoreError> {
    let rows: Vec<_> = arrangements.iter().map(row).collect();
    session.execute_many_later(&PUT, &rows)
}

fn row(it: &Arrangement) -> Vec<SqlValue<'_>> {
    let detail = ArrangementRecord::write(it);
    vec![it.kind().code().into(), it.account().into(), SqlValue::Text(it.id()), optional(it.due_at()), detail.into()]
}

pub(super) fn remove(
    session: &mut SqlTransaction<'_>,
    kind: ArrangementKind,
    account: &BankAccountId,
    id: &RecordId,
) -> Result<bool, StoreError> {
    Ok(session.execute(&REMOVE, &[kind.code().into(), account.into(), id.into()])? > 0)
}

pub(super) fn one(
    session: &mut SqlTransaction<'_>,
    kind: ArrangementKind,
    account: &BankAccountId,
    id: &RecordId,
) -> Result<Option<Arrangement>, StoreError> {
    session.one(&ONE, &[kind.code().into(), account.into(), id.into()], |row| {
        UndecodedArrangement::read(row)?.decode(kind)
    })
}

pub(super) fn page(
    session: &mut SqlTransaction<'_>,
    kind: ArrangementKind,
    accounts: &[BankAccountId],
    window: &ListWindow,
) -> Result<Page<Arrangement>, StoreError> {
    let one_more = i64::try_from(window.size).unwrap_or(i64::MAX).saturating_add(1);
    let from = window.from.as_ref().map(|(direction, at)| (*direction, split(&at.id)));
    // The page starts after the position's id in the position's account; later accounts are read from their beginning.
    let (mut within, mut whole) = (Vec::new(), Vec::new());
    for account in accounts.iter().collect::<BTreeSet<_>>() {
        let mut range = vec![kind.code().into(), account.into()];
        match from.map(|(direction, (at, id))| (direction, account.as_str().cmp(at), id)) {
            Some((_, Ordering::Equal, id)) => {
                range.extend([SqlValue::Text(id), one_more.into()]);
                within.push(range);
            }
            Some((Direction::Next, Ordering::Less, _)) | Some((Direction::Prev, Ordering::Greater, _)) => {}
            None | Some(_) => {
                range.push(one_more.into());
                whole.push(range);
            }
        }
    }
    let direction = from.map(|(direction, _)| direction);
    let (bounded, unbounded): (&SqlStatement, &SqlStatement) = match direction {
        Some(Direction::Prev) => (&BEFORE, &LAST),
        Some(Direction::Next) | None => (&AFTER, &FIRST),
    };
    let read = |row: &mut SqlRow<'_>| UndecodedArrangement::read(row);
    let mut found = session.all_of_many(bounded, &within, read)?;
    found.extend(session.all_of_many(unbounded, &whole, read)?);
    let CutPage { kept, prev, next } = merge(found, direction, window.size);
    let items =
        kept.into_iter().map(|it| it.decode(kind)).collect::<Result<_, _>>().map_err(|error| session.fail(error))?;
    Ok(Page { items, prev, next, as_of: 0 })
}

/// The due arrangements of every kind, earliest first.
pub(crate) fn due(
    session: &mut SqlTransaction<'_>,
    until: Timestamp,
    limit: u32,
) -> Result<DueRows<Arrangement>, StoreError> {
    let found = session.all(&DUE, &[until.into(), i64::from(limit).into()], |row| Ok(read_due(row)))?;
    Ok(due_rows(WorkKind::Arrangement, found))
}

/// Reads an arrangement; the first column is its quarantine subject.
fn read_due(row: &mut SqlRow<'_>) -> Result<Arrangement, StoreError> {
    row.text()?;
    let found = UndecodedArrangement::read(row)?;
    let kind = row.parsed(ArrangementKind::decode)?;
    let UndecodedArrangement { account, id, due_at, detail } = found;
    let read = ArrangementRecord::read(&detail, kind, account, &id, due_at);
    read.map_err(|source| row.corrupt(source))
}

/// Splits a position into account and id.
fn split(position: &str) -> (&str, &str) {
    position.split_once(SEPARATOR).unwrap_or((position, ""))
}

/// A row that is not decoded yet. Several accounts offer more rows than a page shows, so most rows are never decoded.
struct UndecodedArrangement {
    account: BankAccountId,
    id: String,
    due_at: Option<Timestamp>,
    detail: String,
}

impl UndecodedArrangement {
    fn read(row: &mut SqlRow<'_>) -> Result<Self, StoreError> {
        Ok(Self { id: row.id()?, account: row.id()?, due_at: row.instant_or_null()?, detail: row.id()? })
    }

    fn decode(self, kind: ArrangementKind) -> Result<Arrangement, StoreError> {
        let Self { id, account, due_at, detail } = self;
        ArrangementRecord::read(&detail, kind, account, &id, due_at).map_err(|source| StoreError::Corrupt {
            table: "arrangements",
            id,
            source,
        })
    }
}

impl ListPosition for UndecodedArrangement {
    fn order(&self, other: &Self) -> Ordering {
        (&self.account, &self.id).cmp(&(&other.account, &other.id))
    }

    fn position(&self) -> Position {
        Position { at: Timestamp::UNIX_EPOCH, id: format!("{}{SEPARATOR}{}", self.account, self.id) }
    }
}
