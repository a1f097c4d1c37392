//! Variable recurring payments in v3.1: consents, payments under them and questions about funds. Consents and payments
//! are shown by what shows all others ([`payments`](super::payments)).

mod controls;
mod funds;
pub mod names;
mod parts;
mod request;
#[cfg(test)]
mod tests;
