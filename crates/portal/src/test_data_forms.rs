//! The forms of the test data: they add customers, and change them and their accounts.

use super::decisions::{Controls, for_request, refusal};
use super::paths::{TEST_DATA, escaped};
use super::refused_form::{RefusedForm, labelled};
use super::test_data::{ADD, ADDED_MAX, CustomerPlaces, page, show};
use super::visit::PortalForm;
use axum::response::Response;
use axum::{Extension, Router};
use http::Method;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_edge::App;
use lombard_edge::routing::{get, post};
use lombard_ops::sandbox::{
    NewCustomerFields, read_account_change, read_account_end, read_customer_change, write_customer_file,
};
use lombard_pages::form::FormFields;
use lombard_pages::reply::redirect_to_page;
use lombard_ports::controls::{ControlError, DataFileFault, SandboxControls};
use lombard_ports::store::{CustomerReservation, ServerTransaction, StoreError};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The routes of the page and its forms.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(TEST_DATA, get(show))
        .route(&format!("{TEST_DATA}/customers"), post(add_customer))
        .route(&format!("{TEST_DATA}/customers/change"), post(change_customer))
        .route(&format!("{TEST_DATA}/unlock"), post(unlock))
        .route(&format!("{TEST_DATA}/accounts"), post(change_account))
        .route(&format!("{TEST_DATA}/accounts/end"), post(end_account))
}

/// Responds to a form of the page: shows the page again with the result, or with the submitted values and the reason of the refusal.
async fn answer(
    controls: &Arc<dyn SandboxControls>,
    form: PortalForm,
    (place, what): (String, &str),
    done: Result<(), ControlError>,
) -> Response {
    let PortalForm { visit, fields } = form;
    match done {
        Ok(()) => {
            let psu = escaped(fields.first("psu"));
            redirect_to_page(&visit.page.app, &Method::POST, &format!("{TEST_DATA}?done={what}&psu={psu}"), None)
        }
        Err(error) => {
            let (refused, why) = RefusedForm::new(place, fields, refusal(&error));
            page(controls, &visit, Some(why), Some(refused)).await
        }
    }
}

/// The names of the forms for the customer to whom a form belongs.
fn places_of(fields: &FormFields) -> CustomerPlaces {
    CustomerPlaces::of(fields.first("psu"))
}

