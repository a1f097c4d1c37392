//! The built-in bank's orders.

use super::status_updates;
use crate::storage::{BankOrderStore, OrderAtBank};
use crate::tables::BankRows;
use jiff::Timestamp;
use lombard_database::not_quarantined;
use lombard_database::quarantine::due_rows;
use lombard_database::statement::both;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_database::{locking, must_change_one, statements};
use lombard_domain::ids::OrderId;
use lombard_ports::bank::StatusUpdate;
use lombard_ports::store::{DueRows, StoreError, WorkKind};

statements! { "bank_orders" =>
    // A concurrent insert waits until the first transaction ends and then finds its row.
    INSERT = both(
        "INSERT INTO bank_orders (id, debtor_id, due_at, told, plan) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (id) DO NOTHING");
    BY_ID = both("SELECT id, debtor_id, due_at, told, plan FROM bank_orders WHERE id = $1");
    BY_ID_LOCKED = locking!("SELECT id, debtor_id, due_at, told, plan FROM bank_orders WHERE id = $1");
    UPDATE = must_change_one!("UPDATE bank_orders SET due_at = $1, told = $2, plan = $3 WHERE id = $4");
    DUE = both(concat!(
        "SELECT id, debtor_id, due_at, told, plan FROM bank_orders WHERE due_at <= $1 AND ",
        not_quarantined!("bank_quarantine", "bank-order", "bank_orders.id"),
        " ORDER BY due_at, id LIMIT $2"));
}

impl BankOrderStore for BankRows<'_, '_> {
    fn bank_orders_insert(&mut self, orders: &[OrderAtBank]) -> Result<Vec<bool>, StoreError> {
        let rows: Vec<_> = orders.iter().map(row).collect();
        Ok(self.execute_many(&INSERT, &rows)?.into_iter().map(|changed| changed > 0).collect())
    }

    fn bank_order_for_update(&mut self, id: &OrderId) -> Result<Option<OrderAtBank>, StoreError> {
        self.one_locked(&BY_ID, &BY_ID_LOCKED, &[id.into()], read)
    }

    fn bank_order_update(&mut self, order: &OrderAtBank) -> Result<(), StoreError> {
        let parameters = [
            optional(order.due_at),
            i64::from(order.last_update).into(),
            (&order.execution).into(),
            (&order.id).into(),
        ];
        self.execute_later_on(&UPDATE, &parameters, order.id.as_str())
    }

    fn bank_orders_due(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<OrderAtBank>, StoreError> {
        let found = self.all(&DUE, &[until.into(), i64::from(limit).into()], |row| Ok(read(row)))?;
        Ok(due_rows(WorkKind::BankOrder, found))
    }

    fn bank_updates_append(&mut self, updates: &[StatusUpdate]) -> Result<(), StoreError> {
        status_updates::append(self, updates)
    }

    fn bank_updates(&mut self, limit: u32) -> Result<DueRows<StatusUpdate>, StoreError> {
        status_updates::oldest(self, limit)
    }

    fn bank_updates_drop(&mut self, acknowledged: &[(OrderId, u32)]) -> Result<(), StoreError> {
        status_updates::delete_acknowledged(self, acknowledged)
    }
}

fn row(order: &OrderAtBank) -> Vec<SqlValue<'_>> {
    vec![
        (&order.id).into(),
        (&order.debtor).into(),
        optional(order.due_at),
        i64::from(order.last_update).into(),
        (&order.execution).into(),
    ]
}

fn read(row: &mut SqlRow<'_>) -> Result<OrderAtBank, StoreError> {
    Ok(OrderAtBank {
        id: row.id()?,
        debtor: row.id()?,
        due_at: row.instant_or_null()?,
        last_update: row.number()?,
        execution: row.id()?,
    })
}
