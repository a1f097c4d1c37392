//! What the README tells people to type.

mod commands;
