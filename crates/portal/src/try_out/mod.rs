//! *Try it*: calls the API on behalf of the developer's application, and shows the response.
//!
//! The sandbox sends the call to the mtls listener with the certificate in the application's folder, as a TPP does. Every check of the
//! standard therefore applies, and the call is recorded. The host and path are those of an operation of the catalogue; the form supplies
//! ids, query, headers and body.

mod call;

use super::decisions::refusal;
use super::formatting::{moment, pretty};
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::paths::{CONSENTS, REQUESTS, TRY_OUT, escaped};
use super::services::{ApplicationAnswer, PortalSandbox};
use super::visit::{PortalForm, PortalVisit};
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use axum::{Extension, Router};
use call::{GIVEN, ID, OF_CONSENT, OWN, QUERY, call_of, media_of, query_names};
use http::HeaderValue;
use jiff::Timestamp;
use lombard_api::extract::known_headers;
use lombard_domain::consent::{Consent, EffectiveConsentStatus, Permission};
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::endpoint::{Operation, OperationContract};
use lombard_edge::endpoint_facts::RequiredGrant;
use lombard_edge::layers::INTERACTION_ID;
use lombard_edge::routing::{get, post};
use lombard_openapi::{ApiDocument, DOCUMENTS, PublishedApi, example_request, path_ids};
use lombard_ops::OperationError;
use lombard_ops::support::words::consent_kind;
use lombard_pages::form::FormFields;
use lombard_pages::frame::PageFrame;
use lombard_pages::problem;
use lombard_ports::controls::ControlError;
use lombard_ports::store::StoreError;
use lombard_service::client_records::{ConsentRecord, list_consents};
use serde_json::Value;
use std::collections::BTreeSet;

/// The maximum number of bytes of a response that the page shows.
const SHOWN_BYTES_MAX: usize = 256 * 1024;

/// The page with the list of operations.
#[derive(Template)]
#[template(path = "portal/try_list.html")]
pub(crate) struct TryListPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    /// The title of each document with its operations.
    pub groups: Vec<(&'static str, Vec<OperationLink>)>,
}

/// The method, path and name of an operation.
type OperationLink = (&'static str, &'static str, &'static str);

/// The page with the form of an operation, and the response to a call.
#[derive(Template)]
#[template(path = "portal/try.html")]
pub(crate) struct TryPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub verb: &'static str,
    pub path: &'static str,
    /// The URL to which the form is submitted.
    pub action: String,
    /// The path segment of each version, and whether it is selected.
    pub versions: Vec<(&'static str, bool)>,
    pub tokens: Vec<TokenChoice>,
    /// The URL and title of each consent that awaits its customer, if the operation needs a consent's token and no consent provides one.
    pub waiting: Option<Vec<(String, String)>>,
    pub fields: Vec<TryField>,
    pub headers: String,
    /// The names and rules of headers that every call has.
    pub known_headers: Vec<(&'static str, &'static str)>,
    /// The media types of the body; empty if there is no body.
    pub media: Vec<(&'static str, bool)>,
    pub body: String,
    /// Whether the sandbox signs the call; the next field states whether it adds an idempotency key.
    pub is_signed: bool,
    pub has_key: bool,
    pub answer: Option<AnswerView>,
}

/// A token that can be selected for the call.
#[derive(Debug)]
pub(crate) struct TokenChoice {
    pub value: String,
    pub title: String,
    pub is_chosen: bool,
}

/// A form field for a path or query parameter.
#[derive(Debug)]
pub(crate) struct TryField {
    /// The name of the form field.
    pub field: String,
    pub name: String,
    pub place: &'static str,
    pub value: String,
    /// Known valid values.
    pub known: Vec<KnownValue>,
}

/// A known valid value with its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownValue {
    pub value: String,
    pub title: String,
}

/// The response to a call.
#[derive(Debug)]
pub(crate) struct AnswerView {
    pub status: String,
    pub class: &'static str,
    pub duration: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// The URL of the call in the application's request log.
    pub recorded: Option<String>,
}

impl PortalPage for TryListPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

impl PortalPage for TryPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(TRY_OUT, get(list)).route(&format!("{TRY_OUT}/{{name}}"), get(show).merge(post(call)))
}

