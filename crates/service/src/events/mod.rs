//! Events: raised in the transaction of a change, and offered to the client until it acknowledges them. Source: EVT-*, SET-*.
//!
//! A use-case raises an event through the [`Outbox`] of its context, inside the transaction of the change; storage wakes held
//! polls after the commit. [`EventPolling`] answers polls.

mod account_changes;
mod deliveries;
mod maintenance;
mod meters;
mod parked;
mod poll_transaction;
mod polling;
mod settings;
mod waiters;

#[cfg(test)]
mod tests;

pub use crate::context::Outbox;
pub(crate) use account_changes::JOB_KIND as ACCOUNT_CHANGE_JOB_KIND;
pub use account_changes::apply_account_changes;
pub use deliveries::DeliveryReceipt;
pub use parked::{list_parked_events, list_reported_events, requeue_event};
pub use polling::{EventPolling, PollResponse, PolledEvents, PollingClient};
pub use settings::{PollingSettings, RetentionLimits};
pub use waiters::WaiterRegistry;
