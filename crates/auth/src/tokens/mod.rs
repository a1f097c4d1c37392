//! Tokens: what the token endpoint issues, and what ends it.

pub mod identity;
