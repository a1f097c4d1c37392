//! What the work of the bank needs from outside: storage, the bank's core, identity, the sandbox's controls, signed events,
//! wake-ups, clocks and entropy.
//!
//! Traits and the types they speak in, nothing else. `lombard-store` and `lombard-sandbox` implement them for the
//! program; simulations and a real core take their place without anything above knowing.

pub mod bank;
pub mod clock;
pub mod controls;
pub mod entropy;
pub mod identity;
pub mod key_source;
pub mod sets;
pub mod store;
pub mod wake;
