//! The form of a bank's records: the standard's response objects, with additional members of the bank.

mod account;
mod arrangement;
mod entry;
mod product;
mod statement;
