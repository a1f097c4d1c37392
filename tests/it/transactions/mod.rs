//! Transactions.

mod filter;
mod kept;
mod page;
mod read;
