//! Variable recurring payments: consents, payments under them, and confirmation of funds. Consents and payments
//! are rendered by the code of all products ([`payments`](super::payments)).

mod controls;
mod funds;
mod migration;
pub mod names;
pub(crate) mod parts;
mod request;
#[cfg(test)]
mod tests;

pub use migration::{read_migrated_vrp_consent, read_patched_vrp_consent, upgrade_vrp_consent};
