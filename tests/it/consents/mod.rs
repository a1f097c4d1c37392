//! Consents: account access, and what is the same for every kind.

mod calendar;
mod create;
mod delete;
mod read;
