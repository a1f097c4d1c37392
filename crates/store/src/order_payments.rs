//! The payments of an order.

use jiff::civil::Date;
use lombard_database::SqlTransaction;
use lombard_database::document;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::OrderId;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::order::{PaymentExecution, PaymentStatus};
use lombard_ports::store::StoreError;

macro_rules! columns {
    () => {
        "order_id, number, due_on, paid_on, minor, currency, status, since, detail, heard"
    };
}

statements! { "order_payments" =>
    PUT = both(concat!("INSERT INTO order_payments (", columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (order_id, number) DO UPDATE \
         SET due_on = excluded.due_on, paid_on = excluded.paid_on, minor = excluded.minor, \
         currency = excluded.currency, status = excluded.status, since = excluded.since, detail = excluded.detail, \
         heard = excluded.heard"));
    INSERT = both(concat!("INSERT INTO order_payments (", columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (order_id, number) DO NOTHING"));
    ONE = both(concat!("SELECT ", columns!(), " FROM order_payments WHERE order_id = $1 AND number = $2"));
    AFTER = both(concat!("SELECT ", columns!(),
        " FROM order_payments WHERE order_id = $1 AND number > $2 ORDER BY number LIMIT $3"));
}

pub(super) fn put(session: &mut SqlTransaction<'_>, executions: &[PaymentExecution]) -> Result<(), StoreError> {
    let rows = rows(session, executions)?;
    session.execute_many_later(&PUT, &rows)
}

pub(super) fn insert(
    session: &mut SqlTransaction<'_>,
    executions: &[PaymentExecution],
) -> Result<Vec<bool>, StoreError> {
    let rows = rows(session, executions)?;
    let changed = session.execute_many(&INSERT, &rows)?;
    Ok(changed.into_iter().map(|count| count > 0).collect())
}

fn rows<'e>(
    session: &mut SqlTransaction<'_>,
    executions: &'e [PaymentExecution],
) -> Result<Vec<Vec<SqlValue<'e>>>, StoreError> {
    let rows: Result<Vec<_>, _> = executions.iter().map(row).collect();
    rows.map_err(|error| session.fail(error))
}

fn row(execution: &PaymentExecution) -> Result<Vec<SqlValue<'_>>, StoreError> {
    let minor = i64::try_from(execution.amount.minor()).map_err(|error| {
        let (table, id) = (PUT.table, execution.order.to_string());
        StoreError::Corrupt { table, id, source: error.into() }
    })?;
    Ok(vec![
        (&execution.order).into(),
        i64::from(execution.number).into(),
        execution.due_on.to_string().into(),
        execution.paid_on.to_string().into(),
        minor.into(),
        execution.amount.currency().code().into(),
        execution.status.code().into(),
        execution.since.into(),
        optional(execution.detail.as_ref().map(document::write)),
        i64::from(execution.last_update).into(),
    ])
}

pub(super) fn one(
    session: &mut SqlTransaction<'_>,
    order: &OrderId,
    number: u32,
) -> Result<Option<PaymentExecution>, StoreError> {
    session.one(&ONE, &[order.into(), i64::from(number).into()], read)
}

pub(super) fn numbered(
    session: &mut SqlTransaction<'_>,
    order: &OrderId,
    numbers: &[u32],
) -> Result<Vec<PaymentExecution>, StoreError> {
    let keys: Vec<_> = numbers.iter().map(|number| vec![order.into(), i64::from(*number).into()]).collect();
    Ok(session.all_of_many(&ONE, &keys, read)?.into_iter().flatten().collect())
}

pub(super) fn after(
    session: &mut SqlTransaction<'_>,
    order: &OrderId,
    after: u32,
    limit: u32,
) -> Result<Vec<PaymentExecution>, StoreError> {
    session.all(&AFTER, &[order.into(), i64::from(after).into(), i64::from(limit).into()], read)
}

fn read(row: &mut SqlRow<'_>) -> Result<PaymentExecution, StoreError> {
    Ok(PaymentExecution {
        order: row.id()?,
        number: row.number()?,
        due_on: row.parsed(str::parse::<Date>)?,
        paid_on: row.parsed(str::parse::<Date>)?,
        amount: {
            let minor = row.number()?;
            Amount::from_minor(minor, row.parsed(Currency::decode)?)
        },
        status: row.parsed(PaymentStatus::decode)?,
        since: row.instant()?,
        detail: row.parsed_or_null(document::read)?,
        last_update: row.number()?,
    })
}
