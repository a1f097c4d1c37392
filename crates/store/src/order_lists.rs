//! Lists of the orders of all clients, which the server compares with those that the bank holds, and the orders that wait for the
//! bank.

use crate::in_list::{in_list, list_ids};
use crate::order_rows::{order_columns, read};
use jiff::Timestamp;
use lombard_database::readable::leave_out;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::value::{SqlRow, SqlValue};
use lombard_database::{SqlTransaction, must_change_one, statements};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::UnsettledStage;
use lombard_ports::store::{OrderPage, OrderPosition, OrderWithUpdates, StoreError, UnsettledCounts};

statements! { "orders" =>
    RESTART = must_change_one!("UPDATE orders SET heard = $1 WHERE id = $2");
    // The first condition makes the beginning of the index's range known to both engines.
    CREATED = both(concat!("SELECT id, created_at, heard, ", order_columns!(""),
        " FROM orders WHERE created_at >= $1 AND (created_at, id) > ($1, $2) AND erased_at IS NULL ORDER BY created_at, id LIMIT $3"));
    CREATED_COUNT = both("SELECT COUNT(*) FROM orders WHERE created_at >= $1 AND erased_at IS NULL");
    UNSETTLED = both(concat!("SELECT id, due_at, heard, ", order_columns!(""),
        " FROM orders WHERE unsettled IS NOT NULL AND due_at >= $1 AND (due_at, id) > ($1, $2) AND due_at <= $3 \
         ORDER BY due_at, id LIMIT $4"));
    UNSETTLED_COUNT = both(
        "SELECT unsettled, COUNT(*) FROM orders WHERE unsettled IS NOT NULL AND due_at <= $1 AND due_at > $2 GROUP BY unsettled");
    EXISTING = SqlText {
        sqlite: concat!("SELECT id FROM orders WHERE id ", in_list!(sqlite 1)),
        postgres: concat!("SELECT id FROM orders WHERE id ", in_list!(postgres 1)),
    };
}

pub(crate) fn restart_updates(session: &mut SqlTransaction<'_>, id: &OrderId, number: u32) -> Result<(), StoreError> {
    session.execute_later_on(&RESTART, &[i64::from(number).into(), id.into()], id.as_str())
}

pub(crate) fn created(
    session: &mut SqlTransaction<'_>,
    after: &OrderPosition,
    limit: u32,
) -> Result<OrderPage, StoreError> {
    page(session, &CREATED, &[after.at.into(), (&after.id).into(), i64::from(limit).into()], limit)
}

pub(crate) fn created_count(session: &mut SqlTransaction<'_>, from: Timestamp) -> Result<u64, StoreError> {
    Ok(session.one(&CREATED_COUNT, &[from.into()], |row| row.number())?.unwrap_or(0))
}

pub(crate) fn unsettled(
    session: &mut SqlTransaction<'_>,
    after: &OrderPosition,
    until: Timestamp,
    limit: u32,
) -> Result<OrderPage, StoreError> {
    page(session, &UNSETTLED, &[after.at.into(), (&after.id).into(), until.into(), i64::from(limit).into()], limit)
}

pub(crate) fn unsettled_counts(
    session: &mut SqlTransaction<'_>,
    times: &[Timestamp],
) -> Result<Vec<UnsettledCounts>, StoreError> {
    let ends = times.iter().skip(1).copied().chain([Timestamp::MIN]);
    let stage = |row: &mut SqlRow<'_>| Ok((row.parsed(UnsettledStage::decode)?, row.number()?));
    let mut counts = Vec::with_capacity(times.len());
    for (upto, after) in times.iter().zip(ends) {
        counts.push(session.all(&UNSETTLED_COUNT, &[(*upto).into(), after.into()], stage)?);
    }
    Ok(counts)
}

pub(crate) fn existing(session: &mut SqlTransaction<'_>, ids: &[OrderId]) -> Result<Vec<OrderId>, StoreError> {
    session.all(&EXISTING, &[list_ids(ids.iter().map(OrderId::as_str))], |row| row.id())
}

/// Reads a page. The position is read separately, so that a page of unreadable orders is followed by the next.
fn page(
    session: &mut SqlTransaction<'_>,
    statement: &SqlStatement,
    parameters: &[SqlValue<'_>],
    limit: u32,
) -> Result<OrderPage, StoreError> {
    let found = session.all(statement, parameters, |row| {
        let id: OrderId = row.id()?;
        let at = row.instant()?;
        let updates_applied = row.number()?;
        let order = read(row).map(|order| OrderWithUpdates { order, updates_applied });
        Ok((OrderPosition { at, id }, order))
    })?;
    let is_full = u32::try_from(found.len()).is_ok_and(|count| count >= limit);
    let next = found.last().filter(|_| is_full).map(|(position, _)| position.clone());
    let orders = leave_out(found.into_iter().map(|(_, order)| order).collect());
    Ok(OrderPage { orders, next })
}
