//! Finds orders that only the bank knows.

use super::difference::{Difference, DifferenceKind, describe_standing};
use super::*;
use lombard_ports::bank::OrdersReceived;
use std::collections::{BTreeMap, HashSet};

impl Reconciler {
    /// Compares a part of the bank's list of orders with the server's. The server stores an order before it submits it, so an order that
    /// the bank has listed and the server does not find afterwards is known to the bank alone.
    ///
    /// # Errors
    /// The bank's failure or storage's.
    pub(super) async fn compare_held(&self, after: OrderPosition) -> Result<ReconciledBatch, Failure> {
        let last = Some(after.id).filter(|id| !id.as_str().is_empty());
        let asked = OrdersReceived { from: after.at, after: last, limit: ORDERS_TOGETHER };
        let call = CallContext::default();
        let held = call_bank_within_limit(self.bank.list_orders(&call, &asked)).await?;
        let next = asked.following(&held).and_then(|part| {
            let after = OrderPosition { at: part.from, id: part.after? };
            Some(ReconciliationPosition { part: ReconciliationPart::Held, after })
        });
        let compared = u64::try_from(held.len()).unwrap_or(u64::MAX);
        // The payments of a file belong to the file's order.
        let mut orders: BTreeMap<OrderId, (u32, OrderStanding)> = BTreeMap::new();
        for standing in held {
            let (order, _) = standing.id.order_and_line();
            let (payments, _) = orders.entry(order).or_insert((0, standing));
            *payments = payments.saturating_add(1);
        }
        let ids: Vec<_> = orders.keys().cloned().collect();
        let known: HashSet<_> = self.store.read(move |tx| tx.orders_existing(&ids)).await?.into_iter().collect();
        let unknown = orders.into_iter().filter(|(id, _)| !known.contains(id));
        let differences = unknown.map(|(order, (payments, standing))| Difference {
            at_bank: describe_held(payments, &standing),
            order,
            kind: DifferenceKind::OnlyAtBank,
            here: String::new(),
        });
        Ok(ReconciledBatch { compared, differences: differences.collect(), next, total: 0 })
    }
}

fn describe_held(payments: u32, standing: &OrderStanding) -> String {
    let OrderStanding { debtor, amount, received_at, .. } = standing;
    if standing.id.order_and_line().1.is_some() {
        return format!("{payments} payments of a file from account {debtor}, received {received_at}");
    }
    let (value, currency) = (amount.decimal(), amount.currency());
    format!("{value} {currency} from account {debtor}, received {received_at}: {}", describe_standing(standing))
}
