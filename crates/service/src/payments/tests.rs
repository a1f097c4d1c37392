//! Payments: tests.
