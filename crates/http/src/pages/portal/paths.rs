//! Where the pages and documents are, under the public base URL.

use crate::openapi::ApiDocument;

/// The page of what is offered.
pub(super) const DEVELOPERS: &str = "/portal/developers";

/// Where that page states the rules of idempotency keys; errors link to it. Source: RW-184.
pub(crate) const IDEMPOTENCY_RULES: &str = "/portal/developers#idempotency";

/// The page of a document.
pub(super) fn page_of(document: &ApiDocument) -> String {
    format!("/openapi/{}", document.name)
}

/// The document itself.
pub(super) fn json_of(document: &ApiDocument) -> String {
    format!("/openapi/{}.json", document.name)
}
