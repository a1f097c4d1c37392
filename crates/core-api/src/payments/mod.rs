//! The form of payments: requests, conditions, orders and status updates.

mod codes;
mod conditions;
mod exchange;
mod file;
mod order;
mod party;
mod payee;
mod references;
mod request;
mod schedule;
mod transfer;
mod updates;
mod vrp;

pub(crate) use party::AccountWithName;
