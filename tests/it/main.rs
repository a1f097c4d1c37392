//! The whole bank, tested from outside: a real server, real mutual TLS, a TPP that may misbehave.
//!
//! One folder per resource, one file per verb. Every test has a bank of its own; none waits for time to pass.

mod accounts;
mod authorise;
mod balances;
mod catalogue;
mod consents;
mod discovery;
mod harness;
mod keys;
mod life;
mod ops;
mod readme;
mod token;
mod tour;
mod transactions;
