//! The built-in bank: due work on accounts when its clock is moved.

mod process;
mod scheduler;
