//! Backchannel authentication (CIBA): a client asks for an authorisation without a browser redirect, and the customer answers on
//! another device.

use crate::grant::Digest;
use crate::ids::{BackchannelRequestId, ClientId, ConsentId, GrantId, PsuId};
use jiff::Timestamp;

/// How a client is informed that its backchannel request was answered: the delivery mode of CIBA. The push mode is not offered.
/// Source: AS-160.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackchannelDelivery {
    /// The client polls the token endpoint.
    Poll,
    /// The server notifies the client at the client's own endpoint. The client then fetches the tokens.
    Ping {
        /// The client's `backchannel_client_notification_endpoint`, an `https` URL.
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

    /// The notification endpoint; `None` for a client that polls.
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
    /// The customer refused, or was unable to authorise the consent. Final.
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
    /// The id of the request on the customer's pages and in jobs. A client cannot use it.
    pub id: BackchannelRequestId,
    /// The client; no other client may poll it.
    pub client: ClientId,
    /// The consent to be authorised. It has at most one pending request. Source: AS-160.
    pub consent: ConsentId,
    /// The customer who is asked. If the client named none, `None` until a customer presents the consent's id. Source: AS-161.
    pub psu: Option<PsuId>,
    /// Its state.
    pub state: BackchannelState,
    /// The verified request, a JSON document of `lombard-auth`.
    pub request: String,
    /// The client's text that the customer sees on both devices, at most 64 characters.
    pub binding_message: Option<String>,
    /// The grant that the customer's approval created.
    pub grant: Option<GrantId>,
    /// The minimum interval between two polls, in seconds.
    pub interval_secs: i64,
    /// The earliest time of the next poll (wall clock).
    pub next_poll_at: Timestamp,
    /// The data for the notification of the client, sealed, as text: the `auth_req_id` and the client's notification token. Ping
    /// mode only.
    pub notification: Option<String>,
    /// The data with which the server polls the identity provider, once the provider asks the customer on the customer's own
    /// device.
    pub provider_login: Option<String>,
    /// When the request was made (wall clock).
    pub created_at: Timestamp,
    /// The time from which the request can no longer be answered, nor its tokens fetched (wall clock).
    pub expires_at: Timestamp,
}

impl BackchannelRequest {
    /// Whether the customer may still decide.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.state == BackchannelState::Pending && now < self.expires_at
    }
}
