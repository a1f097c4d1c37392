//! Payments: payment consents, the orders made under them, and the execution of those orders at the bank. All products share
//! this code.
//!
//! A TPP's request is one transaction: the idempotency key, the resource and the job that submits the order commit together.
//! The order is submitted to the bank afterwards, with retries, and the bank reports its progress by status updates
//! ([`submission`], [`execution`]).

pub mod approvals;
pub mod consents;
mod debit_faults;
pub mod execution;
pub mod expiry;
pub mod files;
mod idempotency;
mod order_call;
mod order_id;
mod order_view;
pub mod orders;
pub mod payees;
mod pending_order;
mod read_caller;
pub mod reconciliation;
mod rejected_update;
pub mod submission;
mod submission_job;
#[cfg(test)]
mod tests;
pub mod vrp;
pub mod vrp_migration;

pub use crate::context::{FileQuota, PaymentSettings};
pub use idempotency::IdempotentRequest;
pub use read_caller::ReadCaller;
pub(crate) use submission_job::{SUBMISSION_JOB_KIND, submission_job_id};
