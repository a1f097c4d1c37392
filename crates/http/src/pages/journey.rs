//! The pages of a journey: what each shows of its view.

use super::decision::{asking, paying, sharing};
use super::frame::Frame;
use super::parties::Who;
use super::payment::PaymentWords;
use super::reply::{Policy, page};
use crate::App;
use askama::Template;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use jiff::Timestamp;
use lombard_auth::authorisation::journey::{Notice, Offer, Stage, View};
use lombard_domain::consent::{Consent, Terms};

/// The notice of a page that is shown again, and the field to focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    pub text: &'static str,
    pub at: &'static str,
}

/// What every page of a journey holds.
pub(super) struct Journey {
    pub id: String,
    pub form_token: String,
    pub who: Who,
    pub asks: Asks,
}

/// What is asked for, as the pages before the decision tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asks {
    /// To see account information.
    Access,
    /// To make a payment: the one-time code is linked to it. Source: AS-142.
    Payment(PaymentWords),
    /// Whether there is enough money in an account.
    Funds,
}

impl Asks {
    /// `now` is the bank's time.
    pub(super) fn of(consent: &Consent, now: Timestamp) -> Self {
        match &consent.terms {
            Terms::AccountAccess(_) => Self::Access,
            Terms::FundsConfirmation(_) => Self::Funds,
            Terms::Payment(payment) => {
                Self::Payment(PaymentWords::of(payment, &payment.conditions, consent.created_at, now))
            }
        }
    }
}

#[derive(Template)]
#[template(path = "login.html")]
pub(super) struct LoginPage<'a> {
    pub frame: Frame<'a>,
    pub journey: Journey,
    pub notice: Option<Told>,
    pub shown: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "second_factor.html")]
pub(super) struct SecondFactorPage<'a> {
    pub frame: Frame<'a>,
    pub journey: Journey,
    pub notice: Option<Told>,
    pub sent_to: String,
    pub shown_code: Option<String>,
}

/// The present page of a journey, with a word on why it is shown again.
pub(super) fn show(app: &App, view: View, notice: Option<Notice>) -> Response {
    // A form that was understood but not accepted.
    let status = if notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let policy = Policy::leading_to(&view.redirect_uri);
    let (frame, asks) = (Frame::of(app), Asks::of(&view.consent, app.context.clocks.bank()));
    let notice = notice.map(|notice| told(notice, &asks));
    let (id, form_token) = (view.id.as_str().to_owned(), view.form_token);
    let journey = Journey { id, form_token, who: Who::of(&view.client), asks };
    match view.stage {
        Stage::Login { shown } => page(app, status, &LoginPage { frame, journey, notice, shown }, &policy),
        Stage::SecondFactor { challenge } => {
            let (sent_to, shown_code) = (challenge.sent_to, challenge.shown_code);
            page(app, status, &SecondFactorPage { frame, journey, notice, sent_to, shown_code }, &policy)
        }
        Stage::Decision { name, offer: Offer::ToShare(accounts), .. } => {
            let template = sharing(frame, journey, notice, &name, &view.consent, accounts);
            page(app, status, &template, &policy)
        }
        Stage::Decision { name, offer: Offer::ToPayFrom(means), lines } => {
            let Some(template) = paying(frame, journey, notice, &name, &view.consent, means, &lines) else {
                tracing::error!("accounts to pay from were offered for something else");
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            };
            page(app, status, &template, &policy)
        }
        Stage::Decision { name, offer: Offer::ToAskAbout(account), .. } => {
            let template = asking(frame, journey, notice, &name, &view.consent, account.map(|account| *account));
            page(app, status, &template, &policy)
        }
    }
}

const fn told(notice: Notice, asks: &Asks) -> Told {
    let (text, at) = match (notice, asks) {
        (Notice::WrongPassword, _) => ("User name or password is wrong. Please try again.", "name"),
        (Notice::WrongCode, _) => ("That is not the code we sent. Please try again.", "code"),
        (Notice::NoAccount, Asks::Access) => ("Choose at least one account, or refuse.", "account-1"),
        (Notice::NoAccount | Notice::OtherAccounts, Asks::Funds) => {
            ("Your account has changed since this page was shown. Please decide again.", "decide")
        }
        (Notice::NoAccount, Asks::Payment(_)) => ("Choose the account to pay from, or refuse.", "account-1"),
        (Notice::OtherAccounts, _) => {
            ("Your accounts have changed since this page was shown. Please choose again.", "account-1")
        }
    };
    Told { text, at }
}
