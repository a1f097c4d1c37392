#![doc = include_str!("../README.md")]

mod error;
mod library;
mod login;
mod module;
mod sessions;
mod settings;

pub use module::Pkcs11Module;
pub use settings::{Pkcs11Settings, ReadPin};
