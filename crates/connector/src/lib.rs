#![doc = include_str!("../README.md")]
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
