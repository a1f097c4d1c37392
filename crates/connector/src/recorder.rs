//! The last request of a connector with its answer, for checks of a core.

use http::StatusCode;
use parking_lot::Mutex;
use std::sync::Arc;

/// The most characters of a recorded body.
const BODY_LENGTH_MAX: usize = 2_000;

/// A request with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedExchange {
    /// The method of the core API: the last segment of the path.
    pub method: String,
    /// The body of the request, cut to 2,000 characters.
    pub request: String,
    /// The status of the answer.
    pub status: u16,
    /// The body of the answer, cut to 2,000 characters.
    pub answer: String,
}

/// Records the last request with its answer. Clones share the record.
#[derive(Debug, Clone, Default)]
pub struct ExchangeRecorder(Arc<Mutex<Option<RecordedExchange>>>);

impl ExchangeRecorder {
    pub(crate) fn record(&self, method: &str, request: &[u8], status: StatusCode, answer: &[u8]) {
        let request = cut(request);
        let answer = cut(answer);
        *self.0.lock() = Some(RecordedExchange { method: method.to_owned(), request, status: status.as_u16(), answer });
    }

    /// Removes and returns the last exchange; `None` if there was none since the previous call.
    pub fn take_last(&self) -> Option<RecordedExchange> {
        self.0.lock().take()
    }
}

/// A body as text, cut to [`BODY_LENGTH_MAX`] characters.
fn cut(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match text.char_indices().nth(BODY_LENGTH_MAX) {
        Some((end, _)) => format!("{}… ({} bytes)", text.get(..end).unwrap_or_default(), body.len()),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_cut_between_characters_and_taken_once() {
        let recorder = ExchangeRecorder::default();
        recorder.record("balances", b"{}", StatusCode::OK, "é".repeat(3_000).as_bytes());
        let last = recorder.take_last().unwrap();
        assert_eq!((last.method.as_str(), last.request.as_str(), last.status), ("balances", "{}", 200));
        assert!(last.answer.starts_with('é') && last.answer.ends_with("… (6000 bytes)"), "{}", last.answer);
        assert_eq!(recorder.take_last(), None);
    }
}
