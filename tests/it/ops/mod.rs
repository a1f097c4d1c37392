//! The operator's listener.

mod health;
mod managed_tpps;
mod metrics;
mod monitoring;
mod staff;
mod staff_provider;
mod tpp_counts;
mod tpps;
mod traces;
