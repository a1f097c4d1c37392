//! The bank's signing keys.

mod rotate;
