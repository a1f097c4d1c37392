//! Payment orders.

use super::order_rows::{insert_parameters, order_columns, read};
use super::records::ApprovalsRecord;
use super::{consents, order_lists, order_payments};
use crate::consents::joined_consent_columns;
use crate::in_list::{in_list, list_ids};
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::document;
use lombard_database::not_quarantined;
use lombard_database::readable::leave_out;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::value::optional;
use lombard_database::{locking, must_change_one, statements};
use lombard_domain::code::StoredCode;
use lombard_domain::core_state::CoreState;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, OrderId, PsuId};
use lombard_domain::payment::order::{Order, PaymentExecution};
use lombard_ports::bank::CallingClient;
use lombard_ports::store::{
    OrderPage, OrderPosition, OrderStore, OrderWithConsent, Owned, StoreError, UnsettledCounts,
};
use std::collections::BTreeSet;

/// Selects the orders in a list, with their consents and clients.
macro_rules! with_consents {
    ($engine:ident) => {
        concat!(
            "SELECT ",
            order_columns!("orders."),
            ", clients.id, clients.org_id, ",
            joined_consent_columns!($engine),
            " FROM orders JOIN consents ON consents.id = orders.consent_id \
             LEFT JOIN clients ON clients.id = orders.client_id WHERE orders.id ",
            in_list!($engine 1),
            " AND orders.erased_at IS NULL"
        )
    };
}

statements! { "orders" =>
    INSERT = both(concat!("INSERT INTO orders (", order_columns!(""),
        ", used_up, unsettled, due_at, heard) VALUES \
        ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, 0)"));
    WITH_CONSENTS = SqlText { sqlite: with_consents!(sqlite), postgres: with_consents!(postgres) };
    BY_ID = both(concat!("SELECT ", order_columns!(""), " FROM orders WHERE id = $1 AND erased_at IS NULL"));
    BY_ID_LOCKED = locking!("SELECT ", order_columns!(""), " FROM orders WHERE id = $1 AND erased_at IS NULL");
    SEVERAL_LOCKED = SqlText {
        sqlite: concat!("SELECT ", order_columns!(""), " FROM orders WHERE id ", in_list!(sqlite 1),
            " AND erased_at IS NULL ORDER BY id"),
        postgres: concat!("SELECT ", order_columns!(""), " FROM orders WHERE id ", in_list!(postgres 1),
            " AND erased_at IS NULL ORDER BY id FOR UPDATE"),
    };
    UPDATE = must_change_one!(
        "UPDATE orders SET steps = $1, approval = $2, approvals = $3, approve_by = $4, conditions = $5, reason = $6, \
         progress = $7, unsettled = $8, due_at = $9 WHERE id = $10");
    CORE_STATE = must_change_one!("UPDATE orders SET core_state = $1 WHERE id = $2");
    APPLIED = both("SELECT heard FROM orders WHERE id = $1");
    HEARD = both("UPDATE orders SET heard = $1 WHERE id = $2 AND heard < $1");
    OF_CONSENT = both("SELECT id FROM orders WHERE used_up = $1");
    // SQLite assumes that `IS NULL` is selective, and would read the orders of all reused consents.
    OF_REUSED_CONSENT = SqlText {
        sqlite: "SELECT id FROM orders INDEXED BY orders_of_reused_consents \
                 WHERE consent_id = $1 AND used_up IS NULL ORDER BY created_at DESC, id DESC LIMIT $2",
        postgres: "SELECT id FROM orders WHERE consent_id = $1 AND used_up IS NULL \
                   ORDER BY created_at DESC, id DESC LIMIT $2",
    };
    OF_PSU = both("SELECT id FROM orders WHERE psu_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2");
    AWAITING = both(concat!("SELECT ", order_columns!(""),
        " FROM orders WHERE debtor_id = $1 AND approval = 'awaiting' ORDER BY created_at, id LIMIT $2"));
    LAPSED = both(concat!(
        "SELECT id FROM orders WHERE approval = 'awaiting' AND approve_by <= $1 AND ",
        not_quarantined!("quarantined_work", "lapsed-order", "orders.id"),
        " ORDER BY approve_by, id LIMIT $2"));
}

impl OrderStore for Rows<'_, '_> {
    fn order_insert(&mut self, order: &Order) -> Result<(), StoreError> {
        self.execute_later(&INSERT, &insert_parameters(order))
    }

    fn order(&mut self, owner: &ClientId, id: &OrderId) -> Result<Owned<Order>, StoreError> {
        Ok(match self.order_by_id(&BY_ID, id)? {
            Some(order) if order.client == *owner => Owned::Mine(order),
            Some(_) => Owned::Foreign,
            None => Owned::Absent,
        })
    }

    fn order_for_update(&mut self, id: &OrderId) -> Result<Option<Order>, StoreError> {
        let statement = self.may_lock(&BY_ID, &BY_ID_LOCKED);
        self.order_by_id(statement, id)
    }

    fn orders_for_update(&mut self, ids: &[OrderId]) -> Result<Vec<Order>, StoreError> {
        self.all_changed(&SEVERAL_LOCKED, &[list_ids(ids.iter().map(OrderId::as_str))], read)
    }

