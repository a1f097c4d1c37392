//! Events at the bank that this program does not cause: outcomes of orders, and closing and reopening of accounts.

use super::{ActionResult, RunningAction};
use crate::world::Node;
use lombard_corebank::payments::{OutcomeError, force_outcome};
use lombard_domain::account::AccountStatus;
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::payment::order::RejectionReason;
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_ports::controls::OrderOutcome;
use lombard_service::Failure;

/// The outcomes that can be forced on an order.
pub(crate) const OUTCOMES: [OrderOutcome; 5] = [
    OrderOutcome::Settled,
    OrderOutcome::Credited,
    OrderOutcome::WithoutPosting,
    OrderOutcome::Rejected(RejectionReason::RefusedByScheme),
    OrderOutcome::Cancelled,
];

/// Forces an outcome of an order at the bank.
pub(crate) fn force_order_outcome(node: &Node, order: OrderId, what: OrderOutcome) -> RunningAction {
    let accounts = node.accounts.clone();
    let clocks = node.context.clocks.clone();
    let market = node.market.clone();
    Box::pin(async move {
        let brought = accounts.write(move |tx| match force_outcome(tx, &order, what, &clocks, &market) {
            Ok(()) => Ok(()),
            Err(OutcomeError::Unknown | OutcomeError::Impossible(_)) => {
                Err(Failure::from(Refusal::from_kind(RefusalKind::ConsentState)))
            }
            Err(OutcomeError::Storage(error)) => Err(error.into()),
        });
        ActionResult::Ended(brought.await)
    })
}

/// Closes an open account, or reopens a closed one.
pub(crate) fn toggle_account(node: &Node, account: &'static str) -> RunningAction {
    let store = node.accounts.clone();
    Box::pin(async move {
        let turned = store.write(move |tx| {
            let Some(mut record) = tx.bank_accounts(&[BankAccountId::from(account)])?.pop() else { return Ok(()) };
            let is_open = record.account.status == AccountStatus::Enabled;
            record.account.status = if is_open { AccountStatus::Disabled } else { AccountStatus::Enabled };
            Ok::<_, Failure>(tx.bank_account_update(&record)?)
        });
        ActionResult::Ended(turned.await)
    })
}
