//! `POST /register`, and `GET`, `PUT` and `DELETE /register/{ClientId}`: dynamic client registration. Source: DCR-001, DCR-040.

use super::response::{self, OAuthErrorResponse};
use super::userinfo::caller;
use crate::App;
use crate::catalogue::RateGroup;
use crate::extract::{RateLimitKey, accepts_json, announced_bytes, has_content_type};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::clients;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_auth::registration::{
    REQUEST_BYTES_MAX, RegistrationRequest, delete_registration, read_registration, register_client,
    replace_registration, revoke_misused_token,
};
use lombard_auth::{OAuthError, OAuthErrorCode};
use lombard_domain::grant::GrantSubject;
use lombard_domain::ids::ClientId;
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
        let refused = |status, text| OAuthErrorResponse::invalid_request(status, text).refused_by("DCR-002");
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

async fn read(State(app): State<App>, OwnClient(client): OwnClient) -> Result<Response, OAuthErrorResponse> {
    Ok(response::json(&read_registration(&app.auth, &client).await.map_err(challenging)?))
}

async fn replace(
    State(app): State<App>,
    OwnClient(client): OwnClient,
    request: Request,
) -> Result<Response, OAuthErrorResponse> {
    let signed = SignedBody::read(request, &app).await?;
    Ok(response::json(&replace_registration(&app.auth, &client, signed.request()).await.map_err(challenging)?))
}

async fn delete(State(app): State<App>, OwnClient(client): OwnClient) -> Result<Response, OAuthErrorResponse> {
    delete_registration(&app.auth, &client).await.map_err(challenging)?;
    Ok((StatusCode::NO_CONTENT, response::NOT_STORED).into_response())
}

/// The client in the path, whose own token by client credentials the request has. A token that names another client is revoked.
/// Source: DCR-040, DCR-041.
struct OwnClient(ClientId);

impl FromRequestParts<App> for OwnClient {
    type Rejection = OAuthErrorResponse;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, OAuthErrorResponse> {
        let named = Path::<String>::from_request_parts(parts, app).await.ok().map(|Path(named)| named);
        let certificate = parts.extensions.get::<Arc<ClientCertificate>>().map(Arc::as_ref);
        let caller = caller(app, certificate, parts.extensions.get(), &parts.headers).await?;
        let refused = || {
            let description = "A token of this client, by client credentials, is required.";
            challenging(OAuthError::new(OAuthErrorCode::InvalidToken, description).with_rule("DCR-041"))
        };
        if named.as_deref() != Some(caller.client.as_str()) {
            revoke_misused_token(&app.auth, &caller).await?;
            return Err(refused());
        }
        match &caller.subject {
            GrantSubject::Client => Ok(Self(caller.client.clone())),
            GrantSubject::Psu { .. } => Err(refused()),
        }
    }
}

fn challenging(error: OAuthError) -> OAuthErrorResponse {
    OAuthErrorResponse::from(error).challenging(CHALLENGE)
}
