//! A consent with everything that is stored about it: its client, its orders and their submission, the decisions and the events.

use super::RECORDS_MAX;
use crate::client_records::{events_about_in, orders_of_consent_in};
use crate::payments::submission_job_id;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, EvidencedDecision};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::job::Job;
use lombard_domain::payment::order::{Order, PaymentExecution};
use lombard_ports::store::{ClientEvent, ServerTransaction, Store, StoreError};

/// A consent with what is stored about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportCase {
    /// The consent, which may be deleted.
    pub consent: Consent,
    /// Its client, unless the client was removed.
    pub client: Option<Client>,
    /// Its orders, newest first, at most [`RECORDS_MAX`]; in the case of one order, that order alone.
    pub orders: Vec<CaseOrder>,
    /// The latest approvals with stored evidence, newest first; at most [`RECORDS_MAX`].
    pub decisions: Vec<EvidencedDecision>,
    /// The events about the consent and these orders that the client has not acknowledged, oldest first. Only the newest events of the
    /// client are searched.
    pub events: Vec<ClientEvent>,
    /// When a token of the consent was last issued or used, with a precision of some minutes (bank clock).
    pub last_used_at: Option<Timestamp>,
}

/// An order of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseOrder {
    /// The order.
    pub order: Order,
    /// Its payments whose execution has begun, by number; at most [`RECORDS_MAX`].
    pub payments: Vec<PaymentExecution>,
    /// The number of the last status update of the core that was applied.
    pub updates_applied: u32,
    /// The unfinished job that submits it to the core.
    pub submission: Option<Job>,
}

/// Reads the case of a consent; `None` if there is no such consent.
///
/// # Errors
/// [`StoreError`].
pub async fn read_case_of_consent(store: &Store, id: &ConsentId) -> Result<Option<SupportCase>, StoreError> {
    let id = id.clone();
    store.read(move |tx| case_in(tx, &id, None)).await
}

/// Reads the case of an order: its consent with this order alone; `None` if there is no such order.
///
/// # Errors
/// [`StoreError`].
pub async fn read_case_of_order(store: &Store, id: &OrderId) -> Result<Option<SupportCase>, StoreError> {
    let (id, _) = id.order_and_line();
    let read = move |tx: &mut dyn ServerTransaction| {
        let Some(order) = tx.order_for_update(&id)? else { return Ok(None) };
        case_in(tx, &order.consent.clone(), Some(order))
    };
    store.read(read).await
}

fn case_in(
    tx: &mut dyn ServerTransaction,
    id: &ConsentId,
    only: Option<Order>,
) -> Result<Option<SupportCase>, StoreError> {
    let Some(consent) = tx.consent_any_owner(id)? else { return Ok(None) };
    let found = match only {
        Some(order) => vec![order],
        None => {
            let ids = orders_of_consent_in(tx, &consent, RECORDS_MAX)?;
            ids.iter().map(|id| tx.order_for_update(id)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect()
        }
    };
    let orders = found.into_iter().map(|order| case_order(tx, order)).collect::<Result<Vec<_>, _>>()?;
    let named: Vec<&str> =
        std::iter::once(id.as_str()).chain(orders.iter().map(|it: &CaseOrder| it.order.id.as_str())).collect();
    let events = events_about_in(tx, &consent.client, &named)?;
    let decisions = tx.decision_evidence(id, RECORDS_MAX)?;
    let client = tx.client(&consent.client)?;
    let last_used_at = match &consent.psu {
        Some(psu) => tx.connected_consent(psu, id)?.and_then(|connected| connected.last_used_at),
        None => None,
    };
    Ok(Some(SupportCase { consent, client, orders, decisions, events, last_used_at }))
}

fn case_order(tx: &mut dyn ServerTransaction, order: Order) -> Result<CaseOrder, StoreError> {
    let payments = tx.executions(&order.id, 0, RECORDS_MAX)?;
    let updates_applied = tx.order_updates_applied(&order.id)?.unwrap_or_default();
    let submission = tx.job(&submission_job_id(&order.id))?;
    Ok(CaseOrder { order, payments, updates_applied, submission })
}
