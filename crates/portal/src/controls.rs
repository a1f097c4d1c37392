//! The controls of a sandbox as forms: the clock, money that arrives or leaves, and faults of the application's own calls.

use super::account_choices::{AccountChoice, list_account_choices};
use super::decisions::{Controls, for_request, refusal};
use super::formatting::moment;
use super::forms::controls;
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::paths::CONTROLS;
use super::refused_form::{RefusedForm, labelled};
use super::services::PortalSandbox;
use super::visit::{PortalForm, PortalVisit};
use askama::Template;
use axum::response::Response;
use axum::{Extension, Router};
use http::Method;
use lombard_core_api::form::faults::FormFault;
use lombard_domain::money::{Amount, Currency};
use lombard_edge::App;
use lombard_edge::faults::{
    CLIENT_FAULTS_MAX, add_client_fault, list_client_faults, list_operation_names, remove_client_faults,
};
use lombard_edge::routing::{get, post};
use lombard_ops::sandbox::{move_clock, read_clock_move, read_entry};
use lombard_pages::form::FormFields;
use lombard_pages::frame::PageFrame;
use lombard_pages::reply::redirect_to_page;
use lombard_ports::controls::{ControlError, SandboxControls};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The units of time, with their names and seconds. A month in the form has thirty days.
const UNITS: [(&str, i64); 5] =
    [("minutes", 60), ("hours", 3_600), ("days", 86_400), ("weeks", 604_800), ("months of 30 days", 2_592_000)];

/// The names of the forms on the page.
const CLOCK: &str = "clock";
const MONEY: &str = "money";
const FAULTS: &str = "faults";

/// The maximum number of accounts that a form offers.
const ACCOUNTS_MAX: usize = 200;

/// The page of the controls.
#[derive(Template)]
#[template(path = "portal/controls.html")]
pub(crate) struct ControlsPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub clock: Option<ClockView>,
    pub accounts: Vec<AccountChoice>,
    /// Whether the list of accounts was cut.
    pub is_cut: bool,
    /// The application's faults, each in a sentence.
    pub faults: Vec<String>,
    /// The maximum number of faults that the application may have.
    pub faults_max: usize,
    /// The operations to which a fault can apply.
    pub operations: BTreeSet<String>,
    pub units: [(&'static str, i64); 5],
    /// The refused form with its submitted values.
    pub refused: Option<RefusedForm>,
}

impl ControlsPage<'_> {
    /// The value of a field: the submitted value if this form was refused, otherwise the initial value.
    fn typed<'p>(&'p self, place: &str, name: &str, first: &'p str) -> &'p str {
        RefusedForm::typed(self.refused.as_ref(), place, name, first)
    }
}

/// The bank's clock.
#[derive(Debug)]
pub(crate) struct ClockView {
    pub now: String,
    /// The kinds of due work that are not done yet.
    pub left: Vec<&'static str>,
}

impl PortalPage for ControlsPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

/// The routes of the page and of the fault forms, which every sandbox has.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(CONTROLS, get(show))
        .route(&format!("{CONTROLS}/faults"), post(add_fault))
        .route(&format!("{CONTROLS}/faults/remove"), post(remove_faults))
}

/// The routes of the forms that need the bank's controls.
pub(super) fn bank_routes() -> Router<App> {
    Router::new()
        .route(&format!("{CONTROLS}/clock"), post(advance))
        .route(&format!("{CONTROLS}/transactions"), post(add_transaction))
}

async fn show(Extension(sandbox): Extension<PortalSandbox>, visit: PortalVisit) -> Response {
    let notice = match visit.parameter("done").as_deref() {
        Some("clock") => Some(PortalNotice::done("The clock is moved, and what was due is carried out.").at(CLOCK)),
        Some("transaction") => Some(PortalNotice::done("The entry is added.").at(MONEY)),
        Some("fault") => Some(PortalNotice::done("The fault is planted.").at(FAULTS)),
        Some("removed") => Some(PortalNotice::done("The fault is removed.").at(FAULTS)),
        _ => None,
    };
    page(&sandbox, &visit, notice, None).await
}

