//! The status updates of an order as its stored execution keeps them, after the server has acknowledged them too. By them the bank
//! says how an order stands.

use crate::status_update_record::StatusUpdateRecord;
use jiff::Timestamp;
use lombard_domain::ids::OrderId;
use lombard_domain::stored;
use lombard_ports::bank::{OrderUpdate, StatusUpdate};
use serde::{Deserialize, Serialize};

/// The number of updates that are kept of an order. A single payment has fewer than ten; of a standing order, the updates of its
/// oldest payments are forgotten.
const KEPT_MAX: usize = 256;

/// The updates of an order, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct ReportedUpdates(Vec<ReportedUpdate>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ReportedUpdate {
    number: u32,
    #[serde(with = "stored")]
    at: Timestamp,
    what: StatusUpdateRecord,
}

impl ReportedUpdates {
    /// Whether nothing was reported, or the order was finished before the bank kept its updates.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps an update, which has the highest number. Of too many, the oldest update of a payment is forgotten.
    pub(super) fn keep(&mut self, number: u32, at: Timestamp, what: &OrderUpdate) {
        if self.0.len() >= KEPT_MAX {
            let is_of_payment = |it: &ReportedUpdate| {
                matches!(it.what, StatusUpdateRecord::Payment(_) | StatusUpdateRecord::TimesChanged { .. })
            };
            let oldest = self.0.iter().position(is_of_payment).unwrap_or(0);
            self.0.remove(oldest);
        }
        self.0.push(ReportedUpdate { number, at, what: StatusUpdateRecord::of(what) });
    }

    /// The updates as they were reported.
    pub(super) fn into_updates(self, order: &OrderId) -> Vec<StatusUpdate> {
        let update = |ReportedUpdate { number, at, what }| StatusUpdate {
            order: order.clone(),
            number,
            at,
            change: what.into_update(),
        };
        self.0.into_iter().map(update).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::payment::order::RejectionReason;

    #[test]
    fn of_too_many_updates_the_oldest_of_payments_are_forgotten() {
        let mut kept = ReportedUpdates::default();
        let times = OrderUpdate::TimesChanged { execution_at: None, settlement_at: None };
        kept.keep(1, Timestamp::UNIX_EPOCH, &OrderUpdate::Warehoused);
        for number in 2..=400 {
            kept.keep(number, Timestamp::UNIX_EPOCH, &times);
        }
        kept.keep(401, Timestamp::UNIX_EPOCH, &OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer));
        let updates = kept.into_updates(&"o".into());
        let numbers: Vec<_> = updates.iter().map(|update| update.number).collect();
        assert_eq!(numbers.len(), KEPT_MAX);
        assert_eq!((numbers[0], numbers[1], numbers[255]), (1, 147, 401));
        assert_eq!(updates[0].change, OrderUpdate::Warehoused);
    }

    #[test]
    fn the_updates_of_an_order_are_read_as_they_were_stored() {
        let document =
            r#"[{"number":1,"at":5,"what":"kept"},{"number":2,"at":6,"what":{"expected":{"execution_at":1}}}]"#;
        let kept: ReportedUpdates = serde_json::from_str(document).unwrap();
        assert_eq!(serde_json::to_string(&kept).unwrap(), document);
    }
}
