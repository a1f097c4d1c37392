//! What holds for every endpoint of the standard.

mod walk;
