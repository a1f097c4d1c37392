//! `x-fapi-interaction-id`: read once, repeated in every response, and added to every log line about the request.

use http::{HeaderMap, HeaderName, HeaderValue};
use lombard_domain::ids::FapiInteractionId;
use lombard_ports::entropy::IdGenerator;

/// The header that carries the id of one request.
pub const INTERACTION_ID: HeaderName = HeaderName::from_static("x-fapi-interaction-id");

/// The most characters of an id that is repeated; a longer id is a fault of the request. Source: RW-051.
pub const INTERACTION_ID_CHARS_MAX: usize = 128;

/// The id of a request: the caller's id if it can be repeated, otherwise a new one. Source: RW-050, RW-051.
pub(super) fn of_request(headers: &HeaderMap, ids: &IdGenerator) -> FapiInteractionId {
    match headers.get(INTERACTION_ID).and_then(repeatable) {
        Some(text) => FapiInteractionId::new(text),
        None => FapiInteractionId::new(ids.random_id().to_string()),
    }
}

fn repeatable(value: &HeaderValue) -> Option<&str> {
    let visible = !value.is_empty() && value.as_bytes().iter().all(u8::is_ascii_graphic);
    (visible && value.len() <= INTERACTION_ID_CHARS_MAX).then(|| value.to_str().ok()).flatten()
}

tokio::task_local! {
    /// The id of the request that this task processes.
    static CURRENT: FapiInteractionId;
}

/// Runs the work of a request with this id. It is not an `async fn`, which would hold the work twice in memory.
pub fn answering<W: Future>(id: FapiInteractionId, work: W) -> impl Future<Output = W::Output> {
    CURRENT.scope(id, work)
}

/// Calls `show` with the id of the request that this task processes, if there is one. For log lines only: no decision may depend on the id,
/// because a caller can choose it.
pub fn with_current_interaction(show: impl FnOnce(&FapiInteractionId)) {
    // Outside of a request there is no id.
    let _ = CURRENT.try_with(show);
}

/// Adds the id to a response.
pub(super) fn write(headers: &mut HeaderMap, id: &FapiInteractionId) {
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        headers.insert(INTERACTION_ID, value);
    }
}
