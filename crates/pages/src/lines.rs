//! Lists the payments of a file on separate pages.

use super::frame::PageFrame;
use super::payment::LinesView;
use super::reply::{PagePolicy, send_page};
use askama::Template;
use axum::response::Response;
use http::StatusCode;
use lombard_auth::file_lines::FileLinesPage;
use lombard_domain::consent::PaymentConsent;
use lombard_edge::App;

/// Where a customer reads the payments of a file. Each variant contains the URL of the previous page.
#[derive(Debug, Clone)]
pub(super) enum LinesLocation {
    /// The customer reads them in a journey.
    Journey(String),
    /// The customer is logged in at the bank; the second value is the token of the forms.
    Apps(String, String),
}

#[derive(Template)]
#[template(path = "payment/pages.html")]
pub(super) struct LinesPage<'a> {
    pub frame: PageFrame<'a>,
    /// The token for the logout form, if the customer is logged in.
    pub form_token: Option<String>,
    /// The number of payments.
    pub count: u32,
    pub page: LinesView,
    /// The path of the pages.
    pub path: String,
    /// The URL of the page from which the customer came.
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

/// Shows one page of a file's payments.
pub(super) fn show(app: &App, place: LinesLocation, payment: &PaymentConsent, lines: &FileLinesPage) -> Response {
    send_page(app, StatusCode::OK, &LinesPage::new(PageFrame::of(app), place, payment, lines), &PagePolicy::plain())
}
