//! `POST /register`, and `GET`, `PUT` and `DELETE /register/{ClientId}`: dynamic client registration. Source: DCR-001, DCR-040.

use super::described_routes::DescribedRoutes;
use super::members::{CALLBACK, EXAMPLE_JWT};
use super::operation::{
    BAD_REQUEST, NO_TOKEN, NOT_THE_CLIENT, OAuthOperation, RequestBody, RequiredCaller, SuccessResponse,
};
use super::response::{self, OAuthErrorResponse};
use super::userinfo::caller;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use lombard_api::extract::{accepts_json, announced_bytes, has_content_type};
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::clients;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_auth::registration::{
    REQUEST_BYTES_MAX, RegistrationRequest, delete_registration, read_registration, register_client,
    registration_request_schema, registration_response_schema, replace_registration, revoke_misused_token,
};
use lombard_auth::{AuthorisationServer, OAuthError, OAuthErrorCode};
use lombard_domain::grant::GrantSubject;
use lombard_domain::ids::ClientId;
use lombard_edge::App;
use lombard_edge::endpoint_facts::{HttpMethod, RateGroup};
use lombard_edge::limits::RateLimitKey;
use lombard_edge::listener::PeerAddress;
use lombard_ports::bank::CallContext;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;

/// The media types of a request: the one that the conformance suite sends, and the one that other TPPs use. Source: DCR-002.
const MEDIA_TYPES: [(&str, &str); 2] = [("application", "jose"), ("application", "jwt")];
/// The `WWW-Authenticate` header for a refused token. Source: AS-111, DCR-041.
const CHALLENGE: &str = r#"Bearer error="invalid_token""#;

pub(super) fn routes() -> DescribedRoutes {
    let operation = |name, method, caller| {
        OAuthOperation::new(name, method, OAuthEndpoint::Registration, caller)
            .with_errors(&[BAD_REQUEST])
            .with_rate(RateGroup::Tokens)
    };
    let managed = |name, method| {
        let operation = operation(name, method, RequiredCaller::ClientToken).with_errors(&[NO_TOKEN]);
        OAuthOperation { segment: "/{ClientId}", ..operation }
    };
    let registration = |status, description| {
        SuccessResponse::json(status, description, "Registration", registration_response_schema())
    };
    let register_operation = operation("PostRegister", HttpMethod::Post, RequiredCaller::Certificate)
        .with_description(
            "Register a client",
            "Registers a client of the software that the software statement is about. Where an operator approves registrations, the \
             client is disabled until then.",
        )
        .with_request(signed_request())
        .with_success(registration(StatusCode::CREATED, "The client is registered."))
        .with_errors(&[NOT_THE_CLIENT])
        .with_errors(&BODY_ERRORS);
    let read_operation = managed("GetRegistration", HttpMethod::Get)
        .with_description("Read a registration", "The registration of the client that calls.")
        .with_success(registration(StatusCode::OK, "The registration."));
    let replace_operation = managed("PutRegistration", HttpMethod::Put)
        .with_description(
            "Replace a registration",
            "Replaces the registration of the client that calls. Its tokens stay, without the scopes that it no longer has.",
        )
        .with_request(signed_request())
        .with_success(registration(StatusCode::OK, "The registration is replaced."))
        .with_errors(&BODY_ERRORS);
    let delete_operation = managed("DeleteRegistration", HttpMethod::Delete)
        .with_description(
            "Delete a registration",
            "Deletes the registration of the client that calls. Its tokens and consents end with it.",
        )
        .with_success(SuccessResponse::empty(StatusCode::NO_CONTENT, "The registration is deleted."));
    DescribedRoutes::new(REQUEST_BYTES_MAX)
        .serve(register_operation, register)
        .serve(read_operation, read)
        .serve(replace_operation, replace)
        .serve(delete_operation, delete)
}

