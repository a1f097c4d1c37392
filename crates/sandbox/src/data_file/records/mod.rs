//! How the bank's records stand in the file: the shapes of the standard's answers, and what the bank knows beside.

mod account;
mod arrangement;
mod entry;
mod product;
mod routine;
mod statement;

pub(super) use account::FileAccount;
pub(super) use routine::RoutineRecord;
