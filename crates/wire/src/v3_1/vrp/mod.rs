//! Variable recurring payments in v3.1: control parameters read.

mod controls;
pub mod names;
#[cfg(test)]
mod tests;
