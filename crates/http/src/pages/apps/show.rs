//! What the pages under `/apps` show.

use super::payments::WaitingWords;
use crate::App;
use crate::pages::frame::Frame;
use crate::pages::journey::{AccountWords, Told, Who, ends, moment, period};
use crate::pages::payment::When;
use crate::pages::permissions::{Group, groups};
use crate::pages::reply::{Policy, page};
use crate::pages::text;
use askama::Template;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use lombard_auth::sessions::payments::Payment;
use lombard_auth::sessions::{Customer, Notice, apps};
use lombard_domain::account::Account;
use lombard_domain::consent::{Consent, State};
use lombard_ports::identity::Challenge;

#[derive(Template)]
#[template(path = "apps/login.html")]
pub(in crate::pages) struct LoginPage<'a> {
    pub frame: Frame<'a>,
    pub form_token: String,
    pub notice: Option<Told>,
    pub shown: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "apps/code.html")]
pub(in crate::pages) struct CodePage<'a> {
    pub frame: Frame<'a>,
    pub form_token: String,
    pub notice: Option<Told>,
    pub sent_to: String,
    pub shown_code: Option<String>,
}

#[derive(Template)]
#[template(path = "apps/list.html")]
pub(in crate::pages) struct AppsPage<'a> {
    pub frame: Frame<'a>,
    pub form_token: String,
    pub name: String,
    pub waiting: Vec<WaitingWords>,
    pub apps: Vec<AppWords>,
}

impl AppsPage<'_> {
    /// Whether there is one that sees nothing and asks.
    fn has_asking(&self) -> bool {
        self.apps.iter().any(|app| app.asks_funds)
    }
}

#[derive(Template)]
#[template(path = "apps/one.html")]
pub(in crate::pages) struct AppPage<'a> {
    pub frame: Frame<'a>,
    pub form_token: String,
    pub app: AppWords,
}

#[derive(Template)]
#[template(path = "apps/stop.html")]
pub(in crate::pages) struct StopPage<'a> {
    pub frame: Frame<'a>,
    pub form_token: String,
    pub app: AppWords,
}

/// A connected application in words.
pub(in crate::pages) struct AppWords {
    pub id: String,
    pub who: Who,
    pub groups: Vec<Group>,
    pub transactions: Option<String>,
    pub since: String,
    pub ends: String,
    pub last_used: String,
    pub accounts: Vec<AccountWords>,
    /// Whether it asks whether there is enough money, and sees nothing.
    pub asks_funds: bool,
    /// Why it has no access any more, if so.
    pub ended: Option<String>,
}

impl AppWords {
    fn of(app: &apps::App) -> Self {
        Self::new(Who::of(&app.client), &app.consent, &app.accounts, app.last_used_at, app.live)
    }

    pub(in crate::pages) fn new(
        who: Who,
        consent: &Consent,
        accounts: &[Account],
        last_used_at: Option<Timestamp>,
        live: bool,
    ) -> Self {
        let access = consent.terms.account_access();
        Self {
            id: consent.id.as_str().to_owned(),
            who,
            groups: access.map(|access| groups(access.permissions)).unwrap_or_default(),
            transactions: access.and_then(period),
            since: moment(consent.authorised_at.unwrap_or(consent.created_at)),
            ends: ends(consent),
            last_used: last_used_at.map_or_else(|| "Not yet".to_owned(), moment),
            accounts: accounts.iter().map(AccountWords::of).collect(),
            asks_funds: consent.terms.funds_confirmation().is_some(),
            ended: (!live).then(|| match (consent.state, consent.expires_at) {
                (State::Revoked(_), _) => format!("Access was stopped on {}.", moment(consent.state_changed_at)),
                (_, Some(end)) => format!("Access ended on {}.", moment(end)),
                (_, None) => "It has no access.".to_owned(),
            }),
        }
    }
}

/// The page to log in with.
pub(super) fn login(app: &App, form_token: String, shown: Vec<(String, String)>, notice: Option<Notice>) -> Response {
    let (frame, notice) = (Frame::of(app), notice.map(told));
    page(app, status(notice), &LoginPage { frame, form_token, notice, shown }, &Policy::plain())
}

/// The page to give the one-time code on.
pub(super) fn code(app: &App, form_token: String, challenge: Challenge, notice: Option<Notice>) -> Response {
    let (frame, notice) = (Frame::of(app), notice.map(told));
    let Challenge { sent_to, shown_code } = challenge;
    page(app, status(notice), &CodePage { frame, form_token, notice, sent_to, shown_code }, &Policy::plain())
}

/// A form that was understood but not accepted is shown again.
const fn status(notice: Option<Told>) -> StatusCode {
    if notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
}

/// What is connected, and the payments that wait.
pub(super) fn list(app: &App, customer: &Customer, connected: &[apps::App], waiting: &[Payment]) -> Response {
    let template = AppsPage {
        frame: Frame::of(app),
        form_token: customer.form_token.clone(),
        name: text::name(&customer.name),
        waiting: waiting.iter().map(WaitingWords::of).collect(),
        apps: connected.iter().map(AppWords::of).collect(),
    };
    page(app, StatusCode::OK, &template, &Policy::plain())
}

/// One connected application, or one that was.
pub(super) fn one(app: &App, customer: &Customer, found: apps::App) -> Response {
    let (frame, form_token) = (Frame::of(app), customer.form_token.clone());
    page(app, StatusCode::OK, &AppPage { frame, form_token, app: AppWords::of(&found) }, &Policy::plain())
}

/// Whether to stop it. There is nothing to ask about one that has ended.
pub(super) fn confirm(app: &App, customer: &Customer, found: apps::App) -> Response {
    if !found.live {
        return one(app, customer, found);
    }
    let (frame, form_token) = (Frame::of(app), customer.form_token.clone());
    page(app, StatusCode::OK, &StopPage { frame, form_token, app: AppWords::of(&found) }, &Policy::plain())
}

pub(in crate::pages) const fn told(notice: Notice) -> Told {
    match notice {
        Notice::WrongPassword => {
            Told { text: "User name and password do not belong together. Please try again.", at: "name" }
        }
        Notice::WrongCode => Told { text: "That is not the code we sent. Please try again.", at: "code" },
    }
}
