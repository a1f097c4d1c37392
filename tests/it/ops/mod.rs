//! The operator's listener.

mod health;
mod metrics;
mod tpps;
