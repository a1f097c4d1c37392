//! What a core is told with each call, and what becomes of callers while it does not answer.

mod account_changes;
mod people;
mod pushes;
