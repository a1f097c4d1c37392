//! Properties of every endpoint of the standard.

mod method;
mod rates;
mod walk;
