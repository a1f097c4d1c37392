//! Random requests of TPPs: valid and invalid, new and repeated.

mod digest;
mod domestic;
mod file;
mod international;
mod payee;
mod request;
mod terms;
mod vrp;

pub(crate) use digest::digest;
pub(crate) use file::{FileSent, reader};
pub(crate) use request::{CLIENTS, IntendedRequest, SentRequest};
pub(crate) use terms::{EpisodeTheme, terms};
pub(crate) use vrp::payment;
