//! Payments in v3.1: requests read, consents and orders shown. What the products share is written once.

pub(crate) mod describe;
mod ending;
pub mod file;
pub(crate) mod frequency;
pub(crate) mod initiation;
pub mod international;
pub mod names;
mod number;
pub(crate) mod parts;
pub(crate) mod request;
pub(crate) mod risk;
mod show;
#[cfg(test)]
mod tests;
pub(crate) mod values;
