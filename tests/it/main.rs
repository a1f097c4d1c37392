//! Integration tests of the whole bank from outside: a running server, mutual TLS, and a TPP that may violate the standard.
//!
//! There is one folder per resource and one file per operation. Every test has its own bank; none waits for time to pass.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test's helpers fail as the test does; clippy.toml exempts only functions marked as tests"
)]

mod accounts;
mod apps;
mod attacks;
mod audit;
mod authorise;
mod backchannel;
mod backup;
mod balances;
mod bank;
mod browser;
mod catalogue;
mod connector;
mod consents;
mod core_api;
mod core_port;
mod customers;
mod discovery;
mod events;
mod fapi;
mod faults;
mod funds_confirmations;
mod guides;
mod harness;
mod identity;
mod interop;
mod keys;
mod life;
mod logs;
mod maintenance;
mod ops;
#[path = "../../crates/database/tests/servers/own_server.rs"]
#[allow(dead_code, reason = "the tests of the crate use more of it")]
mod own_server;
mod payments;
mod portal;
mod readme;
mod registration;
mod sandbox;
mod secrets;
mod sizes;
mod tls;
mod token;
mod tour;
mod transactions;
mod versions;
mod vrp;
mod workers;
