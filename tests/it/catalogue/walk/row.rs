//! A request for an endpoint of the catalogue.

use crate::harness::code_in;
use http::Method;
use lombard_domain::version::Version;
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::{EndpointGroup, HttpMethod};
use lombard_tpp::{HttpCall, HttpExchange, SIGNATURE, Tpp};
use std::sync::atomic::{AtomicU32, Ordering};

/// A row in one version, ready to be called well: with an id that is there, a body that is right, a token that opens it.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) endpoint: &'static ApiEndpoint,
    pub(super) version: Version,
    pub(super) url: String,
    pub(super) body: Option<String>,
    /// The id in its path whose owner matters.
    pub(super) id: Option<String>,
    /// The token it is right with.
    pub(super) token: String,
    /// One that is of the wrong kind, or of another consent.
    pub(super) wrong: String,
    /// What signs its requests.
    pub(super) tpp: Tpp,
}

impl Row {
    pub(super) fn is_delete(&self) -> bool {
        self.endpoint.method == HttpMethod::Delete
    }

    /// Whether the call takes a consent over into the newer version: those that are called here were made in it, and are left as
    /// they are (V4-022).
    pub(super) fn is_migration(&self) -> bool {
        matches!(self.endpoint.method, HttpMethod::Put | HttpMethod::Patch)
    }

    /// Asserts that the row's good call was carried out, or refused for nothing but the state of its consent.
    pub(super) fn assert_done(&self, answer: &HttpExchange) {
        let done = if self.is_migration() { answer.status == 409 } else { answer.status.is_success() };
        assert!(done, "{:?}: {}", self.endpoint, answer.status);
    }

    /// The media type of its body.
    pub(super) fn media(&self) -> &'static str {
        if self.endpoint.method == HttpMethod::Patch { "application/json-patch+json" } else { "application/json" }
    }

    pub(super) fn is_of(&self, group: EndpointGroup) -> bool {
        self.endpoint.group == group
    }

    /// A code of v3.1, in the row's version.
    pub(super) fn code(&self, v3_1: &'static str) -> &'static str {
        code_in(self.version, v3_1)
    }

    pub(super) fn call(&self) -> HttpCall {
        match &self.body {
            Some(body) => self.posting(once(body).as_bytes()).with_header("content-type", self.media()),
            None => self.at(&self.url),
        }
    }

    /// The same call at another address.
    pub(super) fn elsewhere(&self, url: &str) -> HttpCall {
        Self { url: url.to_owned(), ..self.clone() }.call()
    }

    /// The row's method at another address.
    pub(super) fn at(&self, url: &str) -> HttpCall {
        HttpCall::new(Method::from_bytes(self.endpoint.method.name().as_bytes()).unwrap(), url)
    }

    /// Sends this body, whose media type is yet to be said: under the row's one key, and signed, where that is asked for.
    pub(super) fn posting(&self, body: &[u8]) -> HttpCall {
        let mut call = self.at(&self.url).with_body(body.to_vec());
        if self.endpoint.idempotent {
            call = call.with_header("x-idempotency-key", format!("{:?}", self.version));
        }
        if self.endpoint.signs_requests() {
            call = call.with_header(
                SIGNATURE,
                self.tpp
                    .new_message_signature()
                    .claim("cty", self.media())
                    .sign(&self.tpp.folder.signing, body)
                    .unwrap(),
            );
        }
        call
    }
}

/// Stands for a reference in a body. Each is good once (CBP-036).
pub(super) const REFERENCE: &str = "a reference";

/// A body with a reference of its own.
pub(super) fn once(body: &str) -> String {
    static USED: AtomicU32 = AtomicU32::new(0);
    body.replace(REFERENCE, &format!("r{}", USED.fetch_add(1, Ordering::Relaxed)))
}
