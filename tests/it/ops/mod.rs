//! The operator's listener.

mod health;
mod tpps;
