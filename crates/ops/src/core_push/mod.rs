//! Status updates that the bank's core pushes: signed tokens on the public listener, if the bank has configured keys
//! for them.
//!
//! The server fetches all updates anyway; a push only delivers them earlier. Callers are unauthenticated until the signature is verified,
//! so the size of bodies, the number of concurrent calls and the failures of an address are limited.

mod token;

use crate::core_api::error_response;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};
use lombard_core_api::calls::{AppliedUpdates, PUSH_PATH, PushedUpdates, write_message};
use lombard_core_api::{ErrorBody, ErrorCode};
use lombard_domain::ids::ClientId;
use lombard_edge::App;
use lombard_edge::app::HttpSettings;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::listener::PeerAddress;
use lombard_edge::routing::post;
use lombard_jose::{KeySet, base64url, sha256};
use lombard_ports::store::{ReplayPurpose, StoreError};
use lombard_service::Failure;
use lombard_service::payments::execution::apply_pushed_updates;
use std::sync::Arc;
use token::{PushRefusal, read_push};
use tokio::sync::Semaphore;

/// The media type of a push.
const MEDIA_TYPE: &str = "application/jose";
/// The most bytes of a push, which suffice for several hundred updates.
const BODY_BYTES_MAX: usize = 256 * 1024;
/// The most pushes that are applied at a time; a core sends them one after another.
const AT_A_TIME_MAX: usize = 4;
/// Seconds after which a core may try again.
const RETRY_AFTER_SECS: i64 = 1;

/// The route for pushes, if the bank has configured keys.
pub fn routes(settings: &HttpSettings) -> Router<App> {
    let Some(keys) = settings.push_keys.clone().map(Arc::new) else { return Router::new() };
    let permits = Arc::new(Semaphore::new(AT_A_TIME_MAX));
    let receive =
        move |State(app): State<App>, peer: Option<Extension<PeerAddress>>, headers: HeaderMap, body: Body| {
            let keys = Arc::clone(&keys);
            let permits = Arc::clone(&permits);
            async move { receive(&app, &keys, &permits, peer, &headers, body).await }
        };
    Router::new().route(PUSH_PATH, post(receive))
}

async fn receive(
    app: &App,
    keys: &KeySet,
    permits: &Semaphore,
    peer: Option<Extension<PeerAddress>>,
    headers: &HeaderMap,
    body: Body,
) -> Response {
    let now = app.context.clocks.wall_now();
    let attempt = peer.map(|Extension(PeerAddress(peer))| app.throttle.attempt(RateGroup::Failures, peer.ip(), now));
    let attempt = match attempt.transpose() {
        Ok(attempt) => attempt,
        Err(exceeded) => return retry_later(StatusCode::TOO_MANY_REQUESTS, exceeded.retry_after_secs),
    };
    if headers.get(CONTENT_TYPE).is_none_or(|kind| kind != MEDIA_TYPE) {
        return refused(&PushRefusal::MediaType);
    }
    let Ok(body) = to_bytes(body, BODY_BYTES_MAX).await else {
        let error = ErrorBody::new(ErrorCode::TooLarge, "The token is too large, or was not received whole.");
        return error_response(&error);
    };
    let read = read_push(&body, keys, &app.auth.settings.issuer, now);
    if read.as_ref().err().is_none_or(PushRefusal::is_of_a_signed_push)
        && let Some(attempt) = attempt
    {
        // Only a push without a valid signature of a known key counts against the address.
        attempt.uncount();
    }
    let push = match read {
        Ok(push) => push,
        Err(refusal) => return refused(&refusal),
    };
    // Only the core itself passes the checks above, so no other caller can hold the permits.
    let Ok(_permit) = permits.try_acquire() else {
        return retry_later(StatusCode::TOO_MANY_REQUESTS, RETRY_AFTER_SECS);
    };
    match claim_id(app, &push).await {
        Ok(true) => {}
        Ok(false) => return refused(&PushRefusal::Replayed),
        Err(error) => return failed(&error.into()),
    }
    let outside_any_call = app.context.caused_by(None);
    match apply_pushed_updates(&outside_any_call, push.updates).await {
        Ok(applied) => {
            ([(CONTENT_TYPE, "application/json")], write_message(&AppliedUpdates { applied })).into_response()
        }
        Err(failure) => failed(&failure),
    }
}

/// Claims the id of a push. `false` if it was used before.
async fn claim_id(app: &App, push: &PushedUpdates) -> Result<bool, StoreError> {
    let issuer = ClientId::new(push.issuer.clone());
    let id = base64url(&sha256(push.id.as_bytes()).0);
    let expires_at = token::end_of(push);
    let claim = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
        tx.one_time_value_claim(&issuer, ReplayPurpose::PushedUpdates, &id, expires_at)
    };
    app.context.store.write(claim).await
}

fn refused(refusal: &PushRefusal) -> Response {
    let (code, message) = refusal.code_and_message();
    tracing::info!(
        security.refusal = "pushed_updates",
        reason = message,
        "status updates that were pushed are refused"
    );
    let faults = match refusal {
        PushRefusal::Unreadable(faults) => faults.clone(),
        _ => Vec::new(),
    };
    error_response(&ErrorBody { faults, ..ErrorBody::new(code, message) })
}

fn failed(failure: &Failure) -> Response {
    let error = failure as &dyn std::error::Error;
    tracing::warn!(error, "status updates that were pushed are not applied");
    match failure {
        Failure::Unavailable(_) => retry_later(StatusCode::SERVICE_UNAVAILABLE, RETRY_AFTER_SECS),
        Failure::Refused(_) | Failure::Broken(_) => {
            error_response(&ErrorBody::new(ErrorCode::Failed, "The updates cannot be applied; they will be fetched."))
        }
    }
}

fn retry_later(status: StatusCode, secs: i64) -> Response {
    (status, [(RETRY_AFTER, HeaderValue::from(secs))]).into_response()
}
