//! The life cycle of a server: start, drain, crash and restart.

mod core;
mod drain;
mod earlier_release;
mod endpoints_file;
mod ephemeral;
mod held_up;
mod kill;
mod restart;
pub(crate) mod roles;
mod rolling;
