//! The controls of a sandbox as forms: the clock, money that arrives or leaves, faults on the application's own calls.

use super::decisions::{Controls, for_request, refusal};
use super::forms::controls;
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::paths::CONTROLS;
use super::services::PortalSandbox;
use super::visit::{PortalForm, PortalVisit};
use super::written::moment;
use crate::App;
use crate::faults::{add_own_fault, list_own_faults, remove_own_faults};
use crate::ops::sandbox::{move_clock, read_clock_move, read_entry};
use crate::pages::form::FormFields;
use crate::pages::frame::PageFrame;
use crate::pages::reply::to_page;
use askama::Template;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};
use http::Method;
use lombard_domain::ids::BankAccountId;
use lombard_ports::controls::ControlError;
use serde_json::{Map, Value};

/// Units of time, by their names and seconds. A month of the form is thirty days.
const UNITS: [(&str, i64); 5] =
    [("minutes", 60), ("hours", 3_600), ("days", 86_400), ("weeks", 604_800), ("months of 30 days", 2_592_000)];

/// The page.
#[derive(Template)]
#[template(path = "portal/controls.html")]
pub(in crate::pages) struct ControlsPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub clock: Option<ClockWords>,
    /// The application's faults, as JSON.
    pub faults: Vec<String>,
    pub units: [(&'static str, i64); 5],
}

/// The bank's clock.
#[derive(Debug)]
pub(in crate::pages) struct ClockWords {
    pub now: String,
    /// What is due and was not carried out yet.
    pub left: Vec<&'static str>,
}

impl PortalPage for ControlsPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

/// The page and the forms of faults, which every sandbox has.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(CONTROLS, get(show))
        .route(&format!("{CONTROLS}/faults"), post(add_fault))
        .route(&format!("{CONTROLS}/faults/remove"), post(remove_faults))
}

/// The forms that need the controls.
pub(super) fn bank_routes() -> Router<App> {
    Router::new()
        .route(&format!("{CONTROLS}/clock"), post(advance))
        .route(&format!("{CONTROLS}/transactions"), post(add_transaction))
}

async fn show(Extension(sandbox): Extension<PortalSandbox>, visit: PortalVisit) -> Response {
    let notice = match visit.parameter("done").as_deref() {
        Some("clock") => Some(PortalNotice::done("The clock is moved, and what was due is carried out.")),
        Some("transaction") => Some(PortalNotice::done("The entry is added.")),
        Some("fault") => Some(PortalNotice::done("The fault is planted.")),
        Some("removed") => Some(PortalNotice::done("The fault is removed.")),
        _ => None,
    };
    page(&sandbox, &visit, notice).await
}

async fn page(sandbox: &PortalSandbox, visit: &PortalVisit, notice: Option<PortalNotice>) -> Response {
    let (clock, notice) = match clock(visit).await {
        Ok(clock) => (clock, notice),
        Err(error) => (None, notice.or_else(|| Some(refusal(&error)))),
    };
    let template = ControlsPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::Controls, notice),
        clock,
        faults: list_own_faults(&sandbox.faults, &visit.client().id),
        units: UNITS,
    };
    respond(&visit.page.app, &template)
}

async fn clock(visit: &PortalVisit) -> Result<Option<ClockWords>, ControlError> {
    let Some(controls) = controls(visit) else { return Ok(None) };
    Ok(Some(ClockWords { now: moment(controls.clock().await?), left: controls.unsettled().await? }))
}

/// Where a form that was carried out leads.
fn done(visit: &PortalVisit, what: &str) -> Response {
    to_page(&visit.page.app, &Method::POST, &format!("{CONTROLS}?done={what}"), None)
}

async fn advance(
    Extension(sandbox): Extension<PortalSandbox>,
    Extension(controls): Controls,
    form: PortalForm,
) -> Response {
    let PortalForm { visit, fields } = form;
    let moved = match clock_order(&fields).and_then(|order| read_clock_move(&order)) {
        Ok(to) => move_clock(for_request(controls, &visit), to).await,
        Err(text) => Err(ControlError::Refused(text.into())),
    };
    match moved {
        Ok((_, left)) if left.is_empty() => done(&visit, "clock"),
        Ok((_, left)) => {
            let text = format!("The clock is moved. This is still carried out: {}.", left.join(", "));
            page(&sandbox, &visit, Some(PortalNotice::done(text))).await
        }
        Err(error) => page(&sandbox, &visit, Some(refusal(&error))).await,
    }
}

/// By how many units, or to which time.
fn clock_order(fields: &FormFields) -> Result<[(&'static str, Value); 2], String> {
    let (count, unit, to) = (fields.first("count").trim(), fields.first("unit"), fields.first("set").trim());
    if !to.is_empty() {
        return Ok([("advance_secs", Value::Null), ("set", to.into())]);
    }
    let secs = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, secs)| *secs);
    let count = count.parse::<i64>().ok().zip(secs).and_then(|(count, secs)| count.checked_mul(secs));
    let secs = count.ok_or("Say by how many units of time the clock is moved, or to which time.")?;
    Ok([("advance_secs", secs.into()), ("set", Value::Null)])
}

async fn add_transaction(
    Extension(sandbox): Extension<PortalSandbox>,
    Extension(controls): Controls,
    form: PortalForm,
) -> Response {
    let PortalForm { visit, fields } = form;
    let names = ["amount", "currency", "indicator", "status", "counterparty", "reference"];
    let entry = names.map(|name| (name, Value::from(fields.first(name).trim())));
    let account = BankAccountId::new(fields.first("account").trim());
    let added = match read_entry(&entry) {
        Ok(entry) => for_request(controls, &visit).entry_add(&account, entry).await,
        Err(text) => Err(ControlError::Refused(text.into())),
    };
    match added {
        Ok(_) => done(&visit, "transaction"),
        Err(error) => page(&sandbox, &visit, Some(refusal(&error))).await,
    }
}

async fn add_fault(Extension(sandbox): Extension<PortalSandbox>, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    match add_own_fault(&sandbox.faults, &visit.client().id, fault_members(&fields)) {
        Ok(()) => done(&visit, "fault"),
        Err(faults) => {
            let told: Vec<_> = faults.iter().map(|fault| format!("{} {}", fault.path, fault.message)).collect();
            page(&sandbox, &visit, Some(PortalNotice::refused(told.join(" ")))).await
        }
    }
}

/// The members of a fault that a form has: numbers as numbers if they are, so that what is none is refused with its name.
fn fault_members(fields: &FormFields) -> Map<String, Value> {
    let mut members = Map::new();
    for name in ["operation", "code", "cut"] {
        let text = fields.first(name).trim();
        if !text.is_empty() {
            members.insert(name.to_owned(), text.into());
        }
    }
    for name in ["status", "delay_ms", "count", "probability", "slow_body"] {
        let text = fields.first(name).trim();
        if !text.is_empty() {
            let number = serde_json::from_str(text).ok().filter(Value::is_number);
            members.insert(name.to_owned(), number.unwrap_or_else(|| text.into()));
        }
    }
    for name in ["wrong_signature", "expired_token"] {
        if !fields.first(name).is_empty() {
            members.insert(name.to_owned(), true.into());
        }
    }
    members
}

async fn remove_faults(Extension(sandbox): Extension<PortalSandbox>, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let number = fields.first("number").parse().ok();
    remove_own_faults(&sandbox.faults, &visit.client().id, number);
    done(&visit, "removed")
}
