//! The negative tests of the profile's certification plan.

mod negative;
mod world;
