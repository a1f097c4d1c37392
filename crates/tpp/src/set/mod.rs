//! Checks every part of a security event token and explains its meaning. Source: SET-001 to SET-041.

mod claims;
mod events;
mod expected;
mod header;
mod part;
mod report;
#[cfg(test)]
mod tests;
mod values;

pub use expected::ExpectedSet;
pub use part::SetPart;
pub use report::SetReport;
