//! `x-fapi-interaction-id`: read once, repeated on every answer, and known to every log line about the request.

use http::{HeaderMap, HeaderName, HeaderValue};
use lombard_domain::ids::FapiInteractionId;
use lombard_ports::entropy::IdGenerator;

/// The header that carries the id of one request.
pub const INTERACTION_ID: HeaderName = HeaderName::from_static("x-fapi-interaction-id");

/// Most characters of an id that is repeated; a longer one is a fault of the request. Source: RW-051.
pub const INTERACTION_ID_CHARS_MAX: usize = 128;

/// The id of a request: the caller's if it can be repeated, else a fresh one. Source: RW-050, RW-051.
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
    /// The id of the request that this task answers.
    static CURRENT: FapiInteractionId;
}

/// Does the work of answering the request with this id. No `async fn`, which would hold the work twice.
pub fn answering<W: Future>(id: FapiInteractionId, work: W) -> impl Future<Output = W::Output> {
    CURRENT.scope(id, work)
}

/// Shows the id of the request that is answered here and now, if one is: to whoever writes a log line. Nothing may be
/// decided by it, since a caller chooses it.
pub fn with_current_interaction(show: impl FnOnce(&FapiInteractionId)) {
    // Outside of a request there is none.
    let _ = CURRENT.try_with(show);
}

/// Writes the id on an answer.
pub(super) fn write(headers: &mut HeaderMap, id: &FapiInteractionId) {
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        headers.insert(INTERACTION_ID, value);
    }
}
