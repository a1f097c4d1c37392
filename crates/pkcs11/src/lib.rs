//! Signing keys in a hardware security module, by PKCS#11.
//!
//! The module is a shared library of the bank's choice. It is called when a key signs, is found or is made, and at no other time:
//! a server starts and serves without it, but for signatures. This crate decides nothing about keys; it holds no key itself.

mod error;
mod library;
mod module;
mod sessions;
mod settings;

pub use module::Pkcs11Module;
pub use settings::Pkcs11Settings;
