//! `POST /register`, and `GET`, `PUT` and `DELETE /register/{ClientId}`: dynamic client registration. Source: DCR-001, DCR-040.

use super::response::{self, OAuthErrorResponse};
use super::userinfo::caller;
use crate::App;
use crate::catalogue::RateGroup;
use crate::extract::{RateLimitKey, accepts_json, announced_bytes, has_content_type};
use crate::layers::ClientForLog;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use lombard_auth::callers::Caller;
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::clients;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_auth::registration::{
    REQUEST_BYTES_MAX, RegistrationRequest, delete_registration, read_registration, register_client,
    replace_registration, revoke_misused_token,
};
use lombard_auth::{OAuthError, OAuthErrorCode};
use lombard_domain::grant::GrantSubject;
use std::sync::Arc;

/// How a request is written: as the conformance suite sends it, and as its peers do. Source: DCR-002.
const MEDIA_TYPES: [(&str, &str); 2] = [("application", "jose"), ("application", "jwt")];
/// Source: AS-111, DCR-041.
const CHALLENGE: &str = r#"Bearer error="invalid_token""#;

/// None where nobody can register.
pub(super) fn routes() -> Router<App> {
    let path = OAuthEndpoint::Registration.path();
    let managed = get(read).put(replace).delete(delete).fallback(response::method_not_allowed);
    Router::new()
        .route(path, post(register).fallback(response::method_not_allowed))
        .route(&format!("{path}/{{client_id}}"), managed)
        .layer(DefaultBodyLimit::max(REQUEST_BYTES_MAX))
}

/// A signed request with the certificate that it came with.
struct SignedBody {
    text: String,
    certificate: Arc<ClientCertificate>,
}

impl SignedBody {
    fn request(&self) -> RegistrationRequest<'_> {
        RegistrationRequest { body: &self.text, certificate: &self.certificate }
    }

    /// Reads the body of a request whose headers may stand.
    async fn read(request: Request, app: &App) -> Result<Self, OAuthErrorResponse> {
        let Some(certificate) = request.extensions().get::<Arc<ClientCertificate>>().cloned() else {
            return Err(clients::missing_certificate_error().into());
        };
        let refused = OAuthErrorResponse::invalid_request;
        if !has_content_type(request.headers(), &MEDIA_TYPES) {
            let description = "The content type must be application/jose or application/jwt.";
            return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, description));
        }
        if !accepts_json(request.headers()) {
            return Err(refused(StatusCode::NOT_ACCEPTABLE, "The answer is application/json."));
        }
        let too_large = "The body cannot be read or is too large.";
        if announced_bytes(request.headers()).is_some_and(|bytes| bytes > REQUEST_BYTES_MAX as u64) {
            return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, too_large));
        }
        let body = Bytes::from_request(request, app)
            .await
            .map_err(|rejection| refused(rejection.into_response().status(), too_large))?;
        // Bytes that are no text are no JWS either.
        Ok(Self { text: String::from_utf8_lossy(&body).trim().to_owned(), certificate })
    }
}

async fn register(State(app): State<App>, request: Request) -> Result<Response, OAuthErrorResponse> {
    // What is refused counts against the certificate: each costs signatures.
    let certificate = request.extensions().get::<Arc<ClientCertificate>>().cloned();
    let attempt = app.attempt_with(certificate.as_deref())?;
    let signed = SignedBody::read(request, &app).await?;
    let holder = RateLimitKey::Certificate(signed.certificate.thumbprint());
    app.throttle.count_call(RateGroup::Tokens, holder, app.context.clocks.wall_now())?;
    let registered = register_client(&app.auth, signed.request()).await?;
    attempt.forgive();
    Ok((StatusCode::CREATED, response::json(&registered)).into_response())
}

async fn read(
    State(app): State<App>,
    Path(client): Path<String>,
    certificate: Option<Extension<Arc<ClientCertificate>>>,
    known: Option<Extension<ClientForLog>>,
    headers: HeaderMap,
) -> Result<Response, OAuthErrorResponse> {
    let caller = own_client(&app, &client, certificate.as_deref().map(Arc::as_ref), known.as_deref(), &headers).await?;
    Ok(response::json(&read_registration(&app.auth, &caller.client).await.map_err(challenging)?))
}

async fn replace(
    State(app): State<App>,
    Path(client): Path<String>,
    request: Request,
) -> Result<Response, OAuthErrorResponse> {
    let certificate = request.extensions().get::<Arc<ClientCertificate>>().cloned();
    let known = request.extensions().get::<ClientForLog>().cloned();
    let caller = own_client(&app, &client, certificate.as_deref(), known.as_ref(), request.headers()).await?;
    let signed = SignedBody::read(request, &app).await?;
    let replaced = replace_registration(&app.auth, &caller.client, signed.request()).await.map_err(challenging)?;
    Ok(response::json(&replaced))
}

async fn delete(
    State(app): State<App>,
    Path(client): Path<String>,
    certificate: Option<Extension<Arc<ClientCertificate>>>,
    known: Option<Extension<ClientForLog>>,
    headers: HeaderMap,
) -> Result<Response, OAuthErrorResponse> {
    let caller = own_client(&app, &client, certificate.as_deref().map(Arc::as_ref), known.as_deref(), &headers).await?;
    delete_registration(&app.auth, &caller.client).await.map_err(challenging)?;
    Ok((StatusCode::NO_CONTENT, response::NOT_STORED).into_response())
}

/// The caller whose own token, by client credentials, names this client. A token that names another client is revoked.
/// Source: DCR-040, DCR-041.
async fn own_client(
    app: &App,
    client: &str,
    certificate: Option<&ClientCertificate>,
    known: Option<&ClientForLog>,
    headers: &HeaderMap,
) -> Result<Arc<Caller>, OAuthErrorResponse> {
    let caller = caller(app, certificate, known, headers).await?;
    let refused = || {
        let description = "A token of this client, by client credentials, is required.";
        challenging(OAuthError::new(OAuthErrorCode::InvalidToken, description))
    };
    if caller.client.as_str() != client {
        revoke_misused_token(&app.auth, &caller).await?;
        return Err(refused());
    }
    match &caller.subject {
        GrantSubject::Client => Ok(caller),
        GrantSubject::Psu { .. } => Err(refused()),
    }
}

fn challenging(error: OAuthError) -> OAuthErrorResponse {
    OAuthErrorResponse::from(error).challenging(CHALLENGE)
}
