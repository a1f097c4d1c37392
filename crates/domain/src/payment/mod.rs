//! Payments: the orders of all products, and what only some of them have: a foreign currency, a file, the limits of a VRP consent.
//!
//! The products have two axes, destination and timing; VRP consents are reusable as well. [`PaymentProduct`] is a table of facts.

mod charge;
pub mod exchange;
pub mod file;
pub mod offer;
pub mod order;
mod product;
mod risk;
pub mod transfer;
pub mod vrp;

pub use charge::{Charge, ChargeBearer, ChargeType};
pub use product::{OrderFamily, PaymentProduct, PaymentTerritory};
pub use risk::PaymentContext;
