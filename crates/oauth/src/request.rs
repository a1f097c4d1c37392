//! Reads the form that a client posts and authenticates the client, for the token endpoint and similar endpoints. Source: AS-035.

use super::response::OAuthErrorResponse;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use lombard_api::extract::{announced_bytes, has_content_type, names_media_type};
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::clients::{self, AuthenticatedClient, ClientRequest};
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_auth::form::Form;
use lombard_auth::{OAuthError, OAuthErrorCode};
use lombard_edge::App;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::faults;
use lombard_edge::layers::ClientForLog;
use std::sync::Arc;

/// The most bytes of a form, which is more than an assertion and a request object need.
pub const BODY_BYTES_MAX: usize = 64 * 1024;
const SIGNED_INTROSPECTION: (&str, &str) = ("application", "token-introspection+jwt");
const FORM: (&str, &str) = ("application", "x-www-form-urlencoded");
/// The challenge for a client that used an `Authorization` header with a secret. Source: AS-030, RFC 6749 section 5.2.
const CHALLENGE: &str = "Basic realm=\"lombard\"";

const UNREADABLE: &str = "The body cannot be read or is too large.";

/// A form, with the certificate of its connection and the relevant headers.
#[derive(Debug)]
pub(super) struct PostedForm {
    pub(super) form: Form,
    certificate: Option<Arc<ClientCertificate>>,
    authorization_header: bool,
    client: Option<ClientForLog>,
    /// Whether a signed introspection response is asked for. Source: AS-154, RFC 9701 section 4.
    pub(super) asks_for_signed_introspection: bool,
}

impl FromRequest<App> for PostedForm {
    type Rejection = OAuthErrorResponse;

    async fn from_request(request: Request, app: &App) -> Result<Self, OAuthErrorResponse> {
        if !has_content_type(request.headers(), &[FORM]) {
            let description = "The content type must be application/x-www-form-urlencoded.";
            return Err(OAuthErrorResponse::invalid_request(StatusCode::BAD_REQUEST, description));
        }
        let certificate = request.extensions().get().cloned();
        let client = request.extensions().get().cloned();
        let asks_for_signed_introspection = names_media_type(request.headers(), SIGNED_INTROSPECTION);
        let authorization_header = request.headers().contains_key(header::AUTHORIZATION);
        if certificate.is_none() {
            return Err(not_authenticated(clients::missing_certificate_error(), authorization_header));
        }
        if announced_bytes(request.headers()).is_some_and(|bytes| bytes > BODY_BYTES_MAX as u64) {
            return Err(OAuthErrorResponse::invalid_request(StatusCode::PAYLOAD_TOO_LARGE, UNREADABLE));
        }
        let body = Bytes::from_request(request, app)
            .await
            .map_err(|rejection| OAuthErrorResponse::invalid_request(rejection.into_response().status(), UNREADABLE))?;
        Ok(Self { form: Form::parse(&body)?, certificate, authorization_header, client, asks_for_signed_introspection })
    }
}

/// The rate limit group of an endpoint.
fn group_of(endpoint: OAuthEndpoint) -> RateGroup {
    match endpoint {
        OAuthEndpoint::PushedAuthorization | OAuthEndpoint::BackchannelAuthentication => RateGroup::PushedRequests,
        _ => RateGroup::Tokens,
    }
}

fn not_authenticated(error: OAuthError, authorization_header: bool) -> OAuthErrorResponse {
    let refused = OAuthErrorResponse::from(error);
    if authorization_header { refused.with_challenge(CHALLENGE) } else { refused }
}

impl PostedForm {
    /// The request by which a client authenticates.
    pub(super) fn client_request(&self, endpoint: OAuthEndpoint) -> ClientRequest<'_> {
        let certificate = self.certificate.as_deref();
        let authorization_header = self.authorization_header;
        ClientRequest { endpoint, form: &self.form, authorization_header, certificate }
    }

    /// Authenticates the client and counts the call. A request that does not authenticate a client counts against the certificate, because
    /// it costs the verification of a signature.
    pub(super) async fn authenticate(
        &self,
        app: &App,
        endpoint: OAuthEndpoint,
    ) -> Result<AuthenticatedClient, OAuthErrorResponse> {
        let certificate = self.certificate.as_deref();
        let attempt = app.attempt_with(certificate)?;
        let authorization_header = self.authorization_header;
        let result = clients::authenticate_client(&app.auth, &self.client_request(endpoint)).await;
        match &result {
            Err(error) if error.code == OAuthErrorCode::InvalidClient => drop(attempt),
            Ok(_) | Err(_) => attempt.uncount(),
        }
        let authenticated = result.map_err(|error| {
            if let (Some(log), Some(client)) = (&self.client, &error.client) {
                log.set_refused(client);
            }
            not_authenticated(error, authorization_header)
        })?;
        let now = app.context.clocks.wall_now();
        app.throttle.count_call(group_of(endpoint), &authenticated.client().id, now)?;
        if let Some(client) = &self.client {
            client.set(&authenticated.client().id);
        }
        faults::apply_fault(&authenticated.client().id).await?;
        Ok(authenticated)
    }
}
