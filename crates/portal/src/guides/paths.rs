//! The URL paths of the documents under the public base URL.

use super::super::paths::GUIDES;
use super::library::Document;

/// The path of the list for programs that read text.
pub(super) const LLMS: &str = "/llms.txt";

/// The path of a document's page, or of a program's text.
pub(super) fn page_of(document: &Document) -> String {
    format!("{GUIDES}/{}", document.name())
}

/// The path of a document's plain text.
pub(super) fn text_of(document: &Document) -> String {
    if document.is_page() { format!("{GUIDES}/{}.md", document.name()) } else { page_of(document) }
}
