//! The certification plan of the profile: what must be refused, and how.

mod negative;
mod world;
