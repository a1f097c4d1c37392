//! The other side: a TPP's client over mutual TLS.
//!
//! It is honest unless told otherwise: every part it sends can be changed first, so that tests can play an attacker
//! with the same code that plays a customer's favourite app. The tour, the integration tests and the benchmarks use
//! it; the server does not. It knows nothing of the server but what the standard and the TPP's folder say.

mod authorisation;
mod discovery;
mod error;
mod folder;
mod http_exchange;
mod id_token;
mod jwt;
mod payments;
mod resources;
mod set;
mod signature;
mod tokens;
mod tpp;
mod transport;

pub use authorisation::{AuthorisationRequest, AuthorisationResponse};
pub use discovery::Discovery;
pub use error::TppError;
pub use folder::{Endpoints, TppDetails, TppFolder, parse_certificates};
pub use http_exchange::HttpExchange;
pub use id_token::{ExpectedIdToken, IdToken};
pub use jwt::Jwt;
pub use payments::file_hash;
pub use set::{ExpectedSet, SetPart, SetReport};
pub use signature::{MessageJws, SIGNATURE};
pub use tokens::{ASSERTION_TYPE, IssuedTokens};
pub use tpp::Tpp;
pub use transport::{ExchangeObserver, HttpCall, Protocol, TlsIdentity, Transport, tls_config};
