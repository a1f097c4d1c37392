//! `/apps/payments`: payments that wait for another customer's agreement. Source: PIS-112.

use super::{AppsFormSubmission, HOME, customer, failed, found_or_not, halted};
use crate::App;
use crate::pages::form::PageRequest;
use crate::pages::frame::PageFrame;
use crate::pages::lines::{self, LinesLocation};
use crate::pages::notice::NoticeText;
use crate::pages::parties::{AccountWords, RequestingParty};
use crate::pages::payment::{LineWords, PaymentTimeWords, PaymentWords, RateCertainty, moment};
use crate::pages::problem;
use crate::pages::reply::{PagePolicy, page, to_page};
use crate::pages::text;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use http::{Method, StatusCode};
use lombard_auth::file_lines::ListedFileLine;
use lombard_auth::sessions::payments::{self, DecisionResult, PaymentDecision, PendingPayment};
use lombard_auth::sessions::{LoggedInPsu, LoginNotice, SessionError};
use lombard_domain::consent::PaymentConsent;
use lombard_domain::ids::OrderId;
use lombard_domain::order::{ApprovalStatus, Order, RejectionReason};
use lombard_ports::identity::Challenge;
use lombard_service::payments::consents::PricedDebit;

#[derive(Template)]
#[template(path = "apps/payments.html")]
pub(in crate::pages) struct PaymentsPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub waiting: Vec<PendingPaymentWords>,
}

#[derive(Template)]
#[template(path = "apps/payment.html")]
pub(in crate::pages) struct PendingPaymentPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub notice: Option<NoticeText>,
    pub payment: PaymentWords,
    pub waiting: PendingPaymentWords,
    pub asked: Option<CodeWords>,
    /// The first payments, of a file.
    pub lines: Vec<LineWords>,
    /// Where all of them are.
    pub pages: String,
}

/// The one-time code that is asked for.
pub(in crate::pages) struct CodeWords {
    pub sent_to: String,
    pub shown_code: Option<String>,
}

/// A payment that several customers must agree to, in words.
pub(in crate::pages) struct PendingPaymentWords {
    pub id: String,
    pub who: RequestingParty,
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
    pub outcome: Option<ApprovalOutcome>,
}

/// What became of a payment, as its page says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) struct ApprovalOutcome {
    pub title: &'static str,
    pub text: &'static str,
}

impl ApprovalOutcome {
    const WAITS: Self =
        Self { title: "You have agreed", text: "Another authoriser has yet to agree. Nothing is paid until then." };
    const AGREED: Self = Self {
        title: "Everybody has agreed",
        text: "No further action is needed. The bank makes the payment as shown here.",
    };
    const DECLINED: Self = Self { title: "This was declined", text: "Nothing is paid. The application has been told." };
    const LAPSED: Self = Self {
        title: "The time to agree has expired",
        text: "Not everybody agreed in time, so nothing is paid. The application has been told.",
    };

    fn of(payment: &PendingPayment) -> Option<Self> {
        let status = payment.order.approvals.as_ref().map(|approvals| approvals.status);
        match (status, payment.order.reason) {
            (Some(ApprovalStatus::Awaiting), _) if payment.asks => None,
            (Some(ApprovalStatus::Awaiting), _) if payment.lapsed => Some(Self::LAPSED),
            (Some(ApprovalStatus::Awaiting), _) => Some(Self::WAITS),
            (Some(ApprovalStatus::Rejected), Some(RejectionReason::AuthorisationLapsed)) => Some(Self::LAPSED),
            (Some(ApprovalStatus::Rejected), _) => Some(Self::DECLINED),
            (Some(ApprovalStatus::Authorised) | None, _) => Some(Self::AGREED),
        }
    }
}

impl PendingPaymentWords {
    pub(super) fn of(payment: &PendingPayment) -> Self {
        let account = payment.account.as_ref().map(AccountWords::of);
        Self::new(
            RequestingParty::of(&payment.client),
            (&payment.order, &payment.consent, payment.priced.as_ref()),
            account,
            &payment.agreed,
            ApprovalOutcome::of(payment),
        )
    }

    pub(in crate::pages) fn new(
        who: RequestingParty,
        (order, consent, priced): (&Order, &PaymentConsent, Option<&PricedDebit>),
        account: Option<AccountWords>,
        agreed: &[String],
        outcome: Option<ApprovalOutcome>,
    ) -> Self {
        let approvals = order.approvals.as_ref();
        let (conditions, at) = (&order.conditions, order.created_at);
        Self {
            id: order.id.as_str().to_owned(),
            who,
            payment: PaymentWords::of(consent, conditions, at, at).priced(priced, conditions),
            account,
            agreed: agreed.iter().map(|name| text::name(name)).collect(),
            required: approvals.map_or(1, |approvals| approvals.required),
            ordered: moment(order.created_at),
            by: approvals.and_then(|approvals| approvals.expires_at).map(moment),
            outcome,
        }
    }

