//! Sends the pages of the ops listener, with headers that prevent framing, content sniffing, storing and leaks. The referrer policy is
//! `same-origin`: with `no-referrer`, browsers send `Origin: null` with forms, which the guard refuses.

use askama::Template;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_FRAME_OPTIONS};
use std::error::Error;

/// The policy of all pages: no script, nothing from elsewhere, and no frame around them.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// The frame that all pages have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageFrame<'a> {
    /// The bank's name.
    pub(crate) bank_name: &'a str,
    /// Whether the page says that this is a sandbox.
    pub(crate) sandbox: bool,
}

/// Sends a rendered page.
pub(crate) fn send_page(status: StatusCode, page: &impl Template) -> Response {
    let html = match page.render() {
        Ok(html) => html,
        Err(error) => {
            tracing::error!(error = &error as &dyn Error, "a page could not be rendered");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "same-origin"),
        (X_FRAME_OPTIONS, "DENY"),
    ];
    (status, headers, html).into_response()
}
