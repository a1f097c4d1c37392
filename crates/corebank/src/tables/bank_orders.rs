//! The built-in bank's orders.

use super::{order_plans, status_updates};
use crate::storage::{BankOrderStore, OrderAtBank};
use crate::tables::BankRows;
use jiff::Timestamp;
use lombard_database::not_quarantined;
use lombard_database::quarantine::due_rows;
use lombard_database::statement::{SqlText, both};
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_database::{locking, must_change_all, statements};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_ports::bank::StatusUpdate;
use lombard_ports::controls::OrderPlan;
use lombard_ports::store::{DueRows, StoreError, WorkKind};
use std::collections::{BTreeMap, BTreeSet};

statements! { "bank_orders" =>
    // A concurrent insert waits until the first transaction ends and then finds its row.
    INSERT = SqlText {
        sqlite: "INSERT INTO bank_orders (id, debtor_id, due_at, told, plan, received_at) VALUES ($1, $2, $3, $4, $5, $6) \
                 ON CONFLICT (id) DO NOTHING RETURNING id",
        postgres: "INSERT INTO bank_orders (id, debtor_id, due_at, told, plan, received_at) \
                   SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[]) ORDER BY 1 \
                   ON CONFLICT (id) DO NOTHING RETURNING id",
    };
    BY_ID = both("SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE id = $1");
    BY_ID_LOCKED = locking!("SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE id = $1");
    BY_IDS = SqlText {
        sqlite: "SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders \
                 WHERE id IN (SELECT value FROM json_each($1))",
        postgres: "SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE id = ANY ($1)",
    };
    RECEIVED = both(
        "SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders \
         WHERE received_at >= $1 AND (received_at, id) > ($1, $2) ORDER BY received_at, id LIMIT $3");
    UPDATE = SqlText {
        sqlite: "UPDATE bank_orders SET due_at = $1, told = $2, plan = $3 WHERE id = $4",
        postgres: must_change_all!(
            "$4",
            "UPDATE bank_orders SET due_at = latest.due_at, told = latest.told, plan = latest.plan \
             FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS latest (due_at, told, plan, id) \
             WHERE bank_orders.id = latest.id"),
    };
    DUE = both(concat!(
        "SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE due_at <= $1 AND ",
        not_quarantined!("bank_quarantine", "bank-order", "bank_orders.id"),
        " ORDER BY due_at, id LIMIT $2"));
}

impl BankOrderStore for BankRows<'_, '_> {
    fn bank_orders_insert(&mut self, orders: &[OrderAtBank]) -> Result<Vec<bool>, StoreError> {
        let rows: Vec<_> = orders.iter().map(row).collect();
        let added = self.all_of_set(&INSERT, &rows, |row| row.id::<OrderId>())?;
        // Of two orders with one id in the same call, the first is new.
        let mut added: BTreeSet<_> = added.into_iter().collect();
        Ok(orders.iter().map(|order| added.remove(&order.id)).collect())
    }

    fn bank_order_for_update(&mut self, id: &OrderId) -> Result<Option<OrderAtBank>, StoreError> {
        self.one_locked(&BY_ID, &BY_ID_LOCKED, &[id.into()], read)
    }

    fn bank_orders(&mut self, ids: &[OrderId]) -> Result<Vec<OrderAtBank>, StoreError> {
        let list = SqlValue::List(ids.iter().map(OrderId::as_str).filter(|id| !id.contains('\0')).collect());
        let found = self.all(&BY_IDS, &[list], read)?;
        let mut found: BTreeMap<_, _> = found.into_iter().map(|order| (order.id.clone(), order)).collect();
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    fn bank_orders_received(
        &mut self,
        from: Timestamp,
        after: &str,
        limit: u32,
    ) -> Result<Vec<OrderAtBank>, StoreError> {
        self.all(&RECEIVED, &[from.into(), after.into(), i64::from(limit).into()], read)
    }

    fn bank_updates_waiting(&mut self, ids: &[OrderId]) -> Result<Vec<(OrderId, u32)>, StoreError> {
        status_updates::first_waiting(self, ids)
    }

    fn bank_orders_update(&mut self, orders: &[OrderAtBank]) -> Result<(), StoreError> {
        let row = |order: &'_ OrderAtBank| {
            let (execution, id) = (order.execution.clone().into(), order.id.as_str().to_owned().into());
            vec![optional(order.due_at), i64::from(order.last_update).into(), execution, id]
        };
        let rows: Vec<Vec<SqlValue<'_>>> = orders.iter().map(row).collect();
        self.update_set_later(&UPDATE, &rows, |place| orders.get(place).map(|order| order.id.as_str()))
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

    fn order_plan_put(&mut self, consent: &ConsentId, plan: OrderPlan) -> Result<(), StoreError> {
        order_plans::put(self, consent, plan)
    }

    fn order_plans(&mut self, consents: &[&ConsentId]) -> Result<Vec<(ConsentId, OrderPlan)>, StoreError> {
        order_plans::of_consents(self, consents)
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
        optional(order.received_at),
    ]
}

fn read(row: &mut SqlRow<'_>) -> Result<OrderAtBank, StoreError> {
    Ok(OrderAtBank {
        id: row.id()?,
        debtor: row.id()?,
        due_at: row.instant_or_null()?,
        last_update: row.number()?,
        execution: row.id()?,
        received_at: row.instant_or_null()?,
    })
}
