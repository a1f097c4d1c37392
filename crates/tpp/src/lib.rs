//! The other side: a TPP's client over mutual TLS.
//!
//! It is honest unless told otherwise: every part it sends can be changed first, so that tests can play an attacker
//! with the same code that plays a customer's favourite app. The tour, the integration tests and the benchmarks use
//! it; the server does not. It knows nothing of the server but what the standard and the TPP's folder say.

mod authorisation;
mod discovery;
mod error;
mod exchange;
mod folder;
mod id_token;
mod jwt;
mod payments;
mod resources;
mod set;
mod signature;
mod tokens;
mod tpp;
mod transport;

pub use authorisation::{AuthorisationRequest, FrontChannel};
pub use discovery::Discovery;
pub use error::TppError;
pub use exchange::Exchange;
pub use folder::{Card, Endpoints, Folder, certificates};
pub use id_token::{Expected, IdToken};
pub use jwt::Jwt;
pub use payments::file_hash;
pub use set::{ExpectedSet, SetPart, SetReport};
pub use signature::{MessageJws, SIGNATURE};
pub use tokens::{ASSERTION_TYPE, Tokens};
pub use tpp::Tpp;
pub use transport::{Call, Observer, Protocol, TlsIdentity, Transport, tls_config};
