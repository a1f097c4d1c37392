//! The data of a sandbox: its customers and their accounts, with forms that change them, and what amounts and payees make of payments.

use super::decisions::{Controls, for_request, refusal};
use super::document_tables::{TestAmount, test_amounts};
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::paths::TEST_DATA;
use super::visit::{PortalForm, PortalVisit};
use crate::App;
use crate::ops::sandbox::{
    NewCustomerFields, read_account_change, read_account_end, read_customer_change, write_customer_file,
};
use crate::pages::form::FormFields;
use crate::pages::frame::PageFrame;
use crate::pages::money;
use crate::pages::reply::to_page;
use askama::Template;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};
use http::Method;
use lombard_domain::account::AccountStatus;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::money::{Amount, SignedAmount};
use lombard_ports::controls::{AccountView, ControlError, CustomerView, SandboxControls};
use lombard_wire::v3_1::names;
use serde_json::Value;
use std::sync::Arc;

/// The most customers that are shown.
const CUSTOMERS_MAX: usize = 50;

/// The page.
#[derive(Template)]
#[template(path = "portal/test_data.html")]
pub(in crate::pages) struct TestDataPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub customers: Vec<CustomerWords>,
    /// Whether there are more.
    pub is_cut: bool,
    pub amounts: Vec<TestAmount>,
}

/// A customer.
#[derive(Debug)]
pub(in crate::pages) struct CustomerWords {
    pub login: String,
    pub name: String,
    pub about: String,
    pub accounts: Vec<AccountLine>,
}

/// An account.
#[derive(Debug)]
pub(in crate::pages) struct AccountLine {
    pub id: String,
    pub name: String,
    pub kind: &'static str,
    pub status: &'static str,
    pub number: String,
    pub balance: String,
    /// The overdraft or the limit of a card; empty if there is none.
    pub credit_limit: String,
    pub holder: String,
    /// Whether it can be changed.
    pub is_open: bool,
    pub is_shareable: bool,
    pub authorisers: u16,
}

impl CustomerWords {
    fn has_open_account(&self) -> bool {
        self.accounts.iter().any(|account| account.is_open)
    }
}

impl From<CustomerView> for CustomerWords {
    fn from(customer: CustomerView) -> Self {
        let CustomerView { login, name, about, accounts, .. } = customer;
        Self { login, name, about, accounts: accounts.into_iter().map(AccountLine::from).collect() }
    }
}

impl From<AccountView> for AccountLine {
    fn from(account: AccountView) -> Self {
        let number = account.identifications.first().map(|it| it.number.clone()).unwrap_or_default();
        let limit = money::amount(Amount::from_minor(account.credit_limit, account.currency));
        Self {
            id: account.id.to_string(),
            name: account.nickname.or(account.description).unwrap_or_default(),
            kind: names::account_sub_type(account.sub_type),
            status: names::account_status(account.status),
            number,
            credit_limit: if account.credit_limit > 0 { limit } else { String::new() },
            holder: account.identifications.into_iter().find_map(|it| it.name).unwrap_or_default(),
            is_open: account.status == AccountStatus::Enabled,
            balance: money::sum(SignedAmount::from_minor(account.booked, account.currency)),
            is_shareable: account.shareable,
            authorisers: account.authorisers,
        }
    }
}

impl PortalPage for TestDataPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(TEST_DATA, get(show))
        .route(&format!("{TEST_DATA}/customers"), post(add_customer))
        .route(&format!("{TEST_DATA}/customers/change"), post(change_customer))
        .route(&format!("{TEST_DATA}/unlock"), post(unlock))
        .route(&format!("{TEST_DATA}/accounts"), post(change_account))
        .route(&format!("{TEST_DATA}/accounts/end"), post(end_account))
}

