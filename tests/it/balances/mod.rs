//! Balances.

mod read;
