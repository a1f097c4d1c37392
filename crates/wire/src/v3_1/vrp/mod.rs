//! Variable recurring payments in v3.1: consents, payments under them, and confirmation of funds. Consents and payments
//! are rendered by the code of all products ([`payments`](super::payments)).

mod controls;
mod funds;
pub mod names;
mod parts;
mod request;
#[cfg(test)]
mod tests;