    fn orders_with_consents(&mut self, ids: &[OrderId]) -> Result<Vec<OrderWithConsent>, StoreError> {
        let found = self.all(&WITH_CONSENTS, &[list_ids(ids.iter().map(OrderId::as_str))], |row| {
            let order = read(row)?;
            row.enter_table("clients");
            let client = row.id_or_null()?.zip(row.id_or_null()?);
            row.enter_table("consents");
            let client = client.map(|(id, organisation)| CallingClient { id, organisation });
            Ok(consents::read_joined(row)?.map(|consent| OrderWithConsent { order, consent, client }))
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    fn order_update(&mut self, order: &Order) -> Result<(), StoreError> {
        let approvals = order.approvals.as_ref();
        let unsettled = order.unsettled();
        let parameters = [
            document::write(&order.status_history).into(),
            optional(approvals.map(|it| it.status.code())),
            optional(approvals.map(ApprovalsRecord::write)),
            optional(approvals.and_then(|it| it.expires_at)),
            document::write(&order.conditions).into(),
            optional(order.reason.map(|reason| reason.code())),
            optional(order.progress.as_ref().map(document::write)),
            optional(unsettled.map(|it| it.stage.code())),
            optional(unsettled.map(|it| it.due_at)),
            (&order.id).into(),
        ];
        self.execute_later_on(&UPDATE, &parameters, order.id.as_str())
    }

    fn order_set_core_state(&mut self, id: &OrderId, state: &CoreState) -> Result<(), StoreError> {
        self.execute_later_on(&CORE_STATE, &[state.as_str().into(), id.into()], id.as_str())
    }

    fn order_updates_applied(&mut self, id: &OrderId) -> Result<Option<u32>, StoreError> {
        self.one(&APPLIED, &[id.into()], |row| row.number())
    }

    fn order_update_mark_applied(&mut self, id: &OrderId, number: u32) -> Result<bool, StoreError> {
        Ok(self.execute(&HEARD, &[i64::from(number).into(), id.into()])? > 0)
    }

    fn order_updates_restart(&mut self, id: &OrderId, number: u32) -> Result<(), StoreError> {
        order_lists::restart_updates(self, id, number)
    }

    fn orders_created(&mut self, after: &OrderPosition, limit: u32) -> Result<OrderPage, StoreError> {
        order_lists::created(self, after, limit)
    }

    fn orders_created_count(&mut self, from: Timestamp) -> Result<u64, StoreError> {
        order_lists::created_count(self, from)
    }

    fn orders_unsettled(
        &mut self,
        after: &OrderPosition,
        until: Timestamp,
        limit: u32,
    ) -> Result<OrderPage, StoreError> {
        order_lists::unsettled(self, after, until, limit)
    }

    fn orders_unsettled_counts(&mut self, times: &[Timestamp]) -> Result<Vec<UnsettledCounts>, StoreError> {
        order_lists::unsettled_counts(self, times)
    }

    fn orders_existing(&mut self, ids: &[OrderId]) -> Result<Vec<OrderId>, StoreError> {
        order_lists::existing(self, ids)
    }

    fn order_of_consent(&mut self, consent: &ConsentId) -> Result<Option<OrderId>, StoreError> {
        self.one(&OF_CONSENT, &[consent.into()], |row| row.id())
    }

    fn orders_of_reused_consent(&mut self, consent: &ConsentId, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.all(&OF_REUSED_CONSENT, &[consent.into(), i64::from(limit).into()], |row| row.id())
    }

    fn orders_of_psu(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.all(&OF_PSU, &[psu.into(), i64::from(limit).into()], |row| row.id())
    }

    fn orders_awaiting(&mut self, debtors: &[BankAccountId], limit: u32) -> Result<Vec<Order>, StoreError> {
        let debtors: BTreeSet<_> = debtors.iter().collect();
        let ranges: Vec<_> = debtors.into_iter().map(|debtor| vec![debtor.into(), i64::from(limit).into()]).collect();
        let mut found: Vec<_> =
            leave_out(self.all_of_many(&AWAITING, &ranges, |row| Ok(read(row)))?.into_iter().flatten().collect());
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(found)
    }

    fn orders_lapsed(&mut self, now: Timestamp, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.all(&LAPSED, &[now.into(), i64::from(limit).into()], |row| row.id())
    }

    fn execution_put(&mut self, execution: &PaymentExecution) -> Result<(), StoreError> {
        order_payments::put(self, std::slice::from_ref(execution))
    }

    fn executions_put(&mut self, executions: &[PaymentExecution]) -> Result<(), StoreError> {
        order_payments::put(self, executions)
    }

    fn executions_insert(&mut self, executions: &[PaymentExecution]) -> Result<Vec<bool>, StoreError> {
        order_payments::insert(self, executions)
    }

    fn execution(&mut self, order: &OrderId, number: u32) -> Result<Option<PaymentExecution>, StoreError> {
        order_payments::one(self, order, number)
    }

    fn executions_numbered(&mut self, order: &OrderId, numbers: &[u32]) -> Result<Vec<PaymentExecution>, StoreError> {
        order_payments::numbered(self, order, numbers)
    }

    fn executions(&mut self, order: &OrderId, after: u32, limit: u32) -> Result<Vec<PaymentExecution>, StoreError> {
        order_payments::after(self, order, after, limit)
    }

    fn payment_consents_undecided(&mut self, made_before: Timestamp, limit: u32) -> Result<Vec<ConsentId>, StoreError> {
        consents::undecided_payments(self, made_before, limit)
    }
}

impl Rows<'_, '_> {
    fn order_by_id(&mut self, statement: &SqlStatement, id: &OrderId) -> Result<Option<Order>, StoreError> {
        self.one(statement, &[id.into()], read)
    }
}
