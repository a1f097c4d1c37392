//! The wiring: configuration, telemetry, life cycle, commands. The only crate that knows all the others.

pub mod config;
pub mod tour;
