//! The pages of a journey, and the part of its view that each page shows.

use super::decision::{PaymentPage, PaymentView, asking, paying, sharing};
use super::form::PageRequest;
use super::frame::PageFrame;
use super::journey_view::{JourneyPageView, RequestedAccess};
use super::notice::NoticeText;
use super::order_plans::PlanChoices;
use super::parties::RequestingParty;
use super::payment::PaymentSummaryView;
use super::reply::{PagePolicy, send_page};
use askama::Template;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use lombard_auth::authorisation::journey::{AccountOptions, JourneyNotice, JourneyPage, JourneyView, LoginForm};
use lombard_domain::consent::DecisionEvidence;
use lombard_domain::payment::order::PayeeConfirmation;

#[derive(Template)]
#[template(path = "login.html")]
pub(super) struct LoginPage<'a> {
    pub frame: PageFrame<'a>,
    pub journey: JourneyPageView,
    pub notice: Option<NoticeText>,
    pub shown: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "login_at_provider.html")]
pub(super) struct ProviderLoginPage<'a> {
    pub frame: PageFrame<'a>,
    pub journey: JourneyPageView,
    pub notice: Option<NoticeText>,
}

#[derive(Template)]
#[template(path = "second_factor.html")]
pub(super) struct SecondFactorPage<'a> {
    pub frame: PageFrame<'a>,
    pub journey: JourneyPageView,
    pub notice: Option<NoticeText>,
    pub sent_to: String,
    pub shown_code: Option<String>,
}

/// Shows the present page of a journey, with a notice if it is shown again. For a payment decision, also returns the evidence of what it
/// shows.
pub(super) fn show(
    visit: &PageRequest,
    view: JourneyView,
    notice: Option<JourneyNotice>,
) -> (Response, Option<DecisionEvidence>) {
    let app = &visit.app;
    // The status 422 means that a form was understood but not accepted.
    let status = if notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let policy = PagePolicy::leading_to(&view.redirect_uri).and_script();
    let frame = PageFrame::of(app);
    let requested = RequestedAccess::of(&view.consent, app.context.clocks.bank_now());
    let notice = notice.map(|notice| notice_text(notice, &requested));
    let id = view.id.as_str().to_owned();
    let form_token = view.form_token;
    let journey = JourneyPageView {
        id,
        form_token,
        who: RequestingParty::of(&view.client),
        requested,
        returns: !view.is_decoupled,
    };
    let shown = match view.page {
        JourneyPage::Login { form: LoginForm::Password { shown } } => {
            send_page(app, status, &LoginPage { frame, journey, notice, shown }, &policy)
        }
        JourneyPage::Login { form: LoginForm::AtProvider { origin } } => {
            send_page(app, status, &ProviderLoginPage { frame, journey, notice }, &policy.and_to(&origin))
        }
        JourneyPage::SecondFactor { challenge } => {
            let sent_to = challenge.sent_to;
            let shown_code = challenge.shown_code;
            send_page(app, status, &SecondFactorPage { frame, journey, notice, sent_to, shown_code }, &policy)
        }
        JourneyPage::Decision { name, offer: AccountOptions::ToShare(mut accounts), .. } => {
            let selects_all = visit.selects_all();
            accounts.iter_mut().for_each(|offered| offered.preselected |= selects_all);
            let template = sharing(frame, journey, notice, &name, &view.consent, accounts);
            send_page(app, status, &template, &policy)
        }
        JourneyPage::Decision { name, offer: AccountOptions::ToPayFrom(means), lines, findings: known } => {
            let payee = known.payee.as_ref().map(PayeeConfirmation::finding);
            let shown = PaymentView { means, lines, known: *known, warnings: &app.settings.payment_warnings };
            let Some(template) = paying(frame, journey, notice, &name, &view.consent, shown) else {
                tracing::error!("payer accounts were offered for a consent that is not a payment consent");
                return (StatusCode::INTERNAL_SERVER_ERROR.into_response(), None);
            };
            let plan = visit.testers.as_ref().map(|_| PlanChoices::all());
            let template = PaymentPage { plan, ..template };
            return (send_page(app, status, &template, &policy), Some(template.evidence(payee)));
        }
        JourneyPage::Decision { name, offer: AccountOptions::ToAskAbout(account), .. } => {
            let template = asking(frame, journey, notice, &name, &view.consent, account.map(|account| *account));
            send_page(app, status, &template, &policy)
        }
    };
    (shown, None)
}

const fn notice_text(notice: JourneyNotice, requested: &RequestedAccess) -> NoticeText {
    let (text, at) = match (notice, requested) {
        (JourneyNotice::WrongPassword, _) => ("User name or password is wrong. Please try again.", "name"),
        (JourneyNotice::WrongCode, _) => ("That is not the code we sent. Please try again.", "code"),
        (JourneyNotice::ProviderRefused, _) => {
            ("Your login could not be confirmed. Nothing was shared. Please log in again.", "continue")
        }
        (JourneyNotice::NoAccount, RequestedAccess::Access) => ("Choose at least one account, or refuse.", "account-1"),
        (JourneyNotice::NoAccount | JourneyNotice::OtherAccounts, RequestedAccess::Funds) => {
            ("Your account has changed since this page was shown. Please decide again.", "decide")
        }
        (JourneyNotice::NoAccount, RequestedAccess::Payment(_)) => {
            ("Choose the account to pay from, or refuse.", "account-1")
        }
        (JourneyNotice::NotEnoughFunds, _) => (
            "There is not enough money in that account now. If more money will arrive before the payment is made, agree again. \
             You can also choose another account, if you have one, or refuse.",
            "account-1",
        ),
        (JourneyNotice::OtherAccounts, _) => {
            ("Your accounts have changed since this page was shown. Please choose again.", "account-1")
        }
    };
    NoticeText { text, at }
}
