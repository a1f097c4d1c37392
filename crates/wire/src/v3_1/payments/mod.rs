//! Payments in v3.1: requests read, consents and orders shown. What the products share is written once.

pub(crate) mod frequency;
mod initiation;
pub mod names;
mod parts;
mod request;
mod risk;
mod show;
#[cfg(test)]
mod tests;
mod values;
