//! The operations of `/authorize`, to which a TPP sends the PSU's browser. The crate `lombard-pages` supplies their handler.

use super::described_routes::DescribedRoutes;
use super::members::{AUTHORISATION, CLIENT, EXAMPLE_REFERENCE};
use super::operation::{ErrorForm, OAuthOperation, RequestBody, RequiredCaller, SuccessResponse};
use axum::handler::Handler;
use http::StatusCode;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_edge::App;
use lombard_edge::endpoint_facts::{HttpMethod, RateGroup};
use serde_json::json;

/// The most bytes of a posted request. The rules have a lower limit and refuse a longer request with a page that states the
/// reason. Source: AS-066.
const BODY_BYTES_MAX: usize = 64 * 1024;

/// The operations of GET and form POST, over ordinary TLS. Source: AS-060.
pub(super) fn operations() -> [OAuthOperation; 2] {
    let examples = vec![("pushed", json!({ "client_id": CLIENT, "request_uri": EXAMPLE_REFERENCE }))];
    let body = RequestBody::Form { name: "AuthorisationRequest", fields: AUTHORISATION.into(), examples };
    let get = OAuthOperation { query: AUTHORISATION, ..operation("GetAuthorise", HttpMethod::Get, StatusCode::FOUND) };
    let post = operation("PostAuthorise", HttpMethod::Post, StatusCode::SEE_OTHER).with_request(body);
    [get, post]
}

/// The routes of these operations, all served by this handler.
pub(super) fn routes<T: 'static>(handler: impl Handler<T, App>) -> DescribedRoutes {
    let serve = |routes: DescribedRoutes, operation| routes.serve(operation, handler.clone());
    operations().into_iter().fold(DescribedRoutes::new(BODY_BYTES_MAX), serve)
}

fn operation(name: &'static str, method: HttpMethod, redirect: StatusCode) -> OAuthOperation {
    let headers = &[("location", "The next page of the bank, or the redirect URI with the authorisation response.")];
    let redirect = SuccessResponse { headers, ..SuccessResponse::empty(redirect, "The browser goes on.") };
    let operation = OAuthOperation::new(name, method, OAuthEndpoint::Authorization, RequiredCaller::Anybody)
        .with_description(
            "Ask a customer for a consent",
            "The browser of the customer brings an authorisation request here: a signed request object, or the reference to one that was \
             pushed. The answer leads to the pages of the bank, and at the end back to the application. Errors go to the redirect URI \
             once the client and the URI are verified, and are shown on a page until then.",
        )
        .with_success(redirect)
        .with_errors(&[
            (StatusCode::BAD_REQUEST, "The request cannot be answered anywhere else."),
            (StatusCode::URI_TOO_LONG, "The request is too long."),
        ])
        .with_rate(RateGroup::AuthorisationAddresses);
    OAuthOperation { error_form: ErrorForm::Page, ..operation }
}
