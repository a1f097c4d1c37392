//! Accounts.

mod read;
