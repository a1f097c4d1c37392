//! The form of payments: what is asked for, what it costs, what is ordered, and how it went.

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
