//! The page of a sandbox's data: its customers with their accounts, and the test triggers of payments.

use super::decisions::{Controls, refusal};
use super::document_tables::{TestAmount, test_amounts};
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::refused_form::RefusedForm;
use super::visit::PortalVisit;
use askama::Template;
use axum::Extension;
use axum::response::Response;
use lombard_domain::account::AccountStatus;
use lombard_domain::money::{Amount, SignedAmount};
use lombard_pages::frame::PageFrame;
use lombard_pages::{money, text};
use lombard_ports::controls::{AccountView, CustomerView, SandboxControls};
use lombard_wire::v3_1::names;
use std::sync::Arc;

/// The maximum number of customers that the developers of one application can add, so that other applications can add theirs.
pub(super) const ADDED_MAX: u32 = 100;

/// The maximum number of customers that are shown.
const CUSTOMERS_MAX: usize = 50;

/// The name of the form that adds a customer.
pub(super) const ADD: &str = "add";

/// The page of the test data.
#[derive(Template)]
#[template(path = "portal/test_data.html")]
pub(crate) struct TestDataPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub customers: Vec<CustomerLineView>,
    /// Whether the list of customers was cut.
    pub is_cut: bool,
    /// The number of customers that the application has added.
    pub added: u32,
    /// The maximum number of customers that the application may add.
    pub added_max: u32,
    pub amounts: Vec<TestAmount>,
    /// The refused form with its submitted values.
    pub refused: Option<RefusedForm>,
}

impl TestDataPage<'_> {
    /// The submitted value of a field if this form was refused; otherwise an empty text.
    fn typed(&self, place: &str, name: &str) -> &str {
        RefusedForm::typed(self.refused.as_ref(), place, name, "")
    }

    /// Whether the form of this name was refused.
    fn is_refused(&self, place: &str) -> bool {
        self.refused.as_ref().is_some_and(|form| form.is_at(place))
    }
}

/// The names of a customer's forms on the page.
#[derive(Debug)]
pub(crate) struct CustomerPlaces {
    pub account: String,
    pub end: String,
    pub change: String,
    pub unlock: String,
}

impl CustomerPlaces {
    pub(super) fn of(login: &str) -> Self {
        let [account, end, change, unlock] =
            ["account", "end", "change", "unlock"].map(|form| format!("{form}-{login}"));
        Self { account, end, change, unlock }
    }

    fn has(&self, place: &str) -> bool {
        [&self.account, &self.end, &self.change, &self.unlock].into_iter().any(|it| it == place)
    }
}

/// A customer.
#[derive(Debug)]
pub(crate) struct CustomerLineView {
    pub login: String,
    pub name: String,
    pub about: String,
    pub accounts: Vec<AccountLine>,
    pub places: CustomerPlaces,
}

/// An account.
#[derive(Debug)]
pub(crate) struct AccountLine {
    pub id: String,
    pub name: String,
    pub kind: &'static str,
    pub status: &'static str,
    pub number: String,
    pub balance: String,
    /// The overdraft or credit limit; empty if there is none.
    pub credit_limit: String,
    pub holder: String,
    /// Whether the account can be changed.
    pub is_open: bool,
    pub is_shareable: bool,
    pub authorisers: u16,
}

impl CustomerLineView {
    fn has_open_account(&self) -> bool {
        self.accounts.iter().any(|account| account.is_open)
    }
}

impl From<CustomerView> for CustomerLineView {
    fn from(customer: CustomerView) -> Self {
        let CustomerView { login, name, about, accounts, .. } = customer;
        let places = CustomerPlaces::of(&login);
        let accounts = accounts.into_iter().map(AccountLine::from).collect();
        Self { login, name: text::name(&name), about: text::message(&about), accounts, places }
    }
}

impl From<AccountView> for AccountLine {
    fn from(account: AccountView) -> Self {
        let number = account.identifications.first().map(|it| it.number.clone()).unwrap_or_default();
        let limit = money::amount(Amount::from_minor(account.credit_limit, account.currency));
        Self {
            id: account.id.to_string(),
            name: text::name(&account.nickname.or(account.description).unwrap_or_default()),
            kind: names::account_sub_type(account.sub_type),
            status: names::account_status(account.status),
            number,
            credit_limit: if account.credit_limit > 0 { limit } else { String::new() },
            holder: account
                .identifications
                .into_iter()
                .find_map(|it| it.name)
                .map_or_else(String::new, |it| text::name(&it)),
            is_open: account.status == AccountStatus::Enabled,
            balance: money::format_signed_amount(SignedAmount::from_minor(account.booked, account.currency)),
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

/// Shows the page.
pub(super) async fn show(Extension(controls): Controls, visit: PortalVisit) -> Response {
    let places = CustomerPlaces::of(&visit.parameter("psu").unwrap_or_default());
    let notice = match visit.parameter("done").as_deref() {
        Some("customer") => Some(PortalNotice::done("The customer is added.").at(ADD)),
        Some("renamed") => Some(PortalNotice::done("The customer is changed.").at(places.change)),
        Some("unlocked") => {
            Some(PortalNotice::done("The failed logins of the customer are forgotten.").at(places.unlock))
        }
        Some("account") => Some(PortalNotice::done("The account is changed.").at(places.account)),
        Some("ended") => {
            Some(PortalNotice::done("The account has ended, and its applications are told.").at(places.end))
        }
        _ => None,
    };
    page(&controls, &visit, notice, None).await
}

/// The page with a notice, or with a refused form and the reason.
pub(super) async fn page(
    controls: &Arc<dyn SandboxControls>,
    visit: &PortalVisit,
    notice: Option<PortalNotice>,
    refused: Option<RefusedForm>,
) -> Response {
    let (customers, notice) = match controls.customer_views().await {
        Ok(customers) => (customers, notice),
        Err(error) => (Vec::new(), notice.or_else(|| Some(refusal(&error)))),
    };
    let client = visit.client().id.clone();
    let added = visit.page.app.context.store.read(move |tx| tx.portal_customers_added(&client)).await;
    let added = match visit.read(added) {
        Ok(added) => added,
        Err(failed) => return *failed,
    };
    let is_cut = customers.len() > CUSTOMERS_MAX;
    let customers: Vec<_> = customers.into_iter().take(CUSTOMERS_MAX).map(CustomerLineView::from).collect();
    // A notice for a form that is not shown appears at the top of the page.
    let is_shown = |place: &str| place == ADD || customers.iter().any(|it| it.places.has(place));
    let notice = notice.map(|notice| if is_shown(&notice.place) { notice } else { notice.at("") });
    let template = TestDataPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::TestData, notice),
        customers,
        is_cut,
        added,
        added_max: ADDED_MAX,
        amounts: test_amounts(),
        refused,
    };
    respond(&visit.page.app, &template)
}
