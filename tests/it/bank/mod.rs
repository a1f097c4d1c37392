//! The built-in bank itself: what happens on accounts when its clock moves.

mod scheduler;
