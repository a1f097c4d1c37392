//! The data of a sandbox: its customers and their accounts, and what amounts and payees make of payments.

use super::decisions::{Controls, refusal};
use super::document_tables::{TestAmount, test_amounts};
use super::frame::{PortalFrame, PortalPage, PortalSection, page_frame, respond};
use super::paths::TEST_DATA;
use super::visit::PortalVisit;
use crate::App;
use crate::ops::sandbox::decimal;
use crate::pages::frame::PageFrame;
use askama::Template;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use lombard_ports::controls::{AccountView, CustomerView};
use lombard_wire::v3_1::names;

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
    pub is_shareable: bool,
    pub authorisers: u16,
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
        Self {
            id: account.id.to_string(),
            name: account.nickname.or(account.description).unwrap_or_default(),
            kind: names::account_sub_type(account.sub_type),
            status: names::account_status(account.status),
            number,
            balance: format!("{} {}", account.currency.code(), decimal(account.booked, account.currency)),
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
    Router::new().route(TEST_DATA, get(show))
}

async fn show(Extension(controls): Controls, visit: PortalVisit) -> Response {
    let (customers, notice) = match controls.psus().await {
        Ok(customers) => (customers, None),
        Err(error) => (Vec::new(), Some(refusal(&error))),
    };
    let template = TestDataPage {
        frame: page_frame(&visit),
        portal: PortalFrame::of(&visit, PortalSection::TestData, notice),
        is_cut: customers.len() > CUSTOMERS_MAX,
        customers: customers.into_iter().take(CUSTOMERS_MAX).map(CustomerWords::from).collect(),
        amounts: test_amounts(),
    };
    respond(&visit.page.app, &template)
}
