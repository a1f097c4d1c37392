//! What holds for every endpoint of the standard.

mod method;
mod rates;
mod walk;
