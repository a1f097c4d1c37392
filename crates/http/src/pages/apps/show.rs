//! What the pages under `/apps` show.

use super::payments::PendingPaymentWords;
use super::wanted::Wanted;
use crate::App;
use crate::pages::access::{ends, moment, period};
use crate::pages::frame::Frame;
use crate::pages::journey::Told;
use crate::pages::parties::{AccountWords, Who};
use crate::pages::payment::{LimitUsageWords, PaymentWords, VrpConsentWords};
use crate::pages::permissions::{Group, groups};
use crate::pages::problem;
use crate::pages::reply::{Policy, page};
use crate::pages::text;
use askama::Template;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use lombard_auth::sessions::payments::Payment;
use lombard_auth::sessions::{Customer, Notice, apps};
use lombard_domain::account::Account;
use lombard_domain::consent::{Consent, State, Terms};
use lombard_domain::vrp::Standing;
use lombard_ports::identity::Challenge;

#[derive(Template)]
#[template(path = "apps/login.html")]
pub(in crate::pages) struct LoginPage<'a> {
    pub frame: Frame<'a>,
    pub form_token: String,
    /// Where the customer goes from here.
    pub to: String,
    pub notice: Option<Told>,
    pub shown: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "apps/code.html")]
pub(in crate::pages) struct CodePage<'a> {
    pub frame: Frame<'a>,
    pub form_token: String,
    /// Where the customer goes from here.
    pub to: String,
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
    pub waiting: Vec<PendingPaymentWords>,
    pub apps: Vec<AppWords>,
    /// What could not be had, in words.
    pub missing: Option<&'static str>,
}

const APPS_MISSING: &str = "Your applications cannot be shown right now. Please try again in a moment.";
const PAYMENTS_MISSING: &str = "Payments that wait for you cannot be shown right now. Please try again in a moment.";

impl AppsPage<'_> {
    /// What they can do, taken together.
    fn lead(&self) -> &'static str {
        let any = |gives: fn(&Gives) -> bool| self.apps.iter().any(|app| gives(&app.gives));
        let pays = any(|it| matches!(it, Gives::Payments { .. }));
        let asks = any(|it| matches!(it, Gives::Funds));
        match (self.apps.is_empty(), pays, asks) {
            _ if self.missing == Some(APPS_MISSING) => "",
            (true, ..) => "No application may look at your accounts or pay from them.",
            (false, true, _) => {
                "These applications may use your accounts as you agreed. Those that may pay can pay within the limits \
                 you agreed to, and no more."
            }
            (false, false, true) => {
                "These applications may use your accounts as you agreed. None of them can move your money with this."
            }
            (false, false, false) => {
                "These applications may look at the accounts you chose. None of them can move your money with this."
            }
        }
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
    /// What it may do.
    pub gives: Gives,
    pub since: String,
    pub ends: String,
    pub last_used: String,
    pub accounts: Vec<AccountWords>,
    /// Why it has no access any more, if so.
    pub ended: Option<String>,
}

/// What a consent gives an application.
pub(in crate::pages) enum Gives {
    /// To see account information.
    Access {
        /// What of it.
        groups: Vec<Group>,
        /// Which transactions.
        transactions: Option<String>,
    },
    /// To ask whether there is enough money.
    Funds,
    /// To make payments within limits.
    Payments {
        /// Which.
        mandate: Box<VrpConsentWords>,
        /// How each limit stands now.
        used: Vec<LimitUsageWords>,
        /// Whether its last day has passed.
        over: bool,
    },
}

/// What is known of a connected application beside its consent.
#[derive(Debug, Clone, Copy)]
pub(in crate::pages) struct Seen<'a> {
    pub accounts: &'a [Account],
    pub last_used_at: Option<Timestamp>,
    pub live: bool,
    pub standings: &'a [Standing],
    /// The bank's time.
    pub now: Timestamp,
}

impl AppWords {
    /// `None` of a payment that is made once, which connects nothing.
    fn of(app: &apps::App, now: Timestamp) -> Option<Self> {
        let apps::App { consent, client, accounts, last_used_at, live, standings } = app;
        let seen = Seen { accounts, last_used_at: *last_used_at, live: *live, standings, now };
        Self::new(Who::of(client), consent, seen)
    }

