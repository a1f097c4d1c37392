//! The life of a server: start, drain, death, start again.

mod drain;
mod endpoints_file;
mod held_up;
mod kill;
mod restart;
mod rolling;