async fn show(Extension(controls): Controls, visit: PortalVisit) -> Response {
    let notice = match visit.parameter("done").as_deref() {
        Some("customer") => Some(PortalNotice::done("The customer is added.")),
        Some("renamed") => Some(PortalNotice::done("The customer is changed.")),
        Some("unlocked") => Some(PortalNotice::done("The failed logins of the customer are forgotten.")),
        Some("account") => Some(PortalNotice::done("The account is changed.")),
        Some("ended") => Some(PortalNotice::done("The account has ended, and its applications are told.")),
        _ => None,
    };
    page(&controls, &visit, notice).await
}

async fn page(controls: &Arc<dyn SandboxControls>, visit: &PortalVisit, notice: Option<PortalNotice>) -> Response {
    let (customers, notice) = match controls.psus().await {
        Ok(customers) => (customers, notice),
        Err(error) => (Vec::new(), notice.or_else(|| Some(refusal(&error)))),
    };
    let template = TestDataPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::TestData, notice),
        is_cut: customers.len() > CUSTOMERS_MAX,
        customers: customers.into_iter().take(CUSTOMERS_MAX).map(CustomerWords::from).collect(),
        amounts: test_amounts(),
    };
    respond(&visit.page.app, &template)
}

/// The answer to a form: the page again, with what was done or why it was refused.
async fn answer(
    controls: &Arc<dyn SandboxControls>,
    visit: &PortalVisit,
    what: &str,
    done: Result<(), ControlError>,
) -> Response {
    match done {
        Ok(()) => to_page(&visit.page.app, &Method::POST, &format!("{TEST_DATA}?done={what}"), None),
        Err(error) => page(controls, visit, Some(refusal(&error))).await,
    }
}

async fn add_customer(Extension(controls): Controls, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let done = add_customer_of(&controls, &fields).await;
    answer(&controls, &visit, "customer", done).await
}

async fn add_customer_of(controls: &Arc<dyn SandboxControls>, fields: &FormFields) -> Result<(), ControlError> {
    let field = |name| fields.first(name).trim();
    let customer = NewCustomerFields {
        login: field("login"),
        name: field("name"),
        number: field("number"),
        balance: field("balance"),
        credit_limit: field("credit_limit"),
    };
    let file = write_customer_file(&customer, controls.clock().await?);
    controls.data_import(file, false).await.map(drop)
}

async fn change_customer(Extension(controls): Controls, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let text = |name| Value::from(fields.first(name).trim());
    let change = [("name", text("name")), ("about", text("about")), ("email", text("email"))];
    let done = match read_customer_change(&change) {
        Ok(change) => controls.psu_change(&PsuId::new(fields.first("psu")), &change).await.map(drop),
        Err(text) => Err(ControlError::Refused(text.into())),
    };
    answer(&controls, &visit, "renamed", done).await
}

async fn unlock(Extension(controls): Controls, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let done = controls.psu_unlock(&PsuId::new(fields.first("psu"))).await;
    answer(&controls, &visit, "unlocked", done).await
}

async fn change_account(Extension(controls): Controls, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let done = change_account_of(&controls, &fields).await;
    answer(&controls, &visit, "account", done).await
}

async fn change_account_of(controls: &Arc<dyn SandboxControls>, fields: &FormFields) -> Result<(), ControlError> {
    let id = BankAccountId::new(fields.first("account"));
    // The currency of an account never changes.
    let accounts = controls.psus().await?.into_iter().flat_map(|customer| customer.accounts);
    let currency = accounts.into_iter().find(|it| it.id == id).map_or("", |it| it.currency.code());
    let change = [
        ("holder", Value::from(fields.first("holder").trim())),
        ("credit_limit", Value::from(fields.first("credit_limit").trim())),
        ("currency", Value::from(currency)),
    ];
    let change = read_account_change(&change).map_err(|text| ControlError::Refused(text.into()))?;
    controls.account_change(&id, &change).await.map(drop)
}

async fn end_account(Extension(controls): Controls, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let id = BankAccountId::new(fields.first("account"));
    let done = match read_account_end(fields.first("end")) {
        Ok(end) => for_request(Arc::clone(&controls), &visit).account_end(&id, end).await.map(drop),
        Err(text) => Err(ControlError::Refused(text.into())),
    };
    answer(&controls, &visit, "ended", done).await
}
