#![doc = include_str!("../README.md")]

pub mod addresses;
pub mod authorisation;
mod browser;
pub mod callers;
pub mod certificates;
pub mod claims;
pub mod client_keys;
pub mod clients;
pub mod devices;
pub mod discovery;
pub mod endpoints;
pub mod error;
pub mod file_lines;
pub mod form;
pub mod form_answers;
pub mod keys;
mod payee_answer;
pub mod payee_checks;
pub mod portal;
pub mod provider_login;
pub mod registration;
mod server;
pub mod sessions;
pub mod sets;
mod settings;
pub mod software_statement;
pub mod staff;
mod subject_digests;
pub mod submission;
pub mod throttle;
pub mod tokens;
mod unsupported_parameters;

#[cfg(test)]
mod testing;

pub use error::{FailedCheck, OAuthError, OAuthErrorCode};
pub use server::AuthorisationServer;
pub use settings::{AuthSettings, HeadlessSettings};