/// The errors about the headers of a signed request.
const BODY_ERRORS: [(StatusCode, &str); 2] = [
    (StatusCode::NOT_ACCEPTABLE, "The header Accept does not allow application/json."),
    (StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body is neither application/jose nor application/jwt."),
];

/// The body of a request, as the OpenAPI documents describe it.
fn signed_request() -> RequestBody {
    let media = MEDIA_TYPES.map(|(kind, sub)| format!("{kind}/{sub}"));
    RequestBody::Jwt {
        name: "RegistrationRequest",
        claims: registration_request_schema(),
        example: example_claims(),
        media,
    }
}

fn example_claims() -> Value {
    json!({
        "iss": "your-software-id",
        "aud": "https://bank.example",
        "iat": 1_700_000_000,
        "exp": 1_700_000_300,
        "jti": "0d3b3b1e-6f0c-4c56-9b0e-3a3f0c1d2e3f",
        "software_statement": EXAMPLE_JWT,
        "redirect_uris": [CALLBACK],
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_signing_alg": "PS256",
        "grant_types": ["client_credentials", "authorization_code", "refresh_token"],
        "response_types": ["code id_token"],
        "scope": "openid accounts payments",
    })
}

/// A signed request with the certificate of its connection.
struct SignedBody {
    text: String,
    certificate: Arc<ClientCertificate>,
}

impl SignedBody {
    fn request(&self) -> RegistrationRequest<'_> {
        RegistrationRequest { body: &self.text, certificate: &self.certificate }
    }

    /// Reads the body of a request, after its headers have been checked.
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
        // Bytes that are not text cannot be a JWS.
        Ok(Self { text: String::from_utf8_lossy(&body).trim().to_owned(), certificate })
    }
}

async fn register(
    State(app): State<App>,
    RegistrationCall(auth): RegistrationCall,
    request: Request,
) -> Result<Response, OAuthErrorResponse> {
    // A refused request counts against the certificate, because it costs verifications of signatures.
    let certificate = request.extensions().get::<Arc<ClientCertificate>>().cloned();
    let attempt = app.attempt_with(certificate.as_deref())?;
    let signed = SignedBody::read(request, &app).await?;
    let holder = RateLimitKey::Certificate(signed.certificate.thumbprint());
    app.throttle.count_call(RateGroup::Tokens, holder, app.context.clocks.wall_now())?;
    let registered = register_client(&auth, signed.request()).await?;
    attempt.uncount();
    Ok((StatusCode::CREATED, response::json(&registered)).into_response())
}

async fn read(State(app): State<App>, OwnClient(client): OwnClient) -> Result<Response, OAuthErrorResponse> {
    Ok(response::json(&read_registration(&app.auth, &client).await.map_err(challenging)?))
}

async fn replace(
    State(app): State<App>,
    OwnClient(client): OwnClient,
    RegistrationCall(auth): RegistrationCall,
    request: Request,
) -> Result<Response, OAuthErrorResponse> {
    let signed = SignedBody::read(request, &app).await?;
    Ok(response::json(&replace_registration(&auth, &client, signed.request()).await.map_err(challenging)?))
}

async fn delete(
    OwnClient(client): OwnClient,
    RegistrationCall(auth): RegistrationCall,
) -> Result<Response, OAuthErrorResponse> {
    delete_registration(&auth, &client).await.map_err(challenging)?;
    Ok((StatusCode::NO_CONTENT, response::NO_STORE_HEADERS).into_response())
}

/// The authorisation server for one request, with the facts about the request that the audit log keeps. The address is that of the TPP.
struct RegistrationCall(AuthorisationServer);

impl FromRequestParts<App> for RegistrationCall {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let interaction = parts.extensions.get().cloned();
        let customer_address = parts.extensions.get().map(|PeerAddress(peer)| peer.ip());
        Ok(Self(app.auth.for_call(CallContext { interaction, customer_address, ..CallContext::default() })))
    }
}

/// The client in the path, if the request has that client's own token of the client credentials grant. A token of another client is
/// revoked. Source: DCR-040, DCR-041.
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
    OAuthErrorResponse::from(error).with_challenge(CHALLENGE)
}
