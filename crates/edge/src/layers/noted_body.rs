//! The body of an answer, kept for the log of requests until the answer is complete.

use crate::listener::OpenedResponse;
use crate::request_log::is_json;
use bytes::Bytes;
use parking_lot::Mutex;

/// The body of an answer, if it is JSON that is there as a whole; for the log of requests.
#[derive(Debug, Default)]
pub(super) struct NotedBody(Mutex<Option<Bytes>>);

impl NotedBody {
    /// Notes the body, before the delivery takes it.
    pub(super) fn note(&self, response: &OpenedResponse) {
        let body = response.whole_body().filter(|_| is_json(response.head().headers()));
        *self.0.lock() = body.cloned();
    }

    /// The body that was noted.
    pub(super) fn take(&self) -> Option<Bytes> {
        self.0.lock().take()
    }
}
