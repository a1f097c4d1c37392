//! The texts of a request and its response beside their bodies, kept until the record is written.

use super::headers::{self, PackedHeaders};
use super::text;
use axum::extract::Request;
use http::HeaderMap;

/// What the texts of a request and its answer take up together, in most cases.
const USUAL_BYTES: usize = 1024;

/// The target of a request, its headers and those of its answer, masked, in one allocation.
#[derive(Debug)]
pub(super) struct RequestTexts {
    bytes: Vec<u8>,
    target_end: usize,
    request_end: usize,
}

impl RequestTexts {
    /// Those of a request.
    pub(super) fn of(request: &Request) -> Self {
        let mut bytes = Vec::with_capacity(USUAL_BYTES);
        text::push_target(request.uri(), &mut bytes);
        let target_end = bytes.len();
        headers::pack(request.headers(), &mut bytes);
        Self { target_end, request_end: bytes.len(), bytes }
    }

    /// Adds the headers of the answer.
    pub(super) fn add_response(&mut self, headers: &HeaderMap) {
        headers::pack(headers, &mut self.bytes);
    }

    /// Path and query.
    pub(super) fn target(&self) -> &str {
        self.bytes.get(..self.target_end).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
    }

    /// The headers of the request.
    pub(super) fn request_headers(&self) -> PackedHeaders<'_> {
        PackedHeaders::of(self.bytes.get(self.target_end..self.request_end).unwrap_or_default())
    }

    /// The headers of the answer.
    pub(super) fn response_headers(&self) -> PackedHeaders<'_> {
        PackedHeaders::of(self.bytes.get(self.request_end..).unwrap_or_default())
    }
}
