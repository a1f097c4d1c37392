//! Dynamic client registration: the signed request, and the calls of the registration endpoint.

use crate::{HttpCall, HttpExchange, Jwt, Tpp, TppError};
use http::Method;
use lombard_domain::ids::ClientId;
use serde_json::{Map, Value, json};

/// The lifetime of a registration request in seconds.
const REQUEST_SECS: i64 = 300;
/// The media type of a registration request. Source: DCR-002.
const MEDIA_TYPE: &str = "application/jwt";

impl Tpp {
    /// Creates an unsigned registration request with all values that the software statement allows. Source: DCR-001 to DCR-013.
    ///
    /// # Errors
    /// [`TppError`] when discovery fails.
    pub async fn registration_request(&self) -> Result<Jwt, TppError> {
        let card = &self.folder.details;
        let now = self.now().as_second();
        let mut claims = object(json!({
            "iss": card.software_id,
            "aud": self.discovery().await?.issuer,
            "iat": now,
            "exp": now.saturating_add(REQUEST_SECS),
            "jti": self.ids.random_id().to_string(),
            "software_statement": self.folder.software_statement,
            "software_id": card.software_id,
            "redirect_uris": card.redirect_uris,
            "token_endpoint_auth_method": card.token_endpoint_auth_method,
            "grant_types": ["client_credentials", "authorization_code", "refresh_token"],
            "response_types": ["code id_token", "code"],
            "application_type": "web",
            "id_token_signed_response_alg": "PS256",
            "request_object_signing_alg": "PS256",
        }));
        if let Some(subject) = &card.tls_client_auth_subject_dn {
            claims.insert("tls_client_auth_subject_dn".to_owned(), subject.as_str().into());
        } else {
            claims.insert("token_endpoint_auth_signing_alg".to_owned(), "PS256".into());
        }
        if let Some(mode) = &card.backchannel_token_delivery_mode {
            let ciba = json!(["client_credentials", "authorization_code", "refresh_token", crate::CIBA_GRANT]);
            claims.insert("grant_types".to_owned(), ciba);
            claims.insert("backchannel_token_delivery_mode".to_owned(), mode.as_str().into());
            if let Some(endpoint) = &card.backchannel_client_notification_endpoint {
                claims.insert("backchannel_client_notification_endpoint".to_owned(), endpoint.as_str().into());
            }
        }
        Ok(Jwt::ps256(&card.signing_kid, claims))
    }

    /// Sends a signed registration request. Source: DCR-001.
    ///
    /// # Errors
    /// [`TppError`] if no response was received. A refusal is a response.
    pub async fn register(&self, request: &str) -> Result<HttpExchange, TppError> {
        let url = self.registration_endpoint().await?;
        self.send(HttpCall::post(url).with_header("content-type", MEDIA_TYPE).with_body(request.to_owned())).await
    }

    /// Reads, replaces (with a signed request) or deletes the registration of a client. Source: DCR-040.
    ///
    /// # Errors
    /// [`TppError`] if no response was received. A refusal is a response.
    pub async fn manage_registration(
        &self,
        method: Method,
        client: &ClientId,
        token: &str,
        request: Option<&str>,
    ) -> Result<HttpExchange, TppError> {
        let url = format!("{}/{client}", self.registration_endpoint().await?);
        let call = HttpCall::new(method, url).with_bearer(token);
        let call = match request {
            Some(request) => call.with_header("content-type", MEDIA_TYPE).with_body(request.to_owned()),
            None => call,
        };
        self.send(call).await
    }

    async fn registration_endpoint(&self) -> Result<String, TppError> {
        let endpoint = self.discovery().await?.registration_endpoint.clone();
        endpoint.ok_or_else(|| TppError::Answer("the discovery document names no registration endpoint".to_owned()))
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
