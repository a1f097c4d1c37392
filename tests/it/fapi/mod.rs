//! The negative tests and the modules of the plan that certifies the profile.

mod negative;
mod plan;
mod world;