async fn list(visit: PortalVisit) -> Response {
    let offer = PublishedApi::of(&visit.page.app);
    let groups = DOCUMENTS.iter().filter_map(|about| Some((about.title, about.group()?)));
    let of_group = |(title, group)| {
        let mut names = BTreeSet::new();
        let endpoints = offer.served(group).map(|operation| operation.endpoint);
        let endpoints = endpoints.filter(|endpoint| names.insert(endpoint.name));
        (title, endpoints.map(|it| (it.method.name(), it.path, it.name)).collect::<Vec<_>>())
    };
    let groups = groups.map(of_group).collect();
    let portal = PortalFrame::of(&visit, PortalSection::TryOut, None);
    respond(&visit.page.app, &TryListPage { frame: page_frame(&visit), portal, groups })
}

/// The source of the page's field values.
enum TryInput<'a> {
    /// The parameters of the page's URL.
    Address(&'a PortalVisit),
    /// The fields of a submitted form.
    Form(&'a FormFields),
}

impl TryInput<'_> {
    fn text(&self, name: &str) -> String {
        match self {
            Self::Address(visit) => visit.parameter(name).unwrap_or_default(),
            Self::Form(fields) => fields.first(name).to_owned(),
        }
    }
}

/// Finds the operation of this name in the version of the input, or else in the newest version.
fn operation_of(visit: &PortalVisit, name: &str, input: &TryInput<'_>) -> Option<(Operation, Vec<Version>)> {
    let offer = PublishedApi::of(&visit.page.app);
    let groups = DOCUMENTS.iter().filter_map(ApiDocument::group);
    let found: Vec<_> = groups
        .flat_map(|group| offer.served(group).filter(|it| it.endpoint.name == name).collect::<Vec<_>>())
        .collect();
    let versions = found.iter().map(|it| it.version).collect();
    let wanted = Version::from_segment(&input.text("version"));
    let chosen = found.iter().position(|it| Some(it.version) == wanted);
    let chosen = chosen.map_or_else(|| found.last(), |at| found.get(at)).copied();
    chosen.map(|operation| (operation, versions))
}

async fn show(Path(name): Path<String>, visit: PortalVisit) -> Response {
    match page(&visit, &name, &TryInput::Address(&visit), None, None).await {
        Ok(response) => response,
        Err(failed) => *failed,
    }
}

async fn call(Path(name): Path<String>, Extension(sandbox): Extension<PortalSandbox>, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let input = TryInput::Form(&fields);
    let Some((operation, _)) = operation_of(&visit, &name, &input) else {
        return problem::not_found(&visit.page.app);
    };
    let made = match call_of(&operation, &fields) {
        Ok(call) => sandbox.applications.call(visit.client(), call).await,
        Err(text) => Err(OperationError::Refused(text)),
    };
    let (answer, notice) = match made {
        Ok(answer) => (Some(AnswerView::of(answer)), None),
        Err(OperationError::Refused(text)) => (None, Some(PortalNotice::refused(text))),
        Err(error @ OperationError::Failed(_)) => (None, Some(refusal(&ControlError::Broken(error.into())))),
    };
    match page(&visit, &name, &input, answer, notice).await {
        Ok(response) => response,
        Err(failed) => *failed,
    }
}

/// Builds the page with this input.
async fn page(
    visit: &PortalVisit,
    name: &str,
    input: &TryInput<'_>,
    answer: Option<AnswerView>,
    notice: Option<PortalNotice>,
) -> Result<Response, Box<Response>> {
    let app = &visit.page.app;
    let found = operation_of(visit, name, input)
        .and_then(|(operation, versions)| operation.contract().map(|contract| (operation, contract, versions)));
    let Some((operation, contract, versions)) = found else { return Ok(problem::not_found(app)) };
    let endpoint = operation.endpoint;
    let records = visit.read(records_in_scope(visit, &operation).await)?;
    let now = app.context.clocks.bank_now();
    let consents = open_consents(&operation, &records, now);
    let chosen = input.text("token");
    let consent = consents.iter().copied().find(|consent| chosen == of_consent(consent)).or_else(|| {
        // If no token is selected, the newest consent is used for an operation that needs one.
        consents.first().copied().filter(|_| chosen.is_empty() && endpoint.grant == RequiredGrant::Psu)
    });
    let needs_consent = endpoint.grant == RequiredGrant::Psu && consents.is_empty();
    let body = Some(input.text("body")).filter(|body| !body.is_empty());
    let template = TryPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::TryOut, notice),
        verb: endpoint.method.name(),
        path: endpoint.path,
        action: format!("{TRY_OUT}/{}", endpoint.name),
        versions: versions.iter().map(|it| (it.segment(), *it == operation.version)).collect(),
        tokens: tokens(&operation, &consents, consent, &chosen),
        waiting: needs_consent.then(|| waiting_consents(&records, now)),
        fields: fields_of(
            &operation,
            &contract,
            &KnownIds { records: &records, open: &consents, chosen: consent },
            input,
        ),
        headers: input.text("headers"),
        known_headers: known_headers().collect(),
        media: media_of(&contract).into_iter().map(|it| (it, it == input.text("media"))).collect(),
        body: body.or_else(|| example(&operation, consent)).unwrap_or_default(),
        is_signed: endpoint.signs_requests(),
        has_key: endpoint.idempotent,
        answer,
    };
    Ok(respond(app, &template))
}

