#![doc = include_str!("../README.md")]

mod fault_operations;
pub mod routers;
#[cfg(test)]
mod test_app;
#[cfg(test)]
mod tests;

pub use fault_operations::sandbox_faults;
