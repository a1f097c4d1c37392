//! The forms of records that only the sandbox's file has: customers, accounts with their balances, and routines. The other records are
//! those of the core API.

mod account;
mod routine;
mod words;

pub(super) use account::{CustomerForm, FileAccount};
pub(super) use routine::RoutineRecord;
