//! The page that lists the OpenAPI documents and their pages. Source: RW-252.

use super::frame::PortalFrame;
use super::paths::{DEVELOPERS, GUIDES, json_of, page_of};
use askama::Template;
use lombard_openapi::{DOCUMENTS, PublishedApi};
use lombard_pages::frame::PageFrame;

#[derive(Debug, Template)]
#[template(path = "portal/documents.html")]
pub(crate) struct DocumentsPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: Option<PortalFrame>,
    pub developers: &'static str,
    pub guides: &'static str,
    pub discovery: String,
    /// The title, the page and the document of each.
    pub documents: Vec<(&'static str, String, String)>,
}

/// Builds the page of the offered documents.
pub(crate) fn page<'a>(
    (frame, portal): (PageFrame<'a>, Option<PortalFrame>),
    offer: &PublishedApi<'_>,
) -> DocumentsPage<'a> {
    DocumentsPage {
        frame,
        portal,
        developers: DEVELOPERS,
        guides: GUIDES,
        discovery: offer.discovery.clone(),
        documents: DOCUMENTS.iter().map(|it| (it.title, page_of(it), json_of(it))).collect(),
    }
}
