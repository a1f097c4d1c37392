//! What the access line says about a request beside its route: client, consent and order, and how many bytes it has.

use axum::response::Response;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use http_body::Body;
use lombard_domain::ids::{ClientId, ConsentId, OrderId};
use std::sync::{Arc, OnceLock};

/// The client for the access line, which the code that authenticates it records here, with the consent and the order that the request is about.
/// A request extension.
#[derive(Debug, Clone, Default)]
pub struct ClientForLog(Arc<RequestFacts>);

#[derive(Debug, Default)]
struct RequestFacts {
    /// The authenticated client.
    authenticated: OnceLock<ClientId>,
    /// The client whose certificate came with a refused request.
    refused: OnceLock<ClientId>,
    /// The consent of the client's token, or the one that the client reads or has created.
    consent: OnceLock<ConsentId>,
    /// The order that the client reads or has created.
    order: OnceLock<OrderId>,
}

impl ClientForLog {
    /// Records the authenticated client; a second call has no effect.
    pub fn set(&self, client: &ClientId) {
        self.0.authenticated.get_or_init(|| client.clone());
    }

    /// Records the client of a refused request, for the log only.
    pub fn set_refused(&self, client: &ClientId) {
        self.0.refused.get_or_init(|| client.clone());
    }

    /// Records the consent that the request is about, for the log only; a second call has no effect. The consent must be the client's own: the
    /// log must not say what a caller claims.
    pub fn set_consent(&self, consent: &ConsentId) {
        self.0.consent.get_or_init(|| consent.clone());
    }

    /// Records the order that the request is about, as [`set_consent`](Self::set_consent).
    pub fn set_order(&self, order: &OrderId) {
        self.0.order.get_or_init(|| order.clone());
    }

    /// The client, if it was recorded as authenticated.
    pub fn client(&self) -> Option<&ClientId> {
        self.0.authenticated.get()
    }

    /// The client for the log.
    pub(super) fn for_log(&self) -> Option<&ClientId> {
        self.client().or_else(|| self.0.refused.get())
    }

    pub(super) fn consent(&self) -> Option<&ConsentId> {
        self.0.consent.get()
    }

    pub(super) fn order(&self) -> Option<&OrderId> {
        self.0.order.get()
    }
}

/// The length of a request's body, as its header states it: a body without a length is not counted.
pub(super) fn request_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The length of a response's body before it is sent; `None` for one that is read from storage while it is sent.
pub(super) fn response_bytes(response: &Response) -> Option<u64> {
    response.body().size_hint().exact()
}
