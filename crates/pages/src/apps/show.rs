//! Builds the pages about connected applications.

use super::past_payment::PaidView;
use super::pending_payment::PendingPaymentView;
use crate::access::{ends, period};
use crate::frame::PageFrame;
use crate::parties::{AccountView, RequestingParty};
use crate::payment::{LimitUsageView, PaymentSummaryView, VrpConsentView};
use crate::permissions::{PermissionGroup, groups};
use crate::problem;
use crate::reply::{PagePolicy, send_page};
use crate::text;
use crate::times::short_moment as moment;
use askama::Template;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use lombard_auth::sessions::payments::PendingPayment;
use lombard_auth::sessions::{LoggedInPsu, apps};
use lombard_domain::account::Account;
use lombard_domain::consent::{Consent, ConsentRequest, ConsentState};
use lombard_domain::payment::vrp::LimitUsage;
use lombard_edge::App;

#[derive(Template)]
#[template(path = "apps/list.html")]
pub(crate) struct AppsPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub name: String,
    pub waiting: Vec<PendingPaymentView>,
    pub apps: Vec<AppView>,
    /// The latest payments of all applications.
    pub paid: Vec<PaidView>,
    /// The number of requests that wait for the customer.
    pub asked: usize,
    /// A message about data that is not available, if any is not.
    pub missing: Option<&'static str>,
}

const APPS_MISSING: &str = "Your applications cannot be shown right now. Please try again in a moment.";
const PAYMENTS_MISSING: &str = "Payments that wait for you cannot be shown right now. Please try again in a moment.";

impl AppsPage<'_> {
    /// The cards, one for each application.
    fn cards(&self) -> Vec<AppCard<'_>> {
        AppCard::of_each(&self.apps, &self.paid)
    }

    /// A summary of what the applications can do.
    fn lead(&self) -> &'static str {
        let any = |gives: fn(&AppAccess) -> bool| self.apps.iter().any(|app| gives(&app.gives));
        let pays = any(|it| matches!(it, AppAccess::Payments { .. }));
        let funds = any(|it| matches!(it, AppAccess::Funds));
        match (self.apps.is_empty(), pays, funds) {
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
#[template(path = "apps/details.html")]
pub(crate) struct AppPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub app: AppView,
}

#[derive(Template)]
#[template(path = "apps/stop.html")]
pub(crate) struct StopPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub app: AppView,
}

/// An application as a card of the page.
#[derive(Clone)]
pub(crate) struct AppCard<'a> {
    pub who: &'a RequestingParty,
    /// The access of the application, one entry for each consent.
    pub apps: Vec<&'a AppView>,
    /// The latest payments that the application submitted.
    pub payments: Vec<&'a PaidView>,
}

impl<'a> AppCard<'a> {
    /// Builds a card for each application, in the order of their first occurrence.
    fn of_each(apps: &'a [AppView], paid: &'a [PaidView]) -> Vec<Self> {
        let named = apps.iter().map(|app| (app.client.as_str(), &app.who));
        let mut clients: Vec<(&str, &RequestingParty)> = Vec::new();
        for (client, who) in named.chain(paid.iter().map(|paid| (paid.client.as_str(), &paid.who))) {
            if clients.iter().all(|(known, _)| *known != client) {
                clients.push((client, who));
            }
        }
        let card = |(client, who): (&str, &'a RequestingParty)| Self {
            who,
            apps: apps.iter().filter(|app| app.client == client).collect(),
            payments: paid.iter().filter(|paid| paid.client == client).collect(),
        };
        clients.into_iter().map(card).collect()
    }
}

/// A connected application in words.
pub(crate) struct AppView {
    pub id: String,
    /// The client id of the application.
    pub client: String,
    pub who: RequestingParty,
    /// The access that the consent gives.
    pub gives: AppAccess,
    pub since: String,
    pub ends: String,
    pub last_used: String,
    pub accounts: Vec<AccountView>,
    /// The reason why the access has ended, if it has ended.
    pub ended: Option<String>,
}

/// The access that a consent gives to an application.
pub(crate) enum AppAccess {
    /// The application can read account information.
    Access {
        /// The groups of permissions.
        groups: Vec<PermissionGroup>,
        /// The covered transactions.
        transactions: Option<String>,
    },
    /// The application can ask whether there is enough money.
    Funds,
    /// The application can make payments within limits.
    Payments {
        /// The terms of the VRP consent.
        vrp: Box<VrpConsentView>,
        /// The present usage of each limit.
        used: Vec<LimitUsageView>,
        /// Whether the last day of payments has passed.
        over: bool,
    },
}

/// The data about a connected application in addition to its consent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConnectionDetails<'a> {
    pub accounts: &'a [Account],
    pub last_used_at: Option<Timestamp>,
    pub live: bool,
    pub standings: &'a [LimitUsage],
    /// The bank's time.
    pub now: Timestamp,
}

