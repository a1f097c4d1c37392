//! Status updates that the core pushes to the server, so that they need not wait until the server fetches them.

use super::filters::Acknowledged;
use crate::form::shape::{FormOf, ObjectOf};
use crate::form::values::{AsciiKey, BoundedText};
use crate::objects;
use lombard_domain::ids::OrderId;
use lombard_ports::bank::StatusUpdate;

/// The path at which the server accepts pushed status updates.
pub const PUSH_PATH: &str = "/bank/status-updates";

/// The `typ` header of a push. It prevents the server from accepting another token that was signed with the same key.
pub const PUSH_TYPE: &str = "status-updates+jwt";

/// The maximum number of seconds between the issue and the expiry of a push.
pub const PUSH_LIFETIME_SECS_MAX: i64 = 300;

/// The claims of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedUpdates {
    /// The issuer of the push: a name of the core.
    pub issuer: String,
    /// The server's issuer.
    pub audience: String,
    /// When the push was issued, in seconds since 1970 (wall clock).
    pub issued_at: i64,
    /// When the push expires, in seconds since 1970 (wall clock).
    pub expires_at: i64,
    /// The id of the push, which the server accepts only once.
    pub id: String,
    /// The pushed status updates.
    pub updates: Vec<StatusUpdate>,
}

/// For each order, the number up to which the server has applied its status updates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedUpdates {
    /// The orders with their numbers.
    pub applied: Vec<(OrderId, u32)>,
}

objects! {
    /// The claims of the token by which a core pushes status updates.
    PushedUpdates as "PushedStatusUpdates" {
        /// A name of the core.
        issuer: required(BoundedText<255>, "iss");
        /// The issuer of the server, as its discovery document names it.
        audience: required(BoundedText<2048>, "aud");
        /// When the token was issued, in seconds since 1970.
        issued_at: required(FormOf<i64>, "iat");
        /// When it expires, in seconds since 1970; at most 300 after iat.
        expires_at: required(FormOf<i64>, "exp");
        /// An id of the token, of visible ASCII characters. It is used once.
        id: required(AsciiKey<128>, "jti");
        /// The updates, as status-updates answers them.
        updates: list(FormOf<StatusUpdate>, "StatusUpdate");
    }

    /// What became of pushed status updates.
    AppliedUpdates as "AppliedStatusUpdates" {
        /// The orders whose updates are applied up to a number, now or before. These need not be answered by status-updates any more.
        applied: list(ObjectOf<Acknowledged>, "Acknowledged");
    }
}
