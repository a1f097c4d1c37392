//! The life of a server: start, drain, death, start again.

mod core;
mod drain;
mod earlier_release;
mod endpoints_file;
mod held_up;
mod kill;
mod restart;
mod rolling;
