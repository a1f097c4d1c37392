//! Account-access consents.

mod create;
mod delete;
mod read;
