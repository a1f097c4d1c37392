//! Transactions.

mod filter;
mod page;
mod read;
