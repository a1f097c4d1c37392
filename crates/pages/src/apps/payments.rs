//! `/apps/payments`: payments that wait for the approval of another customer. Source: PIS-112.

use super::login::{notice_text, status};
use super::path::HOME;
use super::pending_payment::PendingPaymentView;
use super::session::{AppsFormSubmission, customer, failed, found_or_not, respond_error};
use crate::form::PageRequest;
use crate::frame::PageFrame;
use crate::lines;
use crate::lines::LinesLocation;
use crate::notice::NoticeText;
use crate::payment::{LineView, PayeeCheck, PaymentSummaryView, PaymentTimeView, RateCertainty};
use crate::problem;
use crate::reply::{PagePolicy, redirect_to_page, send_page, to_provider};
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use http::{Method, StatusCode};
use lombard_auth::file_lines::ListedFileLine;
use lombard_auth::sessions::payments::{self, ApprovalForm, DecisionResult, PaymentDecision, PendingPayment};
use lombard_auth::sessions::{LoggedInPsu, LoginNotice, SessionError};
use lombard_domain::ids::OrderId;
use lombard_edge::App;
use lombard_ports::identity::Challenge;

#[derive(Template)]
#[template(path = "apps/payments.html")]
pub(crate) struct PaymentsPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub waiting: Vec<PendingPaymentView>,
}

#[derive(Template)]
#[template(path = "apps/payment.html")]
pub(crate) struct PendingPaymentPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub notice: Option<NoticeText>,
    pub payment: PaymentSummaryView,
    pub waiting: PendingPaymentView,
    /// The result of Confirmation of Payee.
    pub check: Option<PayeeCheck>,
    pub asked: Option<ApprovalView>,
    /// The first payments, if the order is a file.
    pub lines: Vec<LineView>,
    /// The path of the pages that list all payments of the file.
    pub pages: String,
}

/// How the customer authenticates to approve the payment.
pub(crate) enum ApprovalView {
    /// The customer enters a one-time code.
    Code(CodeView),
    /// The customer authenticates at the bank's identity provider.
    AtProvider,
}

/// The one-time code that the page requests.
pub(crate) struct CodeView {
    pub sent_to: String,
    pub shown_code: Option<String>,
}

impl<'a> PendingPaymentPage<'a> {
    pub(crate) fn new(
        frame: PageFrame<'a>,
        form_token: String,
        notice: Option<NoticeText>,
        waiting: PendingPaymentView,
        asked: Option<ApprovalView>,
        lines: &[ListedFileLine],
    ) -> Self {
        let pages = format!("{HOME}/payments/{}/file", waiting.id);
        let payment = waiting.payment.clone();
        let lines = lines.iter().map(LineView::of).collect();
        Self { frame, form_token, notice, payment, waiting, check: None, asked, lines, pages }
    }
}

/// Shows the page of one payment.
pub(super) async fn one(Path(id): Path<OrderId>, visit: PageRequest) -> Response {
    Box::pin(present(&visit, &id, None)).await
}

/// Shows one page of the payments in a file.
pub(super) async fn file(Path(id): Path<OrderId>, visit: PageRequest) -> Response {
    let customer = match customer(&visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let found = payments::list_payment_lines(&visit.auth(), &customer, &id, visit.page_number()).await;
    let place = LinesLocation::Apps(path_of(&id), customer.form_token);
    found_or_not(&visit, found, |(payment, lines)| lines::show(&visit.app, place, &payment, &lines))
}

/// Lists the payments that wait for the customer.
pub(super) async fn list(visit: PageRequest) -> Response {
    let customer = match customer(&visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let waiting = match payments::list_pending_payments(&visit.app.auth, &customer).await {
        Ok(waiting) => waiting.iter().map(PendingPaymentView::of).collect(),
        Err(error) => return failed(&visit, &error),
    };
    let template = PaymentsPage { frame: PageFrame::of(&visit.app), form_token: customer.form_token, waiting };
    send_page(&visit.app, StatusCode::OK, &template, &PagePolicy::plain())
}

/// Handles the decision of a further authoriser about the payment.
pub(super) async fn decide(Path(id): Path<OrderId>, form: AppsFormSubmission) -> Response {
    let app = &form.visit.app;
    let answer = match form.fields.first("decision") {
        "approve" => match form.count_provider_login() {
            Ok(()) => PaymentDecision::Approve(form.fields.code()),
            Err(answered) => return *answered,
        },
        "decline" => PaymentDecision::Decline,
        // The form names neither decision, so nothing was decided.
        _ => return redirect_to_page(app, &Method::POST, &path_of(&id), None),
    };
    let decided = payments::decide_payment(&form.visit.auth(), &form.submission, &id, &answer).await;
    Box::pin(follow_decision(&form.visit, &Method::POST, &id, decided)).await
}

/// Redirects to the page that follows a decision, for a request with this method.
pub(crate) async fn follow_decision(
    visit: &PageRequest,
    method: &Method,
    id: &OrderId,
    decided: Result<Option<DecisionResult>, SessionError>,
) -> Response {
    match decided {
        Ok(Some(DecisionResult::Decided)) | Err(SessionError::Stale) => {
            redirect_to_page(&visit.app, method, &path_of(id), None)
        }
        Ok(Some(DecisionResult::RedirectToProvider(location))) => to_provider(&visit.app, &location),
        Ok(Some(DecisionResult::Retry(notice))) => Box::pin(present(visit, id, Some(notice))).await,
        Ok(None) => problem::not_found(&visit.app),
        Err(error) => respond_error(visit, error),
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
    asked: Option<ApprovalForm>,
    notice: Option<LoginNotice>,
) -> Response {
    let mut policy = PagePolicy::plain();
    let asked = asked.map(|asked| match asked {
        ApprovalForm::Code(Challenge { sent_to, shown_code }) => ApprovalView::Code(CodeView { sent_to, shown_code }),
        ApprovalForm::AtProvider { origin } => {
            policy = PagePolicy::plain().and_to(&origin);
            ApprovalView::AtProvider
        }
    });
    let notice = notice.map(notice_text);
    let waiting = PendingPaymentView::of(payment);
    let check = payment.payee.as_ref().map(PayeeCheck::of);
    let template = PendingPaymentPage::new(
        PageFrame::of(app),
        customer.form_token.clone(),
        notice,
        waiting,
        asked,
        &payment.lines,
    );
    send_page(app, status(notice), &PendingPaymentPage { check, ..template }, &policy)
}
