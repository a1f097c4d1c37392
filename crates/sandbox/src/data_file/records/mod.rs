//! The form of the bank's records in the file: the standard's response objects, with additional members of the bank.

mod account;
mod arrangement;
mod entry;
mod product;
mod routine;
mod statement;

pub(super) use account::FileAccount;
pub(super) use routine::RoutineRecord;
