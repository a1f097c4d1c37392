//! The built-in bank: due work on accounts when its clock is moved, and the bank as a process of its own.

mod agreement;
mod faults;
mod kill;
mod process;
mod scheduler;
