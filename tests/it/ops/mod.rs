//! The operator's listener.

mod health;
mod managed_tpps;
mod metrics;
mod tpps;
mod traces;
