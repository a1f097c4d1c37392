//! What all pages of the console have: who is logged in, the menu, what was done, and how they are sent.

use super::state::Console;
use crate::page::{PageFrame, send_page};
use crate::staff::{FoundPermission, StaffVisit, find_permission};
use askama::Template;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, LOCATION};
use http::{HeaderValue, Method, StatusCode};
use jiff::Timestamp;
use std::fmt::Write;

/// A section of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Cases,
    Tpps,
    Work,
    Keys,
    Node,
    Role,
}

/// The sections with their titles and paths, in the order of the menu.
const MENU: [(Section, &str, &str); 6] = [
    (Section::Cases, "Cases", "/"),
    (Section::Tpps, "TPPs", "/tpps"),
    (Section::Work, "Work", "/work"),
    (Section::Keys, "Keys", "/keys"),
    (Section::Node, "This node", "/node"),
    (Section::Role, "Your role", "/role"),
];

/// What was done, by the code in the address to which a form leads, and in words.
const DONE: [(&str, &str); 6] = [
    ("revoked", "The access is ended. The TPP gets an event."),
    ("disabled", "The TPP is disabled: all its requests are refused."),
    ("enabled", "The TPP is enabled: its requests are served again."),
    ("retried", "The work will be tried again."),
    ("requeued", "The event is offered again."),
    ("rotated", "A signing key was added. It signs after the overlap."),
];

/// An entry of the menu.
pub(super) struct MenuEntry {
    pub(super) title: &'static str,
    pub(super) path: &'static str,
    pub(super) is_current: bool,
}

/// What every page shows around its own content.
pub(super) struct ConsoleFrame<'a> {
    /// The bank's name.
    pub(super) bank_name: &'a str,
    /// Whether the page says that this is a sandbox.
    pub(super) sandbox: bool,
    /// The sections.
    pub(super) menu: Vec<MenuEntry>,
    /// The name of the member.
    pub(super) name: &'a str,
    /// Whether the member can log out.
    pub(super) has_session: bool,
    pub(super) form_token: String,
    /// What was done before.
    pub(super) done: Option<&'static str>,
}

impl Console {
    /// The frame of a page in this section.
    pub(super) fn frame<'a>(&'a self, visit: &'a StaffVisit, section: Section, done: Option<&str>) -> ConsoleFrame<'a> {
        let entry = |(of, title, path)| MenuEntry { title, path, is_current: of == section };
        let PageFrame { bank_name, sandbox } = self.door.page_frame();
        ConsoleFrame {
            bank_name,
            sandbox,
            menu: MENU.into_iter().map(entry).collect(),
            name: visit.member.name.as_str(),
            has_session: visit.by_cookie,
            form_token: visit.form_token(),
            done: done.and_then(|code| DONE.iter().find(|(known, _)| *known == code)).map(|(_, words)| *words),
        }
    }
}

/// Whether the member's role may send this request.
pub(super) fn may(visit: &StaffVisit, method: &Method, path: &str) -> bool {
    match find_permission(method, path) {
        FoundPermission::Row(row) => row.access.roles().is_none_or(|roles| roles.contains(&visit.member.role)),
        FoundPermission::OtherMethods | FoundPermission::None => false,
    }
}

/// Sends a page.
pub(super) fn send(page: &impl Template) -> Response {
    send_page(StatusCode::OK, page)
}

/// Leads the browser to a page after a form.
pub(super) fn lead_to(path: &str) -> Response {
    match HeaderValue::try_from(path) {
        Ok(path) => (StatusCode::SEE_OTHER, [(LOCATION, path), (CACHE_CONTROL, HeaderValue::from_static("no-store"))])
            .into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// A text as a segment of a path, or as a value of a query.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// A time of RFC 3339 to the second, in UTC.
pub(super) fn moment(at: &str) -> String {
    at.parse::<Timestamp>().map_or_else(|_| at.to_owned(), |at| at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}
