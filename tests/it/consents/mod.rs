//! Account access consents, and properties common to every kind of consent.

mod calendar;
mod create;
mod delete;
mod read;
