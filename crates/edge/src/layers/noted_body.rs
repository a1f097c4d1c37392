//! Keeps the body of a response for the request log until the response is complete.

use crate::listener::OpenedResponse;
use crate::request_log::is_json;
use bytes::Bytes;
use parking_lot::Mutex;

/// The body of a response, if it is complete JSON; for the request log.
#[derive(Debug, Default)]
pub(super) struct NotedBody(Mutex<Option<Bytes>>);

impl NotedBody {
    /// Stores the body before it is sent.
    pub(super) fn note(&self, response: &OpenedResponse) {
        let body = response.whole_body().filter(|_| is_json(response.head().headers()));
        *self.0.lock() = body.cloned();
    }

    /// Removes and returns the stored body.
    pub(super) fn take(&self) -> Option<Bytes> {
        self.0.lock().take()
    }
}
