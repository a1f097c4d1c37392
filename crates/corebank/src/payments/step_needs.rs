//! Collects the rows that the next steps of orders will need.

use super::execution::{ExecutionState, OrderExecution, PaymentInProgress, PaymentStep};
use super::funds::PaymentFunds;
use crate::batch::StepNeeds;
use crate::storage::OrderAtBank;
use jiff::Timestamp;

/// The rows that the steps of these orders due by the given time will need. A step reads any row that is missing here.
pub(crate) fn step_needs(orders: &[OrderAtBank], by: Timestamp) -> StepNeeds {
    let mut needs = StepNeeds::default();
    for order in orders {
        // The step of an order that cannot be read reports the failure.
        if let Ok(execution) = OrderExecution::read(order) {
            add_needs(&mut needs, order, &execution, by);
        }
    }
    needs
}

fn add_needs(needs: &mut StepNeeds, order: &OrderAtBank, execution: &OrderExecution, by: Timestamp) {
    needs.records.insert(order.debtor.clone());
    let begins = execution.begins_at().is_some_and(|at| at <= by);
    if begins && matches!(execution.state, ExecutionState::Received | ExecutionState::Open) {
        needs.moved.insert(order.debtor.clone());
    }
    let funds = PaymentFunds { order: &order.id, debtor: &order.debtor, execution };
    let is_due = |it: &&PaymentInProgress| it.due_at.is_some_and(|at| at.0 <= by);
    for payment in execution.in_progress.iter().filter(is_due) {
        match payment.step {
            PaymentStep::Reserved => {
                needs.moved.insert(order.debtor.clone());
                needs.numbers.push((execution.payee.account(), false));
                let entries = funds.sums(payment).map(|sums| funds.payer_entries(payment, &sums));
                needs.reserved.extend(entries.into_iter().flatten().map(|entry| entry.id));
            }
            PaymentStep::Debited => needs.numbers.push((execution.payee.account(), true)),
            PaymentStep::Unposted => {
                needs.moved.insert(order.debtor.clone());
            }
        }
    }
}
