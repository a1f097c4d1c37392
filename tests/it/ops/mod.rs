//! The operator's listener.

mod health;
mod managed_tpps;
mod metrics;
mod monitoring;
mod staff;
mod staff_provider;
mod support;
mod tpp_counts;
mod tpps;
mod traces;
