//! The rendered documents, which are rendered once.

use super::library::{Document, LIBRARY, LibraryPart};
use super::markdown::{Rendered, render};
use std::sync::LazyLock;

/// A document with its rendered forms.
#[derive(Debug)]
pub(super) struct RenderedGuide {
    /// The document.
    pub(super) document: &'static Document,
    /// The rendered forms.
    pub(super) rendered: Rendered,
}

/// All documents that are pages, in the order of the list. They are rendered on first use.
pub(super) static PAGES: LazyLock<Vec<RenderedGuide>> = LazyLock::new(|| {
    let pages = LIBRARY.iter().filter(|document| document.is_page());
    pages.map(|document| RenderedGuide { document, rendered: render(document) }).collect()
});

/// The page of this name.
pub(super) fn page_named(name: &str) -> Option<&'static RenderedGuide> {
    PAGES.iter().find(|page| page.document.name() == name)
}

/// The pages of a part of the list.
pub(super) fn pages_of(part: LibraryPart) -> impl Iterator<Item = &'static RenderedGuide> {
    PAGES.iter().filter(move |page| page.document.part == part)
}
