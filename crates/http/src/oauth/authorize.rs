//! `/authorize`: where a TPP sends the PSU's browser. Rules and answers are `lombard-auth`'s; here they become HTTP.

use super::described_routes::DescribedRoutes;
use super::members::{AUTHORISATION, CLIENT, EXAMPLE_REFERENCE};
use super::operation::{ErrorForm, OAuthOperation, RequestBody, RequiredCaller, SuccessResponse};
use crate::App;
use crate::catalogue::{HttpMethod, RateGroup};
use crate::layers::ClientForLog;
use crate::listener::PeerAddress;
use crate::pages::{cookie, local_problem, path_of, redirect_to_client, to_page, too_many_requests, unreadable_form};
use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::{FromRequest, RawForm, Request, State};
use axum::response::{IntoResponse, Response};
use http::{Method, StatusCode};
use lombard_auth::authorisation::rules::RawRequest;
use lombard_auth::authorisation::{AuthorisationReply, handle_rate_limited_request};
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use lombard_ports::bank::CallContext;
use serde_json::json;

/// Most bytes of a posted request; the rules refuse long ones with a page that says so. Source: AS-066.
const BODY_BYTES_MAX: usize = 64 * 1024;

/// GET and form POST alike, over ordinary TLS. Source: AS-060.
pub(super) fn routes() -> DescribedRoutes {
    let examples = vec![("pushed", json!({ "client_id": CLIENT, "request_uri": EXAMPLE_REFERENCE }))];
    let body = RequestBody::Form { name: "AuthorisationRequest", fields: AUTHORISATION.into(), examples };
    let get = OAuthOperation { query: AUTHORISATION, ..operation("GetAuthorise", HttpMethod::Get, StatusCode::FOUND) };
    let post = operation("PostAuthorise", HttpMethod::Post, StatusCode::SEE_OTHER).taking(body);
    DescribedRoutes::new(BODY_BYTES_MAX).serve(get, authorize).serve(post, authorize)
}

fn operation(name: &'static str, method: HttpMethod, redirect: StatusCode) -> OAuthOperation {
    let headers = &[("location", "The next page of the bank, or the redirect URI with the authorisation response.")];
    let redirect = SuccessResponse { headers, ..SuccessResponse::empty(redirect, "The browser goes on.") };
    let operation = OAuthOperation::new(name, method, OAuthEndpoint::Authorization, RequiredCaller::Anybody)
        .described(
            "Ask a customer for a consent",
            "The browser of the customer brings an authorisation request here: a signed request object, or the reference to one that was \
             pushed. The answer leads to the pages of the bank, and at the end back to the application. Errors go to the redirect URI \
             once the client and the URI are verified, and are shown on a page until then.",
        )
        .answering(redirect)
        .failing(&[
            (StatusCode::BAD_REQUEST, "The request cannot be answered anywhere else."),
            (StatusCode::URI_TOO_LONG, "The request is too long."),
        ])
        .counted(RateGroup::AuthorisationAddresses);
    OAuthOperation { error_form: ErrorForm::Page, ..operation }
}

async fn authorize(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    peer: Option<Extension<PeerAddress>>,
    known: Option<Extension<ClientForLog>>,
    mut request: Request,
) -> Response {
    // axum's form reads the query for GET alone. The answer to HEAD leaves without its body. Source: RFC 9110 section 9.3.2.
    if request.method() == Method::HEAD {
        *request.method_mut() = Method::GET;
    }
    let method = request.method().clone();
    let now = app.context.clocks.wall_now();
    if let Some(Extension(PeerAddress(peer))) = &peer
        && let Err(exceeded) = app.throttle.count_call(RateGroup::AuthorisationAddresses, peer.ip(), now)
    {
        return too_many_requests(&app, exceeded.retry_after_secs);
    }
    let RawForm(encoded) = match RawForm::from_request(request, &app).await {
        Ok(form) => form,
        Err(bad) => return unreadable_form(&app, bad.into_response().status()),
    };
    // Bytes that are no text become replacement characters, which no rule accepts where it matters.
    let raw = RawRequest { encoded: String::from_utf8_lossy(&encoded).into_owned() };
    let admit = |client: &ClientId| {
        let passed = app.throttle.count_call(RateGroup::AuthorisationRequests, client, now);
        passed.map_err(|exceeded| exceeded.retry_after_secs)?;
        // Whoever repeats a client's address beyond its rate is not recorded as the client.
        if let Some(Extension(known)) = &known {
            known.set(client);
        }
        Ok(())
    };
    let call = CallContext {
        interaction: Some(reference.clone()),
        customer_address: peer.map(|Extension(PeerAddress(peer))| peer.ip()),
        ..CallContext::default()
    };
    match handle_rate_limited_request(&app.auth.for_call(call), &raw, admit).await {
        AuthorisationReply::TooMany { retry_after_secs } => too_many_requests(&app, retry_after_secs),
        AuthorisationReply::Journey(started) => {
            let cookie = cookie(&started.id, &started.browser);
            to_page(&app, &method, &path_of(&started.id), cookie)
        }
        AuthorisationReply::Redirect(to) => {
            let refused = to.refused.map(|check| Extension(RefusedBy::from(check)));
            with_refusal(redirect_to_client(&app, &method, &to, None), refused)
        }
        AuthorisationReply::ErrorPage(problem) => {
            let refused = Extension(RefusedBy::from(problem.failed_check()));
            with_refusal(local_problem(&app, &problem, &reference), Some(refused))
        }
    }
}

/// The answer, which tells the log the check that refused the request.
fn with_refusal(response: Response, refused: Option<Extension<RefusedBy>>) -> Response {
    (refused, response).into_response()
}
