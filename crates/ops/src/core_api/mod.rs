//! The core API: serves any bank behind the port to a server in another process.
//!
//! The routes come from the table of methods (`lombard_core_api::calls`). Every route refuses a caller without a client certificate; the
//! listener's TLS configuration determines which certificates are trusted.

mod dispatch;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use lombard_core_api::calls::{AnswerBody, methods};
use lombard_core_api::openapi::build_openapi_document;
use lombard_core_api::{BASE_PATH, ErrorBody, ErrorCode};
use lombard_edge::layers::certificate;
use lombard_edge::layers::{LayerContext, apply_layers};
use lombard_edge::listener::tls::{TlsError, TlsMaterial};
use lombard_edge::listener::{ClientVerifier, Listener, ListenerLimits, ListenerTransport, RunningListener};
use lombard_edge::routing::{get, post};
use lombard_ports::bank::Bank;
use std::sync::Arc;

pub use dispatch::{CallFailure, answer_call};

/// Seconds after which a caller may try again, if the bank is unavailable and states no time.
const RETRY_AFTER_SECS: u64 = 1;

/// A bank to serve, with the limit on requests.
#[derive(Debug, Clone)]
pub struct CoreApi {
    /// The bank behind the port.
    pub bank: Arc<dyn Bank>,
    /// The most bytes of a request.
    pub body_bytes_max: usize,
}

/// The routes of the core API, with the layers of a listener.
pub fn core_api_router(served: CoreApi, around: LayerContext) -> Router {
    apply_layers(routes(served), around)
}

/// The routes of the core API.
pub fn routes(served: CoreApi) -> Router {
    let mut router = Router::new()
        .route(&[BASE_PATH, "/health"].concat(), get(health))
        .route(&[BASE_PATH, "/openapi.yaml"].concat(), get(document));
    for method in methods() {
        let handler = |state: State<CoreApi>, request: Request| answer(method.name, state, request);
        router = router.route(&[BASE_PATH, "/", method.name].concat(), post(handler));
    }
    router.fallback(unknown).with_state(served)
}

/// Serves the routes on a listener whose callers must have a certificate of one of these anchors (DER).
///
/// # Errors
/// [`TlsError`] if TLS cannot be set up.
pub fn serve_core_api(
    listener: Listener,
    tls: &TlsMaterial,
    client_anchors: &[Vec<u8>],
    router: Router,
    limits: ListenerLimits,
) -> Result<RunningListener, TlsError> {
    let transport = ListenerTransport::tls(tls.mtls(&ClientVerifier::new(client_anchors)?)?);
    Ok(listener.serve_router("core", transport, router, limits))
}

async fn health(request: Request) -> Response {
    certificate::refusal(&request).unwrap_or_else(|| StatusCode::OK.into_response())
}

async fn document(request: Request) -> Response {
    certificate::refusal(&request)
        .unwrap_or_else(|| ([(CONTENT_TYPE, "application/yaml")], build_openapi_document()).into_response())
}

async fn unknown(request: Request) -> Response {
    let unknown = || CallFailure::Error(ErrorBody::new(ErrorCode::UnknownMethod, "There is no such method."));
    certificate::refusal(&request).unwrap_or_else(|| unknown().into_response())
}

async fn answer(name: &'static str, State(served): State<CoreApi>, request: Request) -> Response {
    if let Some(refusal) = certificate::refusal(&request) {
        return refusal;
    }
    let body: Bytes = match axum::body::to_bytes(request.into_body(), served.body_bytes_max).await {
        Ok(body) => body,
        Err(_) => {
            let error = ErrorBody::new(ErrorCode::TooLarge, "The request is too large, or was not received whole.");
            return CallFailure::Error(error).into_response();
        }
    };
    match Box::pin(answer_call(served.bank.as_ref(), name, &body)).await {
        Ok(AnswerBody::Json(json)) => ([(CONTENT_TYPE, "application/json")], json).into_response(),
        Ok(AnswerBody::File(file)) => ([(CONTENT_TYPE, "application/octet-stream")], file).into_response(),
        Ok(AnswerBody::Nothing) => StatusCode::NO_CONTENT.into_response(),
        Err(failure) => failure.into_response(),
    }
}

impl IntoResponse for CallFailure {
    fn into_response(self) -> Response {
        let mut retry_after = RETRY_AFTER_SECS;
        let body = match self {
            Self::Error(body) => body,
            Self::Unavailable(cause, wait) => {
                retry_after = wait.map_or(RETRY_AFTER_SECS, |wait| wait.as_secs().max(RETRY_AFTER_SECS));
                tracing::warn!(error = %cause, "the bank is unavailable");
                ErrorBody::new(ErrorCode::Busy, "The bank cannot answer now.")
            }
            Self::Broken(cause) => {
                tracing::error!(error = %cause, "the bank has failed");
                ErrorBody::new(ErrorCode::Failed, "The bank has failed.")
            }
        };
        let mut response = error_response(&body);
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, http::HeaderValue::from(retry_after));
        }
        response
    }
}

/// An error of the core API, with the status of its code.
pub(crate) fn error_response(body: &ErrorBody) -> Response {
    let status = match body.code {
        ErrorCode::Invalid => StatusCode::BAD_REQUEST,
        ErrorCode::Untrusted => StatusCode::UNAUTHORIZED,
        ErrorCode::UnknownMethod => StatusCode::NOT_FOUND,
        ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::Busy => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::Failed => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, [(CONTENT_TYPE, "application/json")], body.to_json()).into_response()
}