/// The client's newest consents whose scope the operation accepts.
async fn records_in_scope(visit: &PortalVisit, operation: &Operation) -> Result<Vec<ConsentRecord>, StoreError> {
    let found = list_consents(&visit.page.app.context.store, &visit.client().id, None).await?;
    let scopes = operation.endpoint.scopes;
    let records = found.consents.into_iter();
    Ok(records.filter(|record| scopes.contains(&record.consent.request.kind().scope())).collect())
}

/// Those consents that give access now; empty if the operation does not use a consent's token.
fn open_consents<'r>(operation: &Operation, records: &'r [ConsentRecord], now: Timestamp) -> Vec<&'r Consent> {
    let is_open = |consent: &&Consent| {
        operation.endpoint.grant != RequiredGrant::Client
            && consent.status_at(now) == EffectiveConsentStatus::Authorised
            && consent.deleted_at.is_none()
    };
    records.iter().map(|record| &record.consent).filter(is_open).collect()
}

/// The URL and title of the consents that await their customer.
fn waiting_consents(records: &[ConsentRecord], now: Timestamp) -> Vec<(String, String)> {
    let consents = records.iter().map(|record| &record.consent);
    let waiting = consents.filter(|consent| consent.check_authorisable(now).is_ok());
    let waiting = waiting.filter(|consent| consent.status_at(now) == EffectiveConsentStatus::AwaitingAuthorisation);
    waiting.map(|consent| (format!("{CONSENTS}/{}", escaped(consent.id.as_str())), consent_title(consent))).collect()
}

/// The maximum number of permissions that a title names.
const PERMISSIONS_NAMED: usize = 3;

/// A title with the consent's purpose, creation time, permissions and id.
fn consent_title(consent: &Consent) -> String {
    let permissions: Vec<_> = match consent.request.account_access() {
        Some(access) => access.permissions.iter().map(Permission::name).collect(),
        None => Vec::new(),
    };
    let named = permissions.iter().take(PERMISSIONS_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = permissions.len().saturating_sub(PERMISSIONS_NAMED);
    let permitted = match (permissions.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(", {named}"),
        (false, more) => format!(", {named} and {more} more"),
    };
    format!("{} of {}{permitted} ({})", consent_kind(consent.request.kind()), moment(consent.created_at), consent.id)
}

/// The form value that selects the token of this consent.
fn of_consent(consent: &Consent) -> String {
    format!("{OF_CONSENT}{}", consent.id)
}

fn tokens(operation: &Operation, consents: &[&Consent], consent: Option<&Consent>, chosen: &str) -> Vec<TokenChoice> {
    let choice = |value: String, title: String, is_chosen| TokenChoice { value, title, is_chosen };
    let own = (operation.endpoint.grant != RequiredGrant::Psu)
        .then(|| choice(OWN.to_owned(), "The application’s own".to_owned(), chosen == OWN));
    let of_consents = consents.iter().map(|it| {
        let is_chosen = consent.is_some_and(|consent| consent.id == it.id);
        choice(of_consent(it), consent_title(it), is_chosen)
    });
    let given = choice(GIVEN.to_owned(), "The one below".to_owned(), chosen == GIVEN);
    own.into_iter().chain(of_consents).chain([given]).collect()
}

/// The form fields for the path and query parameters.
fn fields_of(
    operation: &Operation,
    contract: &OperationContract,
    known: &KnownIds<'_>,
    input: &TryInput<'_>,
) -> Vec<TryField> {
    let field = |prefix: &str, name: &str, place, known: Vec<KnownValue>| {
        let field = format!("{prefix}{name}");
        TryField { value: input.text(&field), field, name: name.to_owned(), place, known }
    };
    let ids = path_ids(operation.endpoint.path).map(|name| {
        let field = field(ID, name, "path", known.named(name));
        // The first account of the selected consent is the initial value, because it can be read at once.
        let first = field.known.first().filter(|_| field.value.is_empty() && name == ACCOUNT_ID);
        TryField { value: first.map_or(field.value, |first| first.value.clone()), ..field }
    });
    let queries = query_names(contract).into_iter().map(|name| field(QUERY, name, "query", Vec::new()));
    ids.chain(queries).collect()
}

const ACCOUNT_ID: &str = "AccountId";

/// The known ids that a call can use.
struct KnownIds<'a> {
    records: &'a [ConsentRecord],
    /// The consents that give access now.
    open: &'a [&'a Consent],
    /// The consent whose token is selected.
    chosen: Option<&'a Consent>,
}