impl AppView {
    /// Describes a connected application; `None` for a single payment, which connects nothing.
    fn of(app: &apps::ConnectedApp, now: Timestamp) -> Option<Self> {
        let apps::ConnectedApp { consent, client, accounts, last_used_at, live, limit_usage: standings } = app;
        let seen = ConnectionDetails { accounts, last_used_at: *last_used_at, live: *live, standings, now };
        Self::new(RequestingParty::of(client), consent, seen)
    }

    pub(crate) fn new(who: RequestingParty, consent: &Consent, seen: ConnectionDetails<'_>) -> Option<Self> {
        Some(Self {
            id: consent.id.as_str().to_owned(),
            client: consent.client.as_str().to_owned(),
            who,
            gives: AppAccess::of(consent, seen)?,
            since: moment(consent.authorised_at.unwrap_or(consent.created_at)),
            ends: ends(consent),
            last_used: seen.last_used_at.map_or_else(|| "Not yet".to_owned(), moment),
            accounts: seen.accounts.iter().map(AccountView::of).collect(),
            ended: (!seen.live).then(|| match (consent.state, consent.expires_at) {
                (ConsentState::Revoked(_), _) => format!("Access was stopped on {}.", moment(consent.state_changed_at)),
                (_, Some(end)) => format!("Access ended on {}.", moment(end)),
                (_, None) => "It has no access.".to_owned(),
            }),
        })
    }

    /// The label of the button that ends the access.
    fn stop(&self) -> &'static str {
        match self.gives {
            AppAccess::Access { .. } | AppAccess::Funds => "Stop access",
            AppAccess::Payments { .. } => "Stop payments",
        }
    }
}

impl AppAccess {
    fn of(consent: &Consent, seen: ConnectionDetails<'_>) -> Option<Self> {
        Some(match &consent.request {
            ConsentRequest::AccountAccess(access) => {
                Self::Access { groups: groups(access.permissions), transactions: period(access) }
            }
            ConsentRequest::FundsConfirmation(_) => Self::Funds,
            ConsentRequest::Payment(payment) => {
                let terms = payment.terms.instruction.vrp()?;
                let anchor = terms.controls.limits_from(consent.created_at).anchor();
                Self::Payments {
                    vrp: Box::new(VrpConsentView::of(terms, payment.terms.context, consent.created_at, seen.now)),
                    used: seen.standings.iter().map(|standing| LimitUsageView::of(standing, anchor)).collect(),
                    over: terms.controls.has_ended(seen.now),
                }
            }
        })
    }
}

/// Shows the connected applications and the payments that wait.
pub(super) fn list(
    app: &App,
    customer: &LoggedInPsu,
    connected: Option<&[apps::ConnectedApp]>,
    waiting: Option<&[PendingPayment]>,
    (paid, asked): (&[apps::PastPayment], usize),
) -> Response {
    let now = app.context.clocks.bank_now();
    let missing = match (connected, waiting) {
        (None, _) => Some(APPS_MISSING),
        (Some(_), None) => Some(PAYMENTS_MISSING),
        (Some(_), Some(_)) => None,
    };
    let template = AppsPage {
        frame: PageFrame::of(app),
        form_token: customer.form_token.clone(),
        name: text::name(&customer.name),
        waiting: waiting.unwrap_or_default().iter().map(PendingPaymentView::of).collect(),
        apps: connected.unwrap_or_default().iter().filter_map(|app| AppView::of(app, now)).collect(),
        paid: paid.iter().map(PaidView::of).collect(),
        asked,
        missing,
    };
    send_page(app, StatusCode::OK, &template, &PagePolicy::plain())
}

/// Shows one application, which is or was connected.
pub(super) fn one(app: &App, customer: &LoggedInPsu, found: apps::ConnectedApp) -> Response {
    let Some(words) = AppView::of(&found, app.context.clocks.bank_now()) else { return problem::not_found(app) };
    let frame = PageFrame::of(app);
    let form_token = customer.form_token.clone();
    send_page(app, StatusCode::OK, &AppPage { frame, form_token, app: words }, &PagePolicy::plain())
}

/// Asks whether to end the access. For access that has ended, there is nothing to confirm.
pub(super) fn confirm(app: &App, customer: &LoggedInPsu, found: apps::ConnectedApp) -> Response {
    if !found.live {
        return one(app, customer, found);
    }
    let Some(words) = AppView::of(&found, app.context.clocks.bank_now()) else { return problem::not_found(app) };
    let frame = PageFrame::of(app);
    let form_token = customer.form_token.clone();
    send_page(app, StatusCode::OK, &StopPage { frame, form_token, app: words }, &PagePolicy::plain())
}