    pub(in crate::pages) fn new(who: Who, consent: &Consent, seen: Seen<'_>) -> Option<Self> {
        Some(Self {
            id: consent.id.as_str().to_owned(),
            who,
            gives: Gives::of(consent, seen)?,
            since: moment(consent.authorised_at.unwrap_or(consent.created_at)),
            ends: ends(consent),
            last_used: seen.last_used_at.map_or_else(|| "Not yet".to_owned(), moment),
            accounts: seen.accounts.iter().map(AccountWords::of).collect(),
            ended: (!seen.live).then(|| match (consent.state, consent.expires_at) {
                (State::Revoked(_), _) => format!("Access was stopped on {}.", moment(consent.state_changed_at)),
                (_, Some(end)) => format!("Access ended on {}.", moment(end)),
                (_, None) => "It has no access.".to_owned(),
            }),
        })
    }

    /// What stopping it is called.
    fn stop(&self) -> &'static str {
        match self.gives {
            Gives::Access { .. } | Gives::Funds => "Stop access",
            Gives::Payments { .. } => "Stop payments",
        }
    }
}

impl Gives {
    fn of(consent: &Consent, seen: Seen<'_>) -> Option<Self> {
        Some(match &consent.terms {
            Terms::AccountAccess(access) => {
                Self::Access { groups: groups(access.permissions), transactions: period(access) }
            }
            Terms::FundsConfirmation(_) => Self::Funds,
            Terms::Payment(payment) => {
                let terms = payment.terms.instruction.recurring()?;
                let anchor = terms.controls.mandate(consent.created_at).anchor();
                Self::Payments {
                    mandate: Box::new(VrpConsentWords::of(terms, consent.created_at, seen.now)),
                    used: seen.standings.iter().map(|standing| LimitUsageWords::of(standing, anchor)).collect(),
                    over: terms.controls.has_ended(seen.now),
                }
            }
        })
    }
}

/// The page to log in with.
pub(super) fn login(
    app: &App,
    form_token: String,
    wanted: &Wanted,
    shown: Vec<(String, String)>,
    notice: Option<Notice>,
) -> Response {
    let (frame, to, notice) = (Frame::of(app), wanted.path().to_owned(), notice.map(told));
    page(app, status(notice), &LoginPage { frame, form_token, to, notice, shown }, &Policy::plain())
}

/// The page to give the one-time code on.
pub(super) fn code(
    app: &App,
    form_token: String,
    wanted: &Wanted,
    challenge: Challenge,
    notice: Option<Notice>,
) -> Response {
    let (frame, to, notice) = (Frame::of(app), wanted.path().to_owned(), notice.map(told));
    let Challenge { sent_to, shown_code } = challenge;
    page(app, status(notice), &CodePage { frame, form_token, to, notice, sent_to, shown_code }, &Policy::plain())
}

/// A form that was understood but not accepted is shown again.
pub(super) const fn status(notice: Option<Told>) -> StatusCode {
    if notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
}

/// What is connected, and the payments that wait.
pub(super) fn list(
    app: &App,
    customer: &Customer,
    connected: Option<&[apps::App]>,
    waiting: Option<&[Payment]>,
) -> Response {
    let now = app.context.clocks.bank();
    let missing = match (connected, waiting) {
        (None, _) => Some(APPS_MISSING),
        (Some(_), None) => Some(PAYMENTS_MISSING),
        (Some(_), Some(_)) => None,
    };
    let template = AppsPage {
        frame: Frame::of(app),
        form_token: customer.form_token.clone(),
        name: text::name(&customer.name),
        waiting: waiting.unwrap_or_default().iter().map(PendingPaymentWords::of).collect(),
        apps: connected.unwrap_or_default().iter().filter_map(|app| AppWords::of(app, now)).collect(),
        missing,
    };
    page(app, StatusCode::OK, &template, &Policy::plain())
}

/// One connected application, or one that was.
pub(super) fn one(app: &App, customer: &Customer, found: apps::App) -> Response {
    let Some(words) = AppWords::of(&found, app.context.clocks.bank()) else { return problem::nothing_here(app) };
    let (frame, form_token) = (Frame::of(app), customer.form_token.clone());
    page(app, StatusCode::OK, &AppPage { frame, form_token, app: words }, &Policy::plain())
}

/// Whether to stop it. There is nothing to ask about one that has ended.
pub(super) fn confirm(app: &App, customer: &Customer, found: apps::App) -> Response {
    if !found.live {
        return one(app, customer, found);
    }
    let Some(words) = AppWords::of(&found, app.context.clocks.bank()) else { return problem::nothing_here(app) };
    let (frame, form_token) = (Frame::of(app), customer.form_token.clone());
    page(app, StatusCode::OK, &StopPage { frame, form_token, app: words }, &Policy::plain())
}

pub(in crate::pages) const fn told(notice: Notice) -> Told {
    match notice {
        Notice::WrongPassword => Told { text: "User name or password is wrong. Please try again.", at: "name" },
        Notice::WrongCode => Told { text: "That is not the code we sent. Please try again.", at: "code" },
    }
}
