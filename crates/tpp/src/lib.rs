#![doc = include_str!("../README.md")]

mod authorisation;
mod backchannel;
mod discovery;
mod error;
mod folder;
mod http_exchange;
mod id_token;
mod jwt;
mod payments;
mod registration;
mod resources;
mod set;
mod signature;
mod tokens;
mod tpp;
mod transport;

pub use authorisation::{AuthorisationRequest, AuthorisationResponse};
pub use backchannel::{BackchannelAnswer, CIBA_GRANT};
pub use discovery::Discovery;
pub use error::TppError;
pub use folder::{Endpoints, TppDetails, TppFolder, parse_certificates, write_client_id};
pub use http_exchange::HttpExchange;
pub use id_token::{ExpectedIdToken, IdToken};
pub use jwt::Jwt;
pub use payments::file_hash;
pub use set::{ExpectedSet, SetPart, SetReport};
pub use signature::{MessageJws, SIGNATURE};
pub use tokens::{ASSERTION_TYPE, IssuedTokens};
pub use tpp::Tpp;
pub use transport::{ExchangeObserver, HttpCall, Protocol, TlsIdentity, Transport, tls_config};
