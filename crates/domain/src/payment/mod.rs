//! Payments: the orders of all products, and what only some of them have: a foreign currency, a file, the limits of a VRP consent.

pub mod exchange;
pub mod file;
pub mod order;
pub mod vrp;
