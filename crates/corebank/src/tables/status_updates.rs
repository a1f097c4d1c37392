//! The table of status updates of the built-in bank's orders, which holds each update until the server has acknowledged it.
//!
//! Updates are read without a cursor: the next read finds updates that are committed late, and acknowledged updates are deleted. The
//! updates of an order are always read in the order of their numbers. This holds at any limit, even if the bank's clock was set back
//! between two updates. The transaction that appends updates holds the order's lock, so the visible updates of an order have no gaps.
//! If an update cannot be read, the later updates of the same order wait; other orders are not affected.

use crate::status_update_record::StatusUpdateRecord;
use lombard_database::SqlTransaction;
use lombard_database::not_quarantined;
use lombard_database::statement::SqlText;
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue};
use lombard_domain::ids::OrderId;
use lombard_ports::bank::StatusUpdate;
use lombard_ports::store::{DueRows, FailedWork, StoreError, WorkKind};
use std::collections::BTreeSet;

macro_rules! oldest {
    ($order:literal) => {
        concat!(
            "SELECT order_id, order_id, number, happened_at, what FROM bank_news WHERE ",
            not_quarantined!("bank_quarantine", "status-update", concat!("bank_news.order_id, ", $order)),
            " ORDER BY turn, order_id, number LIMIT $1"
        )
    };
}

statements! { "bank_news" =>
    APPEND = SqlText {
        sqlite: "INSERT INTO bank_news (order_id, number, happened_at, what, turn) VALUES ($1, $2, $3, $4, \
                 (SELECT MAX(turn) FROM (SELECT turn FROM bank_news WHERE order_id = $1 \
                 UNION ALL SELECT CAST($3 AS BIGINT)) AS turns))",
        postgres: "INSERT INTO bank_news (order_id, number, happened_at, what, turn) \
                   SELECT order_id, number, happened_at, what, \
                   GREATEST((SELECT MAX(turn) FROM bank_news WHERE bank_news.order_id = added.order_id), \
                   MAX(happened_at) OVER (PARTITION BY order_id ORDER BY number)) \
                   FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) \
                   AS added (order_id, number, happened_at, what)",
    };
    // For a payment in a file, the quarantine may contain its own status updates or those of the file's order.
    OLDEST = SqlText {
        sqlite: oldest!("substr(bank_news.order_id, 1, instr(bank_news.order_id || '/', '/') - 1)"),
        postgres: oldest!("split_part(bank_news.order_id, '/', 1)"),
    };
    FIRST_WAITING = SqlText {
        sqlite: "SELECT order_id, MIN(number) FROM bank_news WHERE order_id IN (SELECT value FROM json_each($1)) GROUP BY order_id",
        postgres: "SELECT order_id, MIN(number) FROM bank_news WHERE order_id = ANY ($1) GROUP BY order_id",
    };
    DROP = SqlText {
        sqlite: "DELETE FROM bank_news WHERE order_id = $1 AND number <= $2",
        postgres: "DELETE FROM bank_news USING unnest($1::text[], $2::bigint[]) AS dropped (order_id, number) \
                   WHERE bank_news.order_id = dropped.order_id AND bank_news.number <= dropped.number",
    };
}

pub(super) fn append(session: &mut SqlTransaction<'_>, updates: &[StatusUpdate]) -> Result<(), StoreError> {
    let mut updates: Vec<_> = updates.iter().collect();
    updates.sort_by(|a, b| (&a.order, a.number).cmp(&(&b.order, b.number)));
    let row = |one: &'_ StatusUpdate| {
        let number = i64::from(one.number);
        vec![one.order.to_string().into(), number.into(), one.at.into(), StatusUpdateRecord::write(&one.change).into()]
    };
    let rows: Vec<_> = updates.into_iter().map(row).collect();
    session.insert_set_later(&APPEND, &rows)
}

/// Reads the oldest updates. An unreadable update is reported only if it is the first of its order; otherwise the earlier updates are
/// delivered first.
pub(super) fn oldest(session: &mut SqlTransaction<'_>, limit: u32) -> Result<DueRows<StatusUpdate>, StoreError> {
    let found = session.all(&OLDEST, &[i64::from(limit).into()], |row| Ok((row.id::<OrderId>()?, read(row))))?;
    let mut due = DueRows::default();
    let (mut readable, mut kept_back) = (BTreeSet::new(), BTreeSet::new());
    for (order, updates) in found {
        match updates {
            Ok(_) if kept_back.contains(&order) => {}
            Ok(update) => {
                readable.insert(order);
                due.rows.push(update);
            }
            Err(error) => {
                if kept_back.insert(order.clone()) && !readable.contains(&order) {
                    due.unreadable.push(FailedWork::new(WorkKind::StatusUpdate, order.as_str(), &error));
                }
            }
        }
    }
    Ok(due)
}

/// Reads a status update from a row; the first column is the order's id.
fn read(row: &mut SqlRow<'_>) -> Result<StatusUpdate, StoreError> {
    let order = row.id()?;
    Ok(StatusUpdate { order, number: row.number()?, at: row.instant()?, change: row.parsed(StatusUpdateRecord::read)? })
}

/// Of these orders, those with updates that are not acknowledged, with the number of the first of these updates.
pub(super) fn first_waiting(
    session: &mut SqlTransaction<'_>,
    ids: &[OrderId],
) -> Result<Vec<(OrderId, u32)>, StoreError> {
    let list = SqlValue::List(ids.iter().map(OrderId::as_str).filter(|id| !id.contains('\0')).collect());
    session.all(&FIRST_WAITING, &[list], |row| Ok((row.id()?, row.number()?)))
}

pub(super) fn delete_acknowledged(
    session: &mut SqlTransaction<'_>,
    acknowledged: &[(OrderId, u32)],
) -> Result<(), StoreError> {
    let rows: Vec<_> =
        acknowledged.iter().map(|(order, number)| vec![order.into(), i64::from(*number).into()]).collect();
    session.insert_set_later(&DROP, &rows)
}