impl KnownIds<'_> {
    /// The known values for a parameter of this name; those of the selected consent come first.
    fn named(&self, name: &str) -> Vec<KnownValue> {
        let known =
            |value: &str, consent: &Consent| KnownValue { value: value.to_owned(), title: consent_title(consent) };
        let others = self.open.iter().copied().filter(|it| self.chosen.is_none_or(|chosen| chosen.id != it.id));
        match name {
            ACCOUNT_ID => {
                let consents = self.chosen.into_iter().chain(others);
                let accounts = consents.flat_map(|it| it.accounts.iter().map(move |account| (account, it)));
                accounts.map(|(account, consent)| known(account.alias.as_str(), consent)).collect()
            }
            "ConsentId" => {
                let records = self.records.iter().map(|record| &record.consent);
                let others = records.filter(|it| self.chosen.is_none_or(|chosen| chosen.id != it.id));
                self.chosen.into_iter().chain(others).map(|it| known(it.id.as_str(), it)).collect()
            }
            order => {
                let records = self.records.iter().filter(|record| is_order_id_of(order, &record.consent));
                let orders = records.flat_map(|record| record.orders.iter().map(move |id| (id, &record.consent)));
                orders.map(|(id, consent)| known(id.as_str(), consent)).collect()
            }
        }
    }
}

/// Whether the orders of a consent have ids of this name: `DomesticPaymentId` belongs to the product `domestic-payment`.
fn is_order_id_of(name: &str, consent: &Consent) -> bool {
    let product = consent.request.payment().map(|payment| payment.terms.product().name().replace('-', ""));
    name.strip_suffix("Id").zip(product).is_some_and(|(name, product)| name.eq_ignore_ascii_case(&product))
}

/// An example body for the operation; with a consent, it contains the consent's id and initiation.
fn example(operation: &Operation, consent: Option<&Consent>) -> Option<String> {
    let mut body = example_request(operation)?;
    if let (Some(consent), Some(id)) = (consent, body.pointer_mut("/Data/ConsentId")) {
        *id = consent.id.as_str().into();
        if consent.submitted.version == operation.version {
            let data: Value = serde_json::from_str(&consent.submitted.json).unwrap_or_default();
            if let (Some(asked), Some(initiation)) = (data.get("Initiation"), body.pointer_mut("/Data/Initiation")) {
                initiation.clone_from(asked);
            }
        }
    }
    serde_json::to_string_pretty(&body).ok()
}

impl AnswerView {
    fn of(answer: ApplicationAnswer) -> Self {
        let ApplicationAnswer { status, headers, body, duration } = answer;
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let interaction = headers.get(INTERACTION_ID).map(text);
        Self {
            status: status.to_string(),
            class: if status.is_success() { "ok" } else { "refused" },
            duration: format!("{:.1} ms", duration.as_secs_f64() * 1000.0),
            body: shown(&body),
            headers: headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect(),
            recorded: interaction.map(|id| format!("{REQUESTS}?id={}", escaped(&id))),
        }
    }
}

/// Formats a body as text; JSON is indented.
fn shown(body: &[u8]) -> String {
    if body.len() > SHOWN_BYTES_MAX {
        return format!("{} bytes, too many to show here", body.len());
    }
    match std::str::from_utf8(body) {
        Ok(text) => pretty(text),
        Err(_) => format!("{} bytes that are no text", body.len()),
    }
}
