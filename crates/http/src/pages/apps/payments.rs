//! `/apps/payments`: payments that wait for another customer's agreement. Source: PIS-112.

use super::{HOME, customer, failed, halted, submitted};
use crate::App;
use crate::listener::Peer;
use crate::pages::form::Form;
use crate::pages::frame::Frame;
use crate::pages::journey::{AccountWords, Told, Who};
use crate::pages::payment::{PaymentWords, When, moment};
use crate::pages::problem;
use crate::pages::reply::{Policy, page, to_page};
use crate::pages::text;
use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use http::{HeaderMap, Method, StatusCode};
use lombard_auth::sessions::payments::{self, Answer, Payment, Said};
use lombard_auth::sessions::{Customer, Halt, Notice};
use lombard_domain::consent::PaymentConsent;
use lombard_domain::ids::{FapiInteractionId, OrderId};
use lombard_domain::order::{ApprovalStatus, Order, Reason};
use lombard_ports::identity::Challenge;

#[derive(Template)]
#[template(path = "apps/payment.html")]
pub(in crate::pages) struct PaymentPage<'a> {
    pub frame: Frame<'a>,
    pub form_token: String,
    pub notice: Option<Told>,
    pub waiting: WaitingWords,
    pub asked: Option<CodeWords>,
}

/// The one-time code that is asked for.
pub(in crate::pages) struct CodeWords {
    pub sent_to: String,
    pub shown_code: Option<String>,
}

/// A payment that several customers must agree to, in words.
pub(in crate::pages) struct WaitingWords {
    pub id: String,
    pub who: Who,
    pub payment: PaymentWords,
    pub account: Option<AccountWords>,
    /// Who has agreed.
    pub agreed: Vec<String>,
    /// How many must.
    pub required: u16,
    /// When it was ordered.
    pub ordered: String,
    /// Until when everybody must have agreed.
    pub by: Option<String>,
    /// What became of it; nothing while it waits for this customer.
    pub outcome: Option<Outcome>,
}

/// What became of a payment, as its page says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) struct Outcome {
    pub title: &'static str,
    pub text: &'static str,
}

impl Outcome {
    const WAITS: Self =
        Self { title: "You have agreed", text: "It waits for somebody else now. Until then nothing is paid." };
    const AGREED: Self = Self {
        title: "Everybody has agreed",
        text: "Nothing more is asked of you. The bank carries it out as shown here.",
    };
    const DECLINED: Self = Self { title: "This was declined", text: "Nothing is paid. The application has been told." };
    const LAPSED: Self = Self {
        title: "Time has run out",
        text: "Not everybody agreed in time, so nothing is paid. The application has been told.",
    };

    fn of(payment: &Payment) -> Option<Self> {
        let status = payment.order.approvals.as_ref().map(|approvals| approvals.status);
        match (status, payment.order.reason) {
            (Some(ApprovalStatus::Awaiting), _) if payment.asks => None,
            (Some(ApprovalStatus::Awaiting), _) if payment.lapsed => Some(Self::LAPSED),
            (Some(ApprovalStatus::Awaiting), _) => Some(Self::WAITS),
            (Some(ApprovalStatus::Rejected), Some(Reason::AuthorisationLapsed)) => Some(Self::LAPSED),
            (Some(ApprovalStatus::Rejected), _) => Some(Self::DECLINED),
            (Some(ApprovalStatus::Authorised) | None, _) => Some(Self::AGREED),
        }
    }
}

impl WaitingWords {
    pub(super) fn of(payment: &Payment) -> Self {
        let account = payment.account.as_ref().map(AccountWords::of);
        Self::new(
            Who::of(&payment.client),
            (&payment.order, &payment.consent),
            account,
            &payment.agreed,
            Outcome::of(payment),
        )
    }

    pub(in crate::pages) fn new(
        who: Who,
        (order, consent): (&Order, &PaymentConsent),
        account: Option<AccountWords>,
        agreed: &[String],
        outcome: Option<Outcome>,
    ) -> Self {
        let approvals = order.approvals.as_ref();
        Self {
            id: order.id.as_str().to_owned(),
            who,
            payment: PaymentWords::of(consent, &order.conditions),
            account,
            agreed: agreed.iter().map(|name| text::name(name)).collect(),
            required: approvals.map_or(1, |approvals| approvals.required),
            ordered: moment(order.created_at),
            by: approvals.and_then(|approvals| approvals.expires_at).map(moment),
            outcome,
        }
    }

    /// The heading of its page.
    fn title(&self) -> &'static str {
        self.outcome.map_or_else(|| self.payment.question(), |outcome| outcome.title)
    }
}

/// The page of one payment. Another's and none look alike.
pub(super) async fn one(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Path(id): Path<OrderId>,
    headers: HeaderMap,
) -> Response {
    present(&app, &reference, &id, &headers, None).await
}

/// A customer's word on it.
pub(super) async fn say(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<OrderId>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let (fields, submission) = match submitted(&app, peer, &headers, form) {
        Ok(submitted) => submitted,
        Err(refused) => return *refused,
    };
    let answer = match fields.first("decision") {
        "approve" => Answer::Approve(fields.code()),
        "decline" => Answer::Decline,
        // Neither button was pressed: nothing was said.
        _ => return to_page(&app, &Method::POST, &path_of(&id), None),
    };
    match payments::say(&app.auth, &submission, &id, &answer).await {
        Ok(Some(Said::Decided)) | Err(Halt::Stale) => to_page(&app, &Method::POST, &path_of(&id), None),
        Ok(Some(Said::Again(notice))) => present(&app, &reference, &id, &headers, Some(notice)).await,
        Ok(None) => problem::nothing_here(&app),
        Err(halt) => halted(&app, &reference, halt),
    }
}

fn path_of(id: &OrderId) -> String {
    format!("{HOME}/payments/{id}")
}

async fn present(
    app: &App,
    reference: &FapiInteractionId,
    id: &OrderId,
    headers: &HeaderMap,
    notice: Option<Notice>,
) -> Response {
    let customer = match customer(app, reference, headers, None).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    match payments::one(&app.auth, &customer, id).await {
        Ok(Some((payment, asked))) => show(app, &customer, &payment, asked, notice),
        Ok(None) => problem::nothing_here(app),
        Err(error) => failed(app, &error, reference),
    }
}

fn show(
    app: &App,
    customer: &Customer,
    payment: &Payment,
    asked: Option<Challenge>,
    notice: Option<Notice>,
) -> Response {
    let status = if notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let template = PaymentPage {
        frame: Frame::of(app),
        form_token: customer.form_token.clone(),
        notice: notice.map(super::show::told),
        waiting: WaitingWords::of(payment),
        asked: asked.map(|Challenge { sent_to, shown_code }| CodeWords { sent_to, shown_code }),
    };
    page(app, status, &template, &Policy::plain())
}
