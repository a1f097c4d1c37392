//! What a core is told with each call, and what becomes of callers while it does not answer.

mod account_changes;
mod contexts;
mod hung_core;
mod people;
mod pushes;
mod recording_bank;