async fn page(
    sandbox: &PortalSandbox,
    visit: &PortalVisit,
    notice: Option<PortalNotice>,
    refused: Option<RefusedForm>,
) -> Response {
    let ((clock, mut accounts), notice) = match of_bank(visit).await {
        Ok(found) => (found, notice),
        Err(error) => ((None, Vec::new()), notice.or_else(|| Some(refusal(&error)))),
    };
    let is_cut = accounts.len() > ACCOUNTS_MAX;
    accounts.truncate(ACCOUNTS_MAX);
    let template = ControlsPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::Controls, notice),
        clock,
        accounts,
        is_cut,
        faults: list_client_faults(&sandbox.faults, &visit.client().id),
        faults_max: CLIENT_FAULTS_MAX,
        operations: list_operation_names(&sandbox.faults),
        units: UNITS,
        refused,
    };
    respond(&visit.page.app, &template)
}

/// Shows the page again with the submitted values, and the reason of the refusal at the form.
async fn refuse(
    sandbox: &PortalSandbox,
    visit: &PortalVisit,
    (place, fields): (&'static str, FormFields),
    why: PortalNotice,
) -> Response {
    let (refused, why) = RefusedForm::new(place, fields, why);
    page(sandbox, visit, Some(why), Some(refused)).await
}

/// The bank's clock and the accounts of its customers, if the bank has controls.
async fn of_bank(visit: &PortalVisit) -> Result<(Option<ClockView>, Vec<AccountChoice>), ControlError> {
    let Some(controls) = controls(visit) else { return Ok((None, Vec::new())) };
    let clock = ClockView { now: moment(controls.clock().await?), left: controls.due_work_list().await? };
    Ok((Some(clock), list_account_choices(controls.as_ref()).await?))
}

/// Redirects after an executed form.
fn done(visit: &PortalVisit, what: &str) -> Response {
    redirect_to_page(&visit.page.app, &Method::POST, &format!("{CONTROLS}?done={what}"), None)
}

async fn advance(
    Extension(sandbox): Extension<PortalSandbox>,
    Extension(controls): Controls,
    form: PortalForm,
) -> Response {
    let PortalForm { visit, fields } = form;
    let moved = match clock_order(&fields).and_then(|order| read_clock_move(&order)) {
        Ok(to) => move_clock(for_request(controls, &visit), to).await,
        Err(text) => Err(ControlError::Refused(labelled(&text, &[("set", "Or set it to")]).into())),
    };
    match moved {
        Ok((_, left)) if left.is_empty() => done(&visit, "clock"),
        Ok((_, left)) => {
            let text = format!("The clock is moved. This is still carried out: {}.", left.join(", "));
            page(&sandbox, &visit, Some(PortalNotice::done(text).at(CLOCK)), None).await
        }
        Err(error) => refuse(&sandbox, &visit, (CLOCK, fields), refusal(&error)).await,
    }
}

/// The duration or the time to which a form moves the clock.
fn clock_order(fields: &FormFields) -> Result<[(&'static str, Value); 2], String> {
    let count = fields.first("count").trim();
    let unit = fields.first("unit");
    let to = fields.first("set").trim();
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
    match add_entry(controls, &visit, &fields).await {
        Ok(()) => done(&visit, "transaction"),
        Err(error) => refuse(&sandbox, &visit, (MONEY, fields), refusal(&error)).await,
    }
}

/// The fields of an entry from or to another bank: their names in the control's request, and their labels.
const ENTRY_LABELS: [(&str, &str); 5] = [
    ("amount", "Amount"),
    ("indicator", "Direction"),
    ("status", "Status"),
    ("counterparty", "Other party"),
    ("reference", "Reference"),
];

async fn add_entry(
    controls: Arc<dyn SandboxControls>,
    visit: &PortalVisit,
    fields: &FormFields,
) -> Result<(), ControlError> {
    let refused = |text: &str| ControlError::Refused(text.to_owned().into());
    let chosen = [fields.first("other_account").trim(), fields.first("account")];
    let chosen = chosen.into_iter().find(|id| !id.is_empty()).unwrap_or_default();
    let accounts = list_account_choices(controls.as_ref()).await?;
    let account = accounts.into_iter().find(|it| it.id.as_str() == chosen);
    let account = account.ok_or_else(|| refused("Account: choose one that is open."))?;
    check_amount(fields.first("amount").trim(), account.currency).map_err(refused)?;
    let given = ENTRY_LABELS.map(|(name, _)| (name, Value::from(fields.first(name).trim())));
    let currency = ("currency", Value::from(account.currency.code()));
    let entry: Vec<_> = given.into_iter().chain([currency]).collect();
    let entry = read_entry(&entry).map_err(|text| refused(&labelled(&text, &ENTRY_LABELS)))?;
    for_request(controls, visit).entry_add(&account.id, entry).await.map(drop)
}

/// Checks whether an amount has the form that the page requires.
fn check_amount(text: &str, currency: Currency) -> Result<(), &'static str> {
    if text.is_empty() {
        return Err("Amount: write how much, such as 12.50.");
    }
    if text.contains(',') {
        return Err("Amount: write a point before the pence, and no commas: 12.50 or 1250.00.");
    }
    match Amount::parse(text, currency) {
        Ok(amount) if amount.minor() == 0 => {
            Err("Amount: it must be more than zero; Direction says whether it arrives or leaves.")
        }
        // Other faults are reported by the parser of the request.
        Ok(_) | Err(_) => Ok(()),
    }
}

async fn add_fault(Extension(sandbox): Extension<PortalSandbox>, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let members = fault_members(&fields);
    let added = if FAULT_EFFECTS.iter().any(|(name, _)| members.contains_key(*name)) {
        add_client_fault(&sandbox.faults, &visit.client().id, members)
            .map_err(|faults| faults.iter().map(fault_words).collect::<Vec<_>>().join(" "))
    } else {
        Err(format!("Say what happens to the calls: {}.", FAULT_EFFECTS.map(|(_, label)| label).join(", ")))
    };
    match added {
        Ok(()) => done(&visit, "fault"),
        Err(text) => refuse(&sandbox, &visit, (FAULTS, fields), PortalNotice::refused(text)).await,
    }
}

/// The effects of a fault: the names of their members, and the labels of the form.
const FAULT_EFFECTS: [(&str, &str); 7] = [
    ("status", "Status"),
    ("code", "Error code"),
    ("delay_ms", "Delay in ms"),
    ("cut", "Connection"),
    ("slow_body", "Body sent over, in ms"),
    ("wrong_signature", "Answer with a wrong signature"),
    ("expired_token", "Take the token as expired"),
];
/// The conditions of a fault: the names of their members, and the labels of the form.
const FAULT_CONDITIONS: [(&str, &str); 2] = [("count", "How often at most"), ("probability", "Probability")];

/// Describes a fault in the form's labels.
fn fault_words(fault: &FormFault) -> String {
    let member = fault.path.rsplit('.').next().unwrap_or_default();
    if member == "operation" {
        return "Operation: there is none of this name. Take one of the list, or a method and a path such as GET /aisp/accounts."
            .to_owned();
    }
    let label = FAULT_EFFECTS.iter().chain(&FAULT_CONDITIONS).find(|(name, _)| *name == member);
    label.map_or_else(|| fault.message.clone(), |(_, label)| format!("{label}: {}", fault.message))
}

/// The members of a fault that the form contains. A number is passed as a number; any other text is passed as it is, so that the parser
/// names its field.
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
    remove_client_faults(&sandbox.faults, &visit.client().id, number);
    done(&visit, "removed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_by_the_labels_of_the_form() {
        let fault = |path: &str, message: &str| fault_words(&FormFault { path: path.into(), message: message.into() });
        assert_eq!(fault("[0].delay_ms", "Must be less."), "Delay in ms: Must be less.");
        assert_eq!(fault("[0].probability", "Must be."), "Probability: Must be.");
        assert!(fault("[0].operation", "A name of docs.").starts_with("Operation: there is none"));
        assert_eq!(fault("", "There are too many."), "There are too many.");
        assert_eq!(labelled("counterparty: 1 to 70", &ENTRY_LABELS), "Other party: 1 to 70");
        assert_eq!(labelled("say either: a or b", &ENTRY_LABELS), "say either: a or b");
    }

    #[test]
    fn an_amount_with_a_comma_says_that_a_point_is_wanted() {
        for (text, said) in [("", "such as 12.50"), ("12,50", "a point"), ("0.00", "more than zero")] {
            assert!(check_amount(text, Currency::GBP).unwrap_err().contains(said), "{text}");
        }
        assert_eq!(check_amount("12.50", Currency::GBP), Ok(()));
        assert_eq!(check_amount("x", Currency::GBP), Ok(()), "told by whoever reads it");
    }
}
