//! What a customer has agreed to.

use super::RECORDS_MAX;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{ClientId, ConsentId, PsuId};
use lombard_domain::payment::order::Order;
use lombard_ports::store::{ServerTransaction, Store, StoreError};
use std::collections::BTreeMap;

/// The consents and orders of a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerRecord {
    /// The customer.
    pub psu: PsuId,
    /// The consents that the customer authorised, newest first; at most [`RECORDS_MAX`]. Rows that cannot be read are omitted.
    pub consents: Vec<Consent>,
    /// The orders under them, newest first; at most [`RECORDS_MAX`]. Rows that cannot be read are omitted.
    pub orders: Vec<Order>,
    /// The clients of the consents and orders, unless they were removed.
    pub clients: BTreeMap<ClientId, Client>,
}

/// Reads what a customer has agreed to; `None` if the customer has authorised nothing.
///
/// # Errors
/// [`StoreError`].
pub async fn read_customer(store: &Store, psu: &PsuId) -> Result<Option<CustomerRecord>, StoreError> {
    let psu = psu.clone();
    store.read(move |tx| customer_in(tx, &psu)).await
}

/// The consents of a customer that give access now (bank clock), newest first; at most [`RECORDS_MAX`].
///
/// # Errors
/// [`StoreError`].
pub async fn list_active_consents(store: &Store, psu: &PsuId, now: Timestamp) -> Result<Vec<ConsentId>, StoreError> {
    let psu = psu.clone();
    let active = store.read(move |tx| tx.connected_consents(&psu, now, RECORDS_MAX)).await?;
    Ok(active.into_iter().map(|connected| connected.consent.id).collect())
}

fn customer_in(tx: &mut dyn ServerTransaction, psu: &PsuId) -> Result<Option<CustomerRecord>, StoreError> {
    let mut consents = Vec::new();
    for id in tx.consents_of_psu(psu, RECORDS_MAX)? {
        consents.extend(readable(tx.consent_any_owner(&id))?);
    }
    let mut orders = Vec::new();
    for id in tx.orders_of_psu(psu, RECORDS_MAX)? {
        orders.extend(readable(tx.order_for_update(&id))?);
    }
    if consents.is_empty() && orders.is_empty() {
        return Ok(None);
    }
    let mut clients = BTreeMap::new();
    let named = consents.iter().map(|it: &Consent| &it.client).chain(orders.iter().map(|it: &Order| &it.client));
    for id in named {
        if !clients.contains_key(id) {
            clients.extend(tx.client(id)?.map(|client| (id.clone(), client)));
        }
    }
    Ok(Some(CustomerRecord { psu: psu.clone(), consents, orders, clients }))
}

/// The row, unless it cannot be read.
fn readable<T>(found: Result<Option<T>, StoreError>) -> Result<Option<T>, StoreError> {
    match found {
        Err(StoreError::Corrupt { .. }) => Ok(None),
        other => other,
    }
}
