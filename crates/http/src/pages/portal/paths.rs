//! Where the pages and documents are, under the public base URL.

use crate::openapi::ApiDocument;

/// The page of what is offered.
pub(super) const DEVELOPERS: &str = "/portal/developers";

/// The page of a document.
pub(super) fn page_of(document: &ApiDocument) -> String {
    format!("/openapi/{}", document.name)
}

/// The document itself.
pub(super) fn json_of(document: &ApiDocument) -> String {
    format!("/openapi/{}.json", document.name)
}
