//! Orders as rows.

use super::records::ApprovalsRecord;
use lombard_database::document;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::core_state::CoreState;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{ApprovalStatus, Approvals, Order, RejectionReason};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::StoreError;
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

/// The columns of a new order: those that [`read`] reads, the consent that the order consumes, and how it waits for the bank.
pub(crate) fn insert_parameters(order: &Order) -> [SqlValue<'_>; 23] {
    let approvals = order.approvals.as_ref();
    let unsettled = order.unsettled();
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
        optional(unsettled.map(|it| it.stage.code())),
        optional(unsettled.map(|it| it.due_at)),
    ]
}

/// Reads an order. Columns are read in the order of the struct fields below. The submitted document is in the order's own
/// version.
pub(crate) fn read(row: &mut SqlRow<'_>) -> Result<Order, StoreError> {
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
