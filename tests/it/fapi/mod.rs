//! The security profiles: the negative tests and the plan of FAPI 1.0 Advanced, and the clients that are held to FAPI 2.0.

mod fapi2;
mod negative;
mod plan;
mod world;
