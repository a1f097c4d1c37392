//! The payments of a file one by one, on pages of their own.

use super::frame::PageFrame;
use super::payment::LinesView;
use super::reply::{PagePolicy, page};
use askama::Template;
use axum::response::Response;
use http::StatusCode;
use lombard_auth::file_lines::FileLinesPage;
use lombard_domain::consent::PaymentConsent;
use lombard_edge::App;

/// Where somebody looks through a file; each holds the address of the page they came from.
#[derive(Debug, Clone)]
pub(super) enum LinesLocation {
    /// In a journey.
    Journey(String),
    /// At the bank, logged in: with the token of its forms.
    Apps(String, String),
}

#[derive(Template)]
#[template(path = "payment/pages.html")]
pub(super) struct LinesPage<'a> {
    pub frame: PageFrame<'a>,
    /// Goes into the form to log out, where somebody is logged in.
    pub form_token: Option<String>,
    /// How many payments there are.
    pub count: u32,
    pub page: LinesView,
    /// Where the pages are.
    pub path: String,
    /// Where somebody came from.
    pub back: String,
}

impl<'a> LinesPage<'a> {
    pub(super) fn new(
        frame: PageFrame<'a>,
        place: LinesLocation,
        payment: &PaymentConsent,
        lines: &FileLinesPage,
    ) -> Self {
        let (back, form_token) = match place {
            LinesLocation::Journey(back) => (back, None),
            LinesLocation::Apps(back, form_token) => (back, Some(form_token)),
        };
        Self {
            frame,
            form_token,
            count: payment.file.as_ref().map_or(0, |file| file.totals.count),
            page: LinesView::of(lines),
            path: format!("{back}/file"),
            back,
        }
    }
}

/// A page of a file's payments.
pub(super) fn show(app: &App, place: LinesLocation, payment: &PaymentConsent, lines: &FileLinesPage) -> Response {
    page(app, StatusCode::OK, &LinesPage::new(PageFrame::of(app), place, payment, lines), &PagePolicy::plain())
}
