//! Signs responses: every body under the paths of payments is signed after it is rendered, including errors. Source: RW-135, RW-223,
//! PIS-073.

use super::recipient::Recipient;
use super::signer::{BodyDigest, signer};
use crate::App;
use crate::endpoint_facts::{EndpointGroup, RateGroup, version_of};
use crate::error::ApiError;
use crate::header_names::SIGNATURE;
use crate::maintenance::RefusedInMaintenance;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use http_body_util::BodyExt;
use lombard_auth::keys::KeysError;
use lombard_domain::version::Version;
use lombard_jose::PoolError;
use std::error::Error;

/// Whether bodies under this path are signed: those of payments and variable recurring payments, in any version.
pub fn is_signed_path(path: &str) -> bool {
    let below = path.strip_prefix("/open-banking/").and_then(|path| path.split_once('/'));
    let segment = below.and_then(|(_, group)| group.split('/').next());
    segment.is_some_and(|segment| Some(segment) == EndpointGroup::Payments.segment().strip_prefix('/'))
}

/// Middleware that signs responses, for the routes of paths that [`is_signed_path`]. It wraps the whole path, so that no response
/// under it is sent unsigned.
pub async fn sign_responses(State(app): State<App>, request: Request, next: Next) -> Response {
    // The response to HEAD is sent without a body, even if a handler renders one.
    let is_head = request.method() == Method::HEAD;
    let recipient = Recipient::of(request.extensions());
    let version = version_of(request.uri().path());
    let response = next.run(request).await;
    if is_head { response } else { sign_response(&app, &recipient, version, response).await }
}

/// Whether a response is outside all rate limits: anybody can request undefined paths, a caller beyond its rate can continue to call, and
/// requests are not counted in maintenance.
fn is_unbounded(response: &Response) -> bool {
    let is_uncounted = |status| {
        matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED | StatusCode::TOO_MANY_REQUESTS)
    };
    is_uncounted(response.status()) || response.extensions().get::<RefusedInMaintenance>().is_some()
}

/// Whether a signature may be made for this response. Source: RW-112, D14.
fn may_be_signed(app: &App, recipient: &Recipient, response: &Response) -> bool {
    let within = |who| app.signed_refusals.count_call(RateGroup::Failures, who, app.context.clocks.wall_now()).is_ok();
    !is_unbounded(response) || recipient.limited().is_some_and(within)
}

/// Removes the body of a response, which then needs no signature (RW-135).
fn without_body(response: Response) -> Response {
    let (mut parts, _) = response.into_parts();
    for name in [CONTENT_TYPE, CONTENT_LENGTH] {
        parts.headers.remove(name);
    }
    Response::from_parts(parts, Body::empty())
}

/// Why a response could not be signed.
#[derive(Debug, thiserror::Error)]
enum ResponseSigningError {
    #[error("there is no key to sign with")]
    Key(#[from] KeysError),
    #[error("the answer could not be signed")]
    Pool(#[from] PoolError),
    #[error("the answer could not be read")]
    Body(#[from] axum::Error),
    #[error("the signature does not fit into a header")]
    Header(#[from] http::header::InvalidHeaderValue),
}

/// Signs a response; a response without a body is returned unchanged.
///
/// A response that cannot be signed is replaced by an error that does not state whether the request succeeded. The same request,
/// with the same key, then returns the result (PIS-061) or the same refusal. Refusals outside all rate limits are signed for
/// callers with a client certificate, up to `SIGNED_REFUSALS` of the application.
pub async fn sign_response(app: &App, recipient: &Recipient, version: Version, response: Response) -> Response {
    if !may_be_signed(app, recipient, &response) {
        return without_body(response);
    }
    match with_signature(app, recipient, response).await {
        Ok(response) => response,
        // The body of this error is the only one that is not signed: nothing can be signed while it is sent.
        Err(ResponseSigningError::Pool(error @ (PoolError::Busy | PoolError::Unavailable))) => {
            ApiError::Unavailable(error.into()).respond(app, version)
        }
        Err(unsigned) => {
            tracing::error!(error = &unsigned as &dyn Error, "an answer was not signed");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

async fn with_signature(
    app: &App,
    recipient: &Recipient,
    response: Response,
) -> Result<Response, ResponseSigningError> {
    let (mut parts, body) = response.into_parts();
    if let Some(BodyDigest { key, digest }) = parts.extensions.remove() {
        let signature = app.auth.signing.sign_digest(&recipient.name(), key, digest).await?;
        parts.headers.insert(SIGNATURE, HeaderValue::try_from(signature)?);
        return Ok(Response::from_parts(parts, body));
    }
    // The server rendered the body as one piece, so it is not copied.
    let body = body.collect().await?.to_bytes();
    if body.is_empty() {
        return Ok(Response::from_parts(parts, Body::empty()));
    }
    let signature = signature(app, recipient, parts.headers.get(CONTENT_TYPE), body.clone()).await?;
    parts.headers.insert(SIGNATURE, signature);
    Ok(Response::from_parts(parts, Body::from(body)))
}

async fn signature(
    app: &App,
    recipient: &Recipient,
    media: Option<&HeaderValue>,
    body: Bytes,
) -> Result<HeaderValue, ResponseSigningError> {
    let (key, header) = signer(app, media)?;
    let signature = app.auth.signing.sign_detached(&recipient.name(), key, header, body).await?;
    Ok(HeaderValue::try_from(signature)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_200_which_paths_have_signed_bodies() {
        for (path, signed) in [
            ("/open-banking/v3.1/pisp/domestic-payments", true),
            ("/open-banking/v4.0/pisp/domestic-payments/1/payment-details", true),
            ("/open-banking/v3.1/pisp/nonsense", true),
            ("/open-banking/v3.1/pisp", true),
            ("/open-banking/v3.1/aisp/accounts", false),
            ("/open-banking/v3.1/pispx/accounts", false),
            ("/open-banking/v3.1/events", false),
            ("/open-banking/pisp", false),
            ("/pisp", false),
        ] {
            assert_eq!(is_signed_path(path), signed, "{path}");
        }
    }
}
