//! The wiring: configuration, telemetry, server life cycle and commands. It is the only crate that depends on all the others.

pub mod cli;
pub mod config;
pub mod entropy;
pub mod ops_client;
pub mod reference;
pub mod server;
pub mod telemetry;
pub mod tour;

mod output;
