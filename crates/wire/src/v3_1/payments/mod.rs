//! Payments in v3.1: requests read, consents and orders shown. What the products share is written once.

pub(crate) mod describe;
pub mod file;
pub(crate) mod initiation;
pub mod international;
pub mod names;
mod number;
pub(crate) mod parts;
pub(crate) mod request;
mod response;
pub(crate) mod risk;
mod schedule_end;
#[cfg(test)]
mod tests;
pub(crate) mod values;
