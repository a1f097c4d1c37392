//! Payments in v3.1: parsing of requests, rendering of consents and orders. The products share this code.

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
