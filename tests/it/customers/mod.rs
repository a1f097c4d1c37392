//! The records of one customer: hold, export and erasure, by operators.

mod erasure;
mod scan;
