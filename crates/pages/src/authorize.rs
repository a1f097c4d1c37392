//! `/authorize`, to which a TPP sends the PSU's browser. `lombard-auth` implements the rules and decides the response; this module
//! translates both to HTTP.

use crate::interaction::{cookie, path_of};
use crate::problem::{local_problem, too_many_requests, unreadable_form};
use crate::reply::{redirect_to_client, redirect_to_page};
use axum::extract::{FromRequest, RawForm, Request, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use http::Method;
use lombard_auth::authorisation::rules::RawRequest;
use lombard_auth::authorisation::{AuthorisationReply, handle_rate_limited_request};
use lombard_domain::ids::{ClientId, FapiInteractionId};
use lombard_edge::App;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::layers::ClientForLog;
use lombard_edge::listener::PeerAddress;
use lombard_edge::request_log::RefusedBy;
use lombard_ports::bank::CallContext;

/// The route accepts GET and form POST in the same way, over TLS without client certificates. Source: AS-060.
pub fn routes() -> Router<App> {
    lombard_oauth::authorize_routes(authorize)
}

async fn authorize(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    peer: Option<Extension<PeerAddress>>,
    known: Option<Extension<ClientForLog>>,
    mut request: Request,
) -> Response {
    // axum's form extractor reads the query only for GET. The response to HEAD is sent without its body. Source: RFC 9110 section 9.3.2.
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
    // Bytes that are not UTF-8 become replacement characters, which no relevant rule accepts.
    let raw = RawRequest { encoded: String::from_utf8_lossy(&encoded).into_owned() };
    let admit = |client: &ClientId| {
        let passed = app.throttle.count_call(RateGroup::AuthorisationRequests, client, now);
        passed.map_err(|exceeded| exceeded.retry_after_secs)?;
        // A caller beyond the rate of its address is not recorded as the client.
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
            redirect_to_page(&app, &method, &path_of(&started.id), cookie)
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

/// Adds to a response the check that refused the request, for the log.
fn with_refusal(response: Response, refused: Option<Extension<RefusedBy>>) -> Response {
    (refused, response).into_response()
}
