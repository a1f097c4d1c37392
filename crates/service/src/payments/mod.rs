//! Payments: consents to pay, the orders made of them, and what becomes of those at the bank. One engine for every product.
//!
//! A TPP's request is one transaction: the idempotency key, the resource and the promise of work (a job) commit together.
//! The bank is told afterwards, as often as it takes, and tells by its news what happened ([`execution`]).

pub mod approvals;
pub mod consents;
pub mod execution;
pub mod expiry;
pub mod files;
mod idempotency;
pub mod orders;
mod read_caller;
mod rejected_update;
mod settings;
#[cfg(test)]
mod tests;
pub mod vrp;

pub use idempotency::IdempotentRequest;
pub use read_caller::ReadCaller;
pub use settings::{FileQuota, PaymentSettings};
