//! Deliveries that are not stored yet.
//!
//! A delivery whose event is acknowledged first is never stored, so a client that acknowledges promptly costs only its
//! acknowledgements. A crash loses only delivery counts and cached signatures, which affect order and speed but no guarantee
//! (D9).

use super::meters;
use lombard_domain::ids::{ClientId, EventId};
use lombard_ports::store::{EventDelivery, StoredSignature};
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The largest number of unstored deliveries of one client. While storage fails, further deliveries are dropped.
const WAITING_MAX: usize = 10_000;

/// Delivered events that are not stored yet, by client and event. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub(super) struct UnwrittenDeliveries(Arc<Mutex<HashMap<ClientId, Deliveries>>>);

/// The deliveries of one client, sorted by event id, so that two nodes lock the rows in the same order.
pub(super) type Deliveries = BTreeMap<EventId, EventDelivery>;

/// Records the deliveries of a response when it is handed to the connection. Source: EVT-057.
#[derive(Debug)]
pub struct DeliveryReceipt {
    unwritten: UnwrittenDeliveries,
    client: ClientId,
    deliveries: Vec<EventDelivery>,
}

impl DeliveryReceipt {
    pub(super) const fn new(unwritten: UnwrittenDeliveries, client: ClientId, deliveries: Vec<EventDelivery>) -> Self {
        Self { unwritten, client, deliveries }
    }

    /// Records that the response was handed to the connection.
    pub fn mark_delivered(self) {
        if !self.deliveries.is_empty() {
            meters::delivered(self.deliveries.len());
            self.unwritten.put(&self.client, self.deliveries);
        }
    }
}

impl UnwrittenDeliveries {
    /// Adds deliveries, or puts back deliveries that could not be stored.
    pub(super) fn put(&self, client: &ClientId, deliveries: impl IntoIterator<Item = EventDelivery>) {
        let mut all = self.0.lock();
        let known = all.entry(client.clone()).or_default();
        for delivery in deliveries {
            let is_full = known.len() >= WAITING_MAX;
            match known.get_mut(&delivery.id) {
                Some(kept) => {
                    kept.times = kept.times.saturating_add(delivery.times);
                    kept.signed = newer(kept.signed.take(), delivery.signed);
                }
                None if is_full => {}
                None => {
                    known.insert(delivery.id.clone(), delivery);
                }
            }
        }
    }

    /// Removes and returns the unstored deliveries of a client.
    pub(super) fn take(&self, client: &ClientId) -> Deliveries {
        self.0.lock().remove(client).unwrap_or_default()
    }

    /// Removes and returns the unstored deliveries of some clients: about `size` deliveries, always all of a client.
    pub(super) fn take_some(&self, size: usize) -> Vec<(ClientId, Deliveries)> {
        let mut all = self.0.lock();
        let mut some = Vec::new();
        let mut count = 0;
        while count < size
            && let Some(client) = all.keys().next().cloned()
            && let Some(deliveries) = all.remove(&client)
        {
            count += deliveries.len();
            some.push((client, deliveries));
        }
        some
    }
}

/// The newer of two signatures: the one made after more error reports.
fn newer(one: Option<(StoredSignature, i64)>, other: Option<(StoredSignature, i64)>) -> Option<(StoredSignature, i64)> {
    match (one, other) {
        (Some(one), Some(other)) if one.1 >= other.1 => Some(one),
        (one, None) => one,
        (_, other) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_that_cannot_be_written_fill_no_memory() {
        let (unwritten, client) = (UnwrittenDeliveries::default(), ClientId::from("c"));
        let delivery = |number: usize| EventDelivery { id: number.to_string().into(), times: 1, signed: None };
        unwritten.put(&client, (0..WAITING_MAX + 10).map(delivery));
        unwritten.put(&client, [delivery(7)]);
        let kept = unwritten.take(&client);
        assert_eq!((kept.len(), kept[&EventId::from("7")].times), (WAITING_MAX, 2));
    }
}
