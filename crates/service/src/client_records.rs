//! A client's own consents, orders and events, as shown to the client's developers. Every lookup names the client; a record of
//! another client counts as absent.

use lombard_domain::consent::Consent;
use lombard_domain::ids::{ClientId, ConsentId, EventId, OrderId};
use lombard_domain::payment::order::{Order, PaymentExecution};
use lombard_ports::store::{
    AcknowledgedEvent, ClientEvent, ClientEventKind, ConsentPosition, Owned, ServerTransaction, Store, StoreError,
};

/// The most records of a list.
pub const PAGE_RECORDS: u32 = 50;

/// The number of the latest acknowledged events of all clients that are searched for those of one client.
pub const ACKNOWLEDGED_EXAMINED: u32 = 2_000;

/// The number of a client's newest events that are searched for those about one resource.
const RELATED_EXAMINED: u32 = 200;

/// A consent and its orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentRecord {
    /// The consent, which may be deleted.
    pub consent: Consent,
    /// The orders of the consent, newest first; at most [`PAGE_RECORDS`].
    pub orders: Vec<OrderId>,
}

/// A page of consents, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentRecords {
    /// The consents whose rows can be read.
    pub consents: Vec<ConsentRecord>,
    /// The position before which the next page begins; `None` if this page is the last.
    pub next: Option<ConsentPosition>,
}

/// An order with its payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRecord {
    /// The order.
    pub order: Order,
    /// The payments of the order whose execution has begun, by number; at most [`PAGE_RECORDS`].
    pub payments: Vec<PaymentExecution>,
}

/// A page of the client's consents before `before`, newest first.
///
/// # Errors
/// [`StoreError`].
pub async fn list_consents(
    store: &Store,
    client: &ClientId,
    before: Option<ConsentPosition>,
) -> Result<ConsentRecords, StoreError> {
    let client = client.clone();
    let list = move |tx: &mut dyn ServerTransaction| {
        let positions = tx.consents_of_client_newest(&client, before.as_ref(), PAGE_RECORDS)?;
        let is_full = positions.len() >= usize::try_from(PAGE_RECORDS).unwrap_or(usize::MAX);
        let next = positions.last().filter(|_| is_full).cloned();
        let mut consents = Vec::with_capacity(positions.len());
        for position in positions {
            match consent_record(tx, &client, &position.id) {
                Ok(found) => consents.extend(found),
                // A row that cannot be read is omitted, as in the lists of customers.
                Err(StoreError::Corrupt { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(ConsentRecords { consents, next })
    };
    store.read(list).await
}

/// A consent of the client.
///
/// # Errors
/// [`StoreError`].
pub async fn find_consent(
    store: &Store,
    client: &ClientId,
    id: &ConsentId,
) -> Result<Option<ConsentRecord>, StoreError> {
    let (client, id) = (client.clone(), id.clone());
    store.read(move |tx| consent_record(tx, &client, &id)).await
}

fn consent_record(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    id: &ConsentId,
) -> Result<Option<ConsentRecord>, StoreError> {
    let Some(consent) = tx.consent_any_owner(id)?.filter(|consent| consent.client == *client) else { return Ok(None) };
    let orders = orders_of_consent_in(tx, &consent, PAGE_RECORDS)?;
    Ok(Some(ConsentRecord { consent, orders }))
}

/// The orders of a consent, newest first; at most `limit`.
pub(crate) fn orders_of_consent_in(
    tx: &mut dyn ServerTransaction,
    consent: &Consent,
    limit: u32,
) -> Result<Vec<OrderId>, StoreError> {
    let Some(payment) = consent.request.payment() else { return Ok(Vec::new()) };
    if payment.terms.product().reuses_consents() {
        tx.orders_of_reused_consent(&consent.id, limit)
    } else {
        Ok(tx.order_of_consent(&consent.id)?.into_iter().collect())
    }
}

/// An order of the client.
///
/// # Errors
/// [`StoreError`].
pub async fn find_order(store: &Store, client: &ClientId, id: &OrderId) -> Result<Option<OrderRecord>, StoreError> {
    let (client, id) = (client.clone(), id.clone());
    let find = move |tx: &mut dyn ServerTransaction| {
        let Owned::Mine(order) = tx.order(&client, &id)? else { return Ok(None) };
        let payments = tx.executions(&id, 0, PAGE_RECORDS)?;
        Ok(Some(OrderRecord { order, payments }))
    };
    store.read(find).await
}

/// The events of one kind of a client, with a lower number than `before`, newest first; at most [`PAGE_RECORDS`].
///
/// # Errors
/// [`StoreError`].
pub async fn list_events(
    store: &Store,
    client: &ClientId,
    kind: ClientEventKind,
    before: Option<i64>,
) -> Result<Vec<ClientEvent>, StoreError> {
    let client = client.clone();
    store.read(move |tx| tx.events_of_client(&client, kind, before, PAGE_RECORDS)).await
}

/// The events that a client acknowledged recently, newest first; at most [`PAGE_RECORDS`]. Only the latest
/// [`ACKNOWLEDGED_EXAMINED`] acknowledged events of all clients are searched.
///
/// # Errors
/// [`StoreError`].
pub async fn list_acknowledged_events(store: &Store, client: &ClientId) -> Result<Vec<AcknowledgedEvent>, StoreError> {
    let client = client.clone();
    store.read(move |tx| tx.events_acknowledged_lately(&client, ACKNOWLEDGED_EXAMINED, PAGE_RECORDS)).await
}

/// The events about a resource with this id that a client has not acknowledged, oldest first. Only the client's newest events are
/// searched.
///
/// # Errors
/// [`StoreError`].
pub async fn list_events_about(store: &Store, client: &ClientId, id: &str) -> Result<Vec<ClientEvent>, StoreError> {
    let (client, id) = (client.clone(), id.to_owned());
    store.read(move |tx| events_about_in(tx, &client, &[&id])).await
}

/// The events about resources with one of these ids, as [`list_events_about`] lists them.
pub(crate) fn events_about_in(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    ids: &[&str],
) -> Result<Vec<ClientEvent>, StoreError> {
    let mut events = tx.events_of_client(client, ClientEventKind::Offered, None, RELATED_EXAMINED)?;
    events.extend(tx.events_of_client(client, ClientEventKind::Parked, None, RELATED_EXAMINED)?);
    events.retain(|found| found.event.claims.about.rsplit('/').next().is_some_and(|id| ids.contains(&id)));
    events.sort_unstable_by_key(|found| found.number);
    Ok(events)
}

/// An event that the client has not acknowledged.
///
/// # Errors
/// [`StoreError`].
pub async fn find_event(store: &Store, client: &ClientId, id: &EventId) -> Result<Option<ClientEvent>, StoreError> {
    let (client, id) = (client.clone(), id.clone());
    store.read(move |tx| tx.event_of_client(&client, &id)).await
}

/// Offers a parked event of the client again, as if it were new. `false` if the event is not parked, or belongs to another
/// client.
///
/// # Errors
/// [`StoreError`].
pub async fn requeue_event(store: &Store, client: &ClientId, id: &EventId) -> Result<bool, StoreError> {
    let (client, id) = (client.clone(), id.clone());
    let requeue = move |tx: &mut dyn ServerTransaction| {
        if tx.event_of_client(&client, &id)?.is_none() {
            return Ok(false);
        }
        tx.event_requeue(&id)
    };
    store.write(requeue).await
}
