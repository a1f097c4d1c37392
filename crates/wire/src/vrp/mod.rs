//! Variable recurring payments: consents, payments under them, and confirmation of funds. Consents and payments are rendered by
//! the code that all products share ([`payments`](super::payments)).

mod controls;
mod funds;
pub mod names;
pub(crate) mod request;
#[cfg(test)]
mod tests;