    /// What kind of payment it is, at the beginning of a sentence.
    pub(super) fn kind(&self) -> String {
        match &self.payment {
            PaymentWords::Transfer(transfer) => match &transfer.when {
                PaymentTimeWords::Now => "A payment".to_owned(),
                PaymentTimeWords::On { day, leaves, .. } => format!("A payment on {}", leaves.as_ref().unwrap_or(day)),
                PaymentTimeWords::StandingOrder(schedule) => {
                    format!("A standing order: {}", schedule.frequency.to_lowercase())
                }
            },
            PaymentWords::File(file) => match &file.name {
                Some(name) => format!("A file of payments, called {name}"),
                None => "A file of payments".to_owned(),
            },
            PaymentWords::Vrp(_) => "Payments within limits".to_owned(),
        }
    }

    /// The heading of its page.
    fn title(&self) -> &'static str {
        self.outcome.map_or_else(|| self.payment.question(), |outcome| outcome.title)
    }
}

impl<'a> PendingPaymentPage<'a> {
    pub(in crate::pages) fn new(
        frame: PageFrame<'a>,
        form_token: String,
        notice: Option<NoticeText>,
        waiting: PendingPaymentWords,
        asked: Option<CodeWords>,
        lines: &[ListedFileLine],
    ) -> Self {
        let pages = format!("{HOME}/payments/{}/file", waiting.id);
        let (payment, lines) = (waiting.payment.clone(), lines.iter().map(LineWords::of).collect());
        Self { frame, form_token, notice, payment, waiting, asked, lines, pages }
    }
}

/// The page of one payment.
pub(super) async fn one(Path(id): Path<OrderId>, visit: PageRequest) -> Response {
    present(&visit, &id, None).await
}

/// The payments of a file, a page of them.
pub(super) async fn file(Path(id): Path<OrderId>, visit: PageRequest) -> Response {
    let customer = match customer(&visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let found = payments::list_payment_lines(&visit.auth(), &customer, &id, visit.page_number()).await;
    let place = LinesLocation::Apps(path_of(&id), customer.form_token);
    found_or_not(&visit, found, |(payment, lines)| lines::show(&visit.app, place, &payment, &lines))
}

/// The payments that wait for the customer.
pub(super) async fn list(visit: PageRequest) -> Response {
    let customer = match customer(&visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let waiting = match payments::list_pending_payments(&visit.app.auth, &customer).await {
        Ok(waiting) => waiting.iter().map(PendingPaymentWords::of).collect(),
        Err(error) => return failed(&visit, &error),
    };
    let template = PaymentsPage { frame: PageFrame::of(&visit.app), form_token: customer.form_token, waiting };
    page(&visit.app, StatusCode::OK, &template, &PagePolicy::plain())
}

/// A customer's word on it.
pub(super) async fn decide(Path(id): Path<OrderId>, turn: AppsFormSubmission) -> Response {
    let app = &turn.visit.app;
    let answer = match turn.fields.first("decision") {
        "approve" => PaymentDecision::Approve(turn.fields.code()),
        "decline" => PaymentDecision::Decline,
        // Neither button was pressed: nothing was said.
        _ => return to_page(app, &Method::POST, &path_of(&id), None),
    };
    match payments::decide_payment(&turn.visit.auth(), &turn.submission, &id, &answer).await {
        Ok(Some(DecisionResult::Decided)) | Err(SessionError::Stale) => {
            to_page(app, &Method::POST, &path_of(&id), None)
        }
        Ok(Some(DecisionResult::Retry(notice))) => present(&turn.visit, &id, Some(notice)).await,
        Ok(None) => problem::nothing_here(app),
        Err(halt) => halted(&turn.visit, halt),
    }
}

fn path_of(id: &OrderId) -> String {
    format!("{HOME}/payments/{id}")
}

async fn present(visit: &PageRequest, id: &OrderId, notice: Option<LoginNotice>) -> Response {
    let customer = match customer(visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let found = payments::find_pending_payment(&visit.auth(), &customer, id).await;
    found_or_not(visit, found, |(payment, asked)| show(&visit.app, &customer, &payment, asked, notice))
}

fn show(
    app: &App,
    customer: &LoggedInPsu,
    payment: &PendingPayment,
    asked: Option<Challenge>,
    notice: Option<LoginNotice>,
) -> Response {
    let asked = asked.map(|Challenge { sent_to, shown_code }| CodeWords { sent_to, shown_code });
    let (notice, waiting) = (notice.map(super::show::notice_text), PendingPaymentWords::of(payment));
    let template = PendingPaymentPage::new(
        PageFrame::of(app),
        customer.form_token.clone(),
        notice,
        waiting,
        asked,
        &payment.lines,
    );
    page(app, super::show::status(notice), &template, &PagePolicy::plain())
}
