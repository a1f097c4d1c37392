//! The orders of an application, each with its timeline.

use super::formatting::moment;
use super::forms::OutcomeForm;
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::paths::{CONSENTS, ORDERS, escaped};
use super::timeline::{TimelineLine, timeline};
use super::visit::PortalVisit;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::response::Response;
use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::{Order, PaymentExecution};
use lombard_edge::App;
use lombard_edge::routing::get;
use lombard_ops::support::words::{order_class, order_status_in_v4_0, rejection};
use lombard_pages::frame::PageFrame;
use lombard_pages::money;
use lombard_pages::problem;
use lombard_ports::clock::Clocks;
use lombard_ports::store::ClientEvent;
use lombard_service::client_records::{OrderRecord, find_order, list_events_about};
use lombard_wire::v3_1::payments::names;

/// The page of one order.
#[derive(Template)]
#[template(path = "portal/order.html")]
pub(crate) struct OrderPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub id: String,
    pub status: &'static str,
    pub class: &'static str,
    /// The URL of the order's consent.
    pub consent: String,
    pub facts: Vec<(&'static str, String)>,
    pub payments: Vec<PaymentLine>,
    pub story: Vec<TimelineLine>,
    pub outcome: Option<OutcomeForm>,
}

/// A payment of an order.
#[derive(Debug)]
pub(crate) struct PaymentLine {
    pub number: u32,
    pub amount: String,
    pub status: &'static str,
    pub since: String,
    pub due_on: String,
}

impl From<&PaymentExecution> for PaymentLine {
    fn from(payment: &PaymentExecution) -> Self {
        Self {
            number: payment.number,
            amount: money::amount(payment.amount),
            status: names::payment_status(payment.status),
            since: moment(payment.since),
            due_on: payment.due_on.to_string(),
        }
    }
}

impl PortalPage for OrderPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(&format!("{ORDERS}/{{id}}"), get(one))
}

async fn one(visit: PortalVisit, Path(id): Path<OrderId>) -> Response {
    let is_done = visit.parameter("done").is_some();
    show(&visit, &id, is_done.then(|| PortalNotice::done("The outcome is applied."))).await
}

/// The page of an order of this client. An order of another client is not found.
pub(super) async fn show(visit: &PortalVisit, id: &OrderId, notice: Option<PortalNotice>) -> Response {
    let app = &visit.page.app;
    let store = &app.context.store;
    let client = &visit.client().id;
    let OrderRecord { order, payments } = match visit.read(find_order(store, client, id).await) {
        Ok(Some(record)) => record,
        Ok(None) => return problem::not_found(app),
        Err(failed) => return *failed,
    };
    let events = match visit.read(list_events_about(store, client, id.as_str()).await) {
        Ok(events) => events,
        Err(failed) => return *failed,
    };
    let template = OrderPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::Consents, notice),
        id: order.id.to_string(),
        status: names::order_status(order.summary_status()),
        class: order_class(order.summary_status()),
        consent: format!("{CONSENTS}/{}", escaped(order.consent.as_str())),
        facts: facts(&order),
        payments: payments.iter().map(PaymentLine::from).collect(),
        story: order_timeline(&order, &events, &app.context.clocks),
        outcome: OutcomeForm::of(visit, &order, &payments),
    };
    respond(app, &template)
}

fn facts(order: &Order) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Product", order.product.name().to_owned()),
        ("Made through", order.version.segment().to_owned()),
        ("Created", moment(order.created_at)),
        ("Status in v4.0", order_status_in_v4_0(order, order.status_history.current()).to_owned()),
    ];
    if let Some(reason) = order.reason {
        facts.push(("Reason", rejection(reason).to_owned()));
    }
    if let Some(approvals) = &order.approvals {
        let received = approvals.received.len();
        let required = approvals.required;
        let state = names::approval_status(approvals.status);
        facts.push(("Authorisers", format!("{received} of {required} agreed: {state}")));
    }
    if let Some(progress) = &order.progress {
        let text = format!(
            "{} of {} payments decided, {} of them rejected",
            progress.decided, progress.count, progress.rejected
        );
        facts.push(("Progress", text));
    }
    if let Some(cause) = &order.interaction_id {
        facts.push(("Interaction id", cause.to_string()));
    }
    facts
}

/// The history of an order, in the order of time.
fn order_timeline(order: &Order, events: &[ClientEvent], clocks: &Clocks) -> Vec<TimelineLine> {
    let family = order.product.family();
    let lines = order
        .status_history
        .changes()
        .map(|change| {
            let summary = names::order_status(change.summary(family));
            let detail = order_status_in_v4_0(order, change);
            let kept = if change.warehoused { ", kept until its day" } else { "" };
            TimelineLine::at(change.at, format!("{summary} ({detail} in v4.0){kept}."))
        })
        .collect();
    timeline(lines, events, clocks)
}