/// The values of these fields, with the names that the control's request uses.
fn given(fields: &FormFields, labels: &[(&'static str, &str)]) -> Vec<(&'static str, Value)> {
    labels.iter().map(|(name, _)| (*name, Value::from(fields.first(name).trim()))).collect()
}

/// Checks that at least one of these fields is filled in.
fn check_filled_in(fields: &FormFields, labels: &[(&str, &str)]) -> Result<(), ControlError> {
    let is_empty = |name: &str| fields.first(name).trim().is_empty();
    if labels.iter().all(|(name, _)| is_empty(name)) {
        return Err(ControlError::refused("Fill in at least one field."));
    }
    Ok(())
}

/// Replaces a field name in a refusal by the field's label.
fn by_label(error: ControlError, labels: &[(&str, &str)]) -> ControlError {
    match error {
        ControlError::Refused(text) => ControlError::Refused(labelled(&text, labels).into()),
        other => other,
    }
}

async fn add_customer(Extension(controls): Controls, form: PortalForm) -> Response {
    let done = add_within_share(&controls, &form).await.map_err(by_file_labels);
    answer(&controls, form, (ADD.to_owned(), "customer"), done).await
}

/// Adds a customer, counted against the application's maximum. A reset starts the count again.
async fn add_within_share(controls: &Arc<dyn SandboxControls>, form: &PortalForm) -> Result<(), ControlError> {
    let store = &form.visit.page.app.context.store;
    let psu = PsuId::from(form.fields.first("login").trim());
    let client = form.visit.client().id.clone();
    let customer = psu.clone();
    let reserve = move |tx: &mut dyn ServerTransaction| tx.portal_customer_reserve(&customer, &client, ADDED_MAX);
    let reserved = store.write::<_, StoreError, _>(reserve).await?;
    if reserved == CustomerReservation::Full {
        let text = format!(
            "This application has added {ADDED_MAX} customers, which is its share. A reset of the sandbox removes them."
        );
        return Err(ControlError::Refused(text.into()));
    }
    let added = add_customer_of(controls, &form.fields).await;
    if added.is_err() && reserved == CustomerReservation::Reserved {
        let release = move |tx: &mut dyn ServerTransaction| tx.portal_customer_release(&psu);
        store.write::<_, StoreError, _>(release).await?;
    }
    added
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

/// The paths of a new customer's fields in the generated data file, with their labels.
const FILE_LABELS: [(&str, &str); 9] = [
    ("Customer[0].Login", "User name"),
    ("Account[0].AccountId", "User name"),
    ("Account[0].Holder", "User name"),
    ("Customer[0].Name", "Name"),
    ("Customer[0].About", "Name"),
    ("Account[0].Account[0].Name", "Name"),
    ("Account[0].Account", "Sort code and account number"),
    ("Account[0].OpeningBalance", "Balance in pounds"),
    ("Account[0].CreditLimit", "Overdraft in pounds"),
];

/// Describes the faults of the data file by the fields' labels, each once, because a field may have several paths in the file.
fn by_file_labels(error: ControlError) -> ControlError {
    let ControlError::Faulty(faults) = error else { return error };
    let mut told: Vec<DataFileFault> = Vec::new();
    for fault in faults {
        let label = FILE_LABELS.iter().find(|(begin, _)| fault.path.starts_with(begin)).map(|(_, label)| *label);
        let fault = DataFileFault { path: label.unwrap_or_default().to_owned(), ..fault };
        if !told.contains(&fault) {
            told.push(fault);
        }
    }
    ControlError::Faulty(told)
}

/// The prefix of the names of address fields.
const ADDRESS: &str = "address.";

/// The fields for changing a customer: their names in the control's request, and their labels.
const CHANGE_LABELS: [(&str, &str); 11] = [
    ("name", "New name"),
    ("email", "New e-mail address"),
    ("about", "New description"),
    ("phone", "New telephone number"),
    ("mobile", "New mobile number"),
    ("address.BuildingNumber", "Building number"),
    ("address.StreetName", "Street"),
    ("address.TownName", "Town"),
    ("address.CountrySubDivision", "County"),
    ("address.PostCode", "Post code"),
    ("address.Country", "Country"),
];

async fn change_customer(Extension(controls): Controls, form: PortalForm) -> Response {
    let done = change_customer_of(&controls, &form.fields).await.map_err(|error| by_label(error, &CHANGE_LABELS));
    let place = places_of(&form.fields).change;
    answer(&controls, form, (place, "renamed"), done).await
}

/// Converts the fields of a changed customer for the control's request, in which the address is an object.
fn customer_change(fields: &FormFields) -> Vec<(&'static str, Value)> {
    let (parts, mut change): (Vec<_>, Vec<_>) =
        given(fields, &CHANGE_LABELS).into_iter().partition(|(name, _)| name.starts_with(ADDRESS));
    let parts = parts.into_iter().filter(|(_, value)| value.as_str() != Some(""));
    let address: Map<_, _> = parts.map(|(name, value)| (name.replacen(ADDRESS, "", 1), value)).collect();
    if !address.is_empty() {
        change.push(("address", Value::Object(address)));
    }
    change
}

async fn change_customer_of(controls: &Arc<dyn SandboxControls>, fields: &FormFields) -> Result<(), ControlError> {
    check_filled_in(fields, &CHANGE_LABELS)?;
    let change = read_customer_change(&customer_change(fields));
    let change = change.map_err(|text| ControlError::Refused(text.into()))?;
    controls.customer_change(&PsuId::new(fields.first("psu")), &change).await.map(drop)
}

async fn unlock(Extension(controls): Controls, form: PortalForm) -> Response {
    let done = controls.customer_unlock(&PsuId::new(form.fields.first("psu"))).await;
    let place = places_of(&form.fields).unlock;
    answer(&controls, form, (place, "unlocked"), done).await
}

async fn change_account(Extension(controls): Controls, form: PortalForm) -> Response {
    let done = change_account_of(&controls, &form.fields).await.map_err(|error| by_label(error, &ACCOUNT_LABELS));
    let place = places_of(&form.fields).account;
    answer(&controls, form, (place, "account"), done).await
}

/// The fields for changing an account: their names in the control's request, and their labels.
const ACCOUNT_LABELS: [(&str, &str); 2] = [("holder", "New holder"), ("credit_limit", "New overdraft or credit limit")];

async fn change_account_of(controls: &Arc<dyn SandboxControls>, fields: &FormFields) -> Result<(), ControlError> {
    check_filled_in(fields, &ACCOUNT_LABELS)?;
    let id = BankAccountId::new(fields.first("account"));
    // The currency of an account never changes.
    let accounts = controls.customer_views().await?.into_iter().flat_map(|customer| customer.accounts);
    let account = accounts.into_iter().find(|it| it.id == id);
    let account = account.ok_or(ControlError::refused("Account: choose one that is open."))?;
    let mut change = given(fields, &ACCOUNT_LABELS);
    change.push(("currency", Value::from(account.currency.code())));
    let change = read_account_change(&change).map_err(|text| ControlError::Refused(text.into()))?;
    controls.account_change(&id, &change).await.map(drop)
}

async fn end_account(Extension(controls): Controls, form: PortalForm) -> Response {
    let id = BankAccountId::new(form.fields.first("account"));
    let done = match read_account_end(form.fields.first("end")) {
        Ok(end) => for_request(Arc::clone(&controls), &form.visit).account_close(&id, end).await.map(drop),
        Err(text) => Err(by_label(ControlError::Refused(text.into()), &[("end", "What happens")])),
    };
    let place = places_of(&form.fields).end;
    answer(&controls, form, (place, "ended"), done).await
}
