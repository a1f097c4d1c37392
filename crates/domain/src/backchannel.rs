//! Backchannel authentication (CIBA): a client asks the customer without a browser of its own.

use crate::grant::Digest;
use crate::ids::{BackchannelRequestId, ClientId, ConsentId, GrantId, PsuId};
use jiff::Timestamp;

/// How a client learns that its backchannel request was answered. Push is not offered. Source: AS-160.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackchannelDelivery {
    /// It polls the token endpoint.
    Poll,
    /// It is notified at an address of its own, and then fetches the tokens.
    Ping {
        /// `backchannel_client_notification_endpoint`, an `https` URL.
        endpoint: String,
    },
}

impl BackchannelDelivery {
    /// The registered name of the mode.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Poll => "poll",
            Self::Ping { .. } => "ping",
        }
    }

    /// The address to notify.
    pub fn endpoint(&self) -> Option<&str> {
        match self {
            Self::Poll => None,
            Self::Ping { endpoint } => Some(endpoint),
        }
    }
}

/// The state of a backchannel request. Source: AS-162.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BackchannelState {
    /// The customer has not decided.
    Pending,
    /// The customer refused, or could not give the consent. Final.
    Denied,
    /// The customer approved; the client has not fetched its tokens.
    Authorised,
    /// The client has its tokens. Final. Source: AS-162.
    Redeemed,
}

crate::code::document_codes! {
    BackchannelState {
        Pending = "pending", Denied = "denied", Authorised = "authorised", Redeemed = "redeemed",
    }
}

/// A client's backchannel authentication request, identified by the hash of its `auth_req_id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackchannelRequest {
    /// SHA-256 of the `auth_req_id`. Source: AS-162.
    pub hash: Digest,
    /// Names it on the customer's pages and in jobs; worth nothing to a client.
    pub id: BackchannelRequestId,
    /// The client; no other client may poll it.
    pub client: ClientId,
    /// The consent to be authorised. It has at most one pending request. Source: AS-160.
    pub consent: ConsentId,
    /// The customer who is asked; unknown until a customer brings the consent's id, if the client named nobody. Source: AS-161.
    pub psu: Option<PsuId>,
    /// Its state.
    pub state: BackchannelState,
    /// The verified request, a JSON document of `lombard-auth`.
    pub request: String,
    /// The client's text that the customer sees on both devices, at most 64 characters.
    pub binding_message: Option<String>,
    /// The grant of the approval.
    pub grant: Option<GrantId>,
    /// The least time between two polls, seconds.
    pub interval_secs: i64,
    /// The earliest time of the next poll (wall clock).
    pub next_poll_at: Timestamp,
    /// What a notification needs, sealed, as text: the `auth_req_id` and the client's token. Ping only.
    pub notification: Option<String>,
    /// What the identity provider is polled with, once it asks the customer on a device of theirs.
    pub provider_login: Option<String>,
    /// When it was made (wall clock).
    pub created_at: Timestamp,
    /// When it can no longer be answered or fetched (wall clock).
    pub expires_at: Timestamp,
}

impl BackchannelRequest {
    /// Whether the customer may still decide.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.state == BackchannelState::Pending && now < self.expires_at
    }
}
