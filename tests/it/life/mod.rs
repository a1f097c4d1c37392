//! The life cycle of a server: start, drain, crash and restart.

mod core;
mod drain;
pub(crate) mod earlier_release;
mod endpoints_file;
mod ephemeral;
mod held_up;
mod kill;
mod restart;
pub(crate) mod roles;
mod rolling;
mod upgrade;
