//! The ports of the service: storage, the bank's core, identity, the sandbox's controls, signed events, wake-ups,
//! clocks and entropy.
//!
//! Traits and their types only. `lombard-store` and `lombard-sandbox` implement them in the program; simulations and a
//! real core can replace them without changes above.

pub mod bank;
pub mod clock;
pub mod controls;
pub mod draws;
pub mod entropy;
pub mod failed_work;
pub mod identity;
pub mod key_source;
pub mod logo_source;
pub mod notification;
pub mod sets;
pub mod store;
pub mod wake;
