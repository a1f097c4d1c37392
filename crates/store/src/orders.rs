//! Payment orders.

use super::records::ApprovalsRecord;
use super::{consents, order_payments};
use crate::consents::joined_consent_columns;
use crate::in_list::{in_list, list_ids};
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::document;
use lombard_database::not_quarantined;
use lombard_database::readable::leave_out;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_database::{locking, must_change_one, statements};
use lombard_domain::code::StoredCode;
use lombard_domain::core_state::CoreState;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, OrderId, PsuId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{ApprovalStatus, Approvals, Order, PaymentExecution, RejectionReason};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::bank::CallingClient;
use lombard_ports::store::{OrderStore, OrderWithConsent, Owned, StoreError};
use std::collections::BTreeSet;
use std::net::IpAddr;

/// The columns that [`read`] reads, each with this prefix: empty, or the name of the table and a dot if other tables are joined.
macro_rules! order_columns {
    ($of:literal) => {
        lombard_database::listed_columns!(
            $of,
            id,
            client_id,
            consent_id,
            product,
            version,
            instruction,
            debtor_id,
            psu_id,
            created_at,
            steps,
            approval,
            approvals,
            approve_by,
            conditions,
            reason,
            customer_address,
            submitted,
            progress,
            cause,
            core_state
        )
    };
}

pub(crate) use order_columns;

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
            in_list!($engine 1)
        )
    };
}

statements! { "orders" =>
    INSERT = both(concat!("INSERT INTO orders (", order_columns!(""),
        ", used_up, heard) VALUES \
        ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, 0)"));
    WITH_CONSENTS = SqlText { sqlite: with_consents!(sqlite), postgres: with_consents!(postgres) };
    BY_ID = both(concat!("SELECT ", order_columns!(""), " FROM orders WHERE id = $1"));
    BY_ID_LOCKED = locking!("SELECT ", order_columns!(""), " FROM orders WHERE id = $1");
    SEVERAL_LOCKED = SqlText {
        sqlite: concat!("SELECT ", order_columns!(""), " FROM orders WHERE id ", in_list!(sqlite 1), " ORDER BY id"),
        postgres: concat!("SELECT ", order_columns!(""), " FROM orders WHERE id ", in_list!(postgres 1),
            " ORDER BY id FOR UPDATE"),
    };
    UPDATE = must_change_one!(
        "UPDATE orders SET steps = $1, approval = $2, approvals = $3, approve_by = $4, conditions = $5, reason = $6, \
         progress = $7 WHERE id = $8");
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
        let parameters = [
            document::write(&order.status_history).into(),
            optional(approvals.map(|it| it.status.code())),
            optional(approvals.map(ApprovalsRecord::write)),
            optional(approvals.and_then(|it| it.expires_at)),
            document::write(&order.conditions).into(),
            optional(order.reason.map(|reason| reason.code())),
            optional(order.progress.as_ref().map(document::write)),
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

/// The columns of a new order: those that [`read`] reads, and the consent that the order consumes.
pub(crate) fn insert_parameters(order: &Order) -> [SqlValue<'_>; 21] {
    let approvals = order.approvals.as_ref();
    [
        (&order.id).into(),
        (&order.client).into(),
        (&order.consent).into(),
        order.product.code().into(),
        order.version.code().into(),
        document::write(&order.instruction).into(),
        (&order.debtor).into(),
        (&order.psu).into(),
        order.created_at.into(),
        document::write(&order.status_history).into(),
        optional(approvals.map(|it| it.status.code())),
        optional(approvals.map(ApprovalsRecord::write)),
        optional(approvals.and_then(|it| it.expires_at)),
        document::write(&order.conditions).into(),
        optional(order.reason.map(|reason| reason.code())),
        optional(order.customer_address.map(|address| address.to_string())),
        optional(order.submitted.as_ref().map(|submitted| &submitted.json)),
        optional(order.progress.as_ref().map(document::write)),
        optional(order.interaction_id.as_ref()),
        optional(order.core_state.as_ref().map(CoreState::as_str)),
        optional((!order.product.reuses_consents()).then_some(&order.consent)),
    ]
}

/// Reads an order. Columns are read in the order of the struct fields below. The submitted document is in the order's own
/// version.
fn read(row: &mut SqlRow<'_>) -> Result<Order, StoreError> {
    let (id, client, consent) = (row.id()?, row.id()?, row.id()?);
    let (product, version) = (row.parsed(PaymentProduct::decode)?, row.parsed(Version::decode)?);
    Ok(Order {
        id,
        client,
        consent,
        product,
        version,
        instruction: row.parsed(document::read)?,
        debtor: row.id()?,
        psu: row.id()?,
        created_at: row.instant()?,
        status_history: row.parsed(document::read)?,
        approvals: approvals(row)?,
        conditions: row.parsed(document::read)?,
        reason: row.parsed_or_null(RejectionReason::decode)?,
        customer_address: row.parsed_or_null(str::parse::<IpAddr>)?,
        submitted: row.id_or_null()?.map(|json| Submitted { version, json }),
        progress: row.parsed_or_null(document::read)?,
        interaction_id: row.id_or_null()?,
        core_state: row.parsed_or_null(CoreState::new)?,
    })
}

fn approvals(row: &mut SqlRow<'_>) -> Result<Option<Approvals>, StoreError> {
    let status = row.parsed_or_null(ApprovalStatus::decode)?;
    let (detail, expires_at) = (row.text_or_null()?, row.instant_or_null()?);
    let whole = status.zip(detail).map(|(status, detail)| ApprovalsRecord::read(detail, status, expires_at));
    whole.transpose().map_err(|source| row.corrupt(source))
}
