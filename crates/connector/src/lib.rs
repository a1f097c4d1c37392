//! The bank port over the core API: the client of a bank's core in another process.
//!
//! Every call has a deadline, may be repeated where the table of methods says that it is safe, and passes a circuit breaker, so that a
//! core that is down or slow costs a caller little. This crate keeps nothing but connections; which updates the server cannot apply
//! is kept by [`HeldUpdates`].
#![warn(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

mod bank;
mod breaker;
mod caller;
pub mod check;
mod client;
mod held_updates;
mod meters;
mod recorder;
mod settings;
#[cfg(test)]
mod tests;
mod transport;

pub use bank::HttpBank;
pub use breaker::BreakerSettings;
#[cfg(any(test, feature = "testing"))]
pub use held_updates::HeldInMemory;
pub use held_updates::{HeldUpdates, UpdatesHeldInStore};
pub use recorder::{ExchangeRecorder, RecordedExchange};
pub use settings::{ConnectorError, ConnectorSettings, CoreIdentity};
pub use transport::CoreTransport;
