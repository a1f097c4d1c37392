//! The login for the pages under `/apps`: name and password, then the one-time code.

use super::path::AppsPath;
use crate::frame::PageFrame;
use crate::notice::NoticeText;
use crate::reply::{PagePolicy, send_page};
use askama::Template;
use axum::response::Response;
use http::StatusCode;
use lombard_auth::authorisation::journey::LoginForm;
use lombard_auth::sessions::LoginNotice;
use lombard_edge::App;
use lombard_ports::identity::Challenge;

#[derive(Template)]
#[template(path = "apps/login.html")]
pub(crate) struct AppsLoginPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    /// The path to which the login leads.
    pub to: String,
    pub notice: Option<NoticeText>,
    pub shown: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "apps/login_at_provider.html")]
pub(crate) struct AppsProviderLoginPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    /// The path to which the login leads.
    pub to: String,
    pub notice: Option<NoticeText>,
}

#[derive(Template)]
#[template(path = "apps/code.html")]
pub(crate) struct CodePage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    /// The path to which the login leads.
    pub to: String,
    pub notice: Option<NoticeText>,
    pub sent_to: String,
    pub shown_code: Option<String>,
}

/// Shows the login page.
pub(super) fn login_page(
    app: &App,
    form_token: String,
    wanted: &AppsPath,
    form: LoginForm,
    notice: Option<LoginNotice>,
) -> Response {
    let frame = PageFrame::of(app);
    let to = wanted.path().to_owned();
    let notice = notice.map(notice_text);
    match form {
        LoginForm::Password { shown } => send_page(
            app,
            status(notice),
            &AppsLoginPage { frame, form_token, to, notice, shown },
            &PagePolicy::plain(),
        ),
        LoginForm::AtProvider { origin } => {
            let policy = PagePolicy::plain().and_to(&origin);
            send_page(app, status(notice), &AppsProviderLoginPage { frame, form_token, to, notice }, &policy)
        }
    }
}

/// Shows the page for the one-time code.
pub(super) fn code_page(
    app: &App,
    form_token: String,
    wanted: &AppsPath,
    challenge: Challenge,
    notice: Option<LoginNotice>,
) -> Response {
    let frame = PageFrame::of(app);
    let to = wanted.path().to_owned();
    let notice = notice.map(notice_text);
    let Challenge { sent_to, shown_code } = challenge;
    send_page(
        app,
        status(notice),
        &CodePage { frame, form_token, to, notice, sent_to, shown_code },
        &PagePolicy::plain(),
    )
}

/// The status of a login page: 422 if a submitted form was not accepted.
pub(super) const fn status(notice: Option<NoticeText>) -> StatusCode {
    if notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
}

/// The notice about a wrong name, password or code.
pub(super) const fn notice_text(notice: LoginNotice) -> NoticeText {
    match notice {
        LoginNotice::WrongPassword => {
            NoticeText { text: "User name or password is wrong. Please try again.", at: "name" }
        }
        LoginNotice::Cancelled => {
            NoticeText { text: "You did not finish logging in. You can try again.", at: "continue" }
        }
        LoginNotice::ProviderRefused => {
            NoticeText { text: "Your login could not be confirmed. Please log in again.", at: "continue" }
        }
        LoginNotice::OtherCustomer => NoticeText {
            text: "Somebody else logged in to confirm this. Log in as the customer whose pages these are.",
            at: "continue",
        },
        LoginNotice::WrongCode => NoticeText { text: "That is not the code we sent. Please try again.", at: "code" },
    }
}
