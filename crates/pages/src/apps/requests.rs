//! `/apps/requests`: requests of applications to a customer who is not in the application's browser. Source: AS-160, AS-161.

use super::login::status;
use super::path::HOME;
use super::session::{AppsFormSubmission, customer, failed, found_or_not, respond_error};
use crate::form::PageRequest;
use crate::frame::PageFrame;
use crate::interaction;
use crate::journey_view::RequestedAccess;
use crate::notice::NoticeText;
use crate::parties::RequestingParty;
use crate::reply::{PagePolicy, redirect_to_page, send_page};
use crate::text;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use http::{Method, StatusCode};
use jiff::Timestamp;
use lombard_auth::authorisation::journey::BackchannelChoice;
use lombard_auth::sessions::requests::{self, CustomerRequest, CustomerRequestState};
use lombard_auth::sessions::{LoggedInPsu, SessionError};
use lombard_domain::ids::{BackchannelRequestId, ConsentId};
use lombard_edge::App;

#[derive(Template)]
#[template(path = "apps/requests.html")]
pub(crate) struct RequestsPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub notice: Option<NoticeText>,
    pub requests: Vec<RequestView>,
}

#[derive(Template)]
#[template(path = "apps/request.html")]
pub(crate) struct RequestPage<'a> {
    pub frame: PageFrame<'a>,
    pub form_token: String,
    pub request: RequestView,
}

/// A backchannel request in words.
pub(crate) struct RequestView {
    pub id: String,
    pub who: RequestingParty,
    pub requested: RequestedAccess,
    /// The message that the application also shows to the customer.
    pub binding_message: Option<String>,
    pub standing: CustomerRequestState,
}

impl RequestView {
    fn of(request: &CustomerRequest, now: Timestamp) -> Self {
        Self {
            id: request.id.as_str().to_owned(),
            who: RequestingParty::of(&request.client),
            requested: RequestedAccess::of(&request.consent, now),
            binding_message: request.binding_message.as_deref().map(text::name),
            standing: request.standing,
        }
    }

    /// The title of the request's page.
    const fn title(&self) -> &'static str {
        match self.standing {
            CustomerRequestState::Waiting => "An application asks you",
            CustomerRequestState::Approved => "You have agreed",
            CustomerRequestState::Refused => "This was refused",
            CustomerRequestState::Expired => "The time to decide has expired",
        }
    }

    /// The outcome of the request, in words.
    const fn outcome(&self) -> &'static str {
        match self.standing {
            CustomerRequestState::Waiting => "Nothing happens unless you agree.",
            CustomerRequestState::Approved => "The application is told. You can go back to it.",
            CustomerRequestState::Refused => {
                "The application is told only that you did not agree. This has no effect on your accounts."
            }
            CustomerRequestState::Expired => {
                "Nothing was agreed. If you still want this, begin again in the application."
            }
        }
    }

    const fn is_waiting(&self) -> bool {
        matches!(self.standing, CustomerRequestState::Waiting)
    }
}

const NOT_FOUND: NoticeText = NoticeText {
    text: "There is no request with this code that waits for you. Check the code that the application shows, or begin again there.",
    at: "consent",
};

/// Lists the requests that wait for the customer, with a field for the code of a request that names no customer.
pub(super) async fn list(visit: PageRequest) -> Response {
    present(&visit, None).await
}

async fn present(visit: &PageRequest, notice: Option<NoticeText>) -> Response {
    let customer = match customer(visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let app = &visit.app;
    let requests = match requests::list_customer_requests(&app.auth, &customer).await {
        Ok(requests) => requests,
        Err(error) => return failed(visit, &error),
    };
    let now = app.context.clocks.bank_now();
    let requests = requests.iter().map(|request| RequestView::of(request, now)).collect();
    let template = RequestsPage { frame: PageFrame::of(app), form_token: customer.form_token, notice, requests };
    send_page(app, status(notice), &template, &PagePolicy::plain())
}

/// Shows one request, which is waiting or finished.
pub(super) async fn one(Path(id): Path<BackchannelRequestId>, visit: PageRequest) -> Response {
    let customer = match customer(&visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let found = requests::find_customer_request(&visit.app.auth, &customer, &id).await;
    found_or_not(&visit, found, |found| show(&visit.app, &customer, &found))
}

fn show(app: &App, customer: &LoggedInPsu, found: &CustomerRequest) -> Response {
    let request = RequestView::of(found, app.context.clocks.bank_now());
    let template = RequestPage { frame: PageFrame::of(app), form_token: customer.form_token.clone(), request };
    send_page(app, StatusCode::OK, &template, &PagePolicy::plain())
}

/// Opens the request whose code, the consent's id, an application shows.
pub(super) async fn open_by_code(form: AppsFormSubmission) -> Response {
    let code: String = form.fields.first("consent").chars().filter(|character| !character.is_whitespace()).collect();
    open(&form, BackchannelChoice::Consent(ConsentId::from(code))).await
}

/// Opens a request from the list.
pub(super) async fn open_listed(Path(id): Path<BackchannelRequestId>, form: AppsFormSubmission) -> Response {
    open(&form, BackchannelChoice::Listed(id)).await
}

/// Redirects to the journey in which the customer decides.
async fn open(form: &AppsFormSubmission, choice: BackchannelChoice) -> Response {
    let app = &form.visit.app;
    // The journey continues to a login for its purpose.
    if let Err(answered) = form.count_provider_login() {
        return *answered;
    }
    let listed = match &choice {
        BackchannelChoice::Listed(id) => Some(path_of(id)),
        BackchannelChoice::Consent(_) => None,
    };
    match requests::open_customer_request(&form.visit.auth(), &form.submission, choice).await {
        Ok(Some(started)) => {
            let cookie = interaction::cookie(&started.id, &started.browser);
            redirect_to_page(app, &Method::POST, &interaction::path_of(&started.id), cookie)
        }
        // The page shows the request's outcome; a request of another customer is not found.
        Ok(None) => match listed {
            Some(path) => redirect_to_page(app, &Method::POST, &path, None),
            None => present(&form.visit, Some(NOT_FOUND)).await,
        },
        Err(SessionError::Stale) => redirect_to_page(app, &Method::POST, &format!("{HOME}/requests"), None),
        Err(error) => respond_error(&form.visit, error),
    }
}

fn path_of(id: &BackchannelRequestId) -> String {
    format!("{HOME}/requests/{id}")
}
