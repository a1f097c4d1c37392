//! Backchannel authentication (CIBA): requests a decision from a customer who is not in the TPP's browser, and polls for the result.

use crate::{HttpCall, HttpExchange, Jwt, Tpp, TppError};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, json};
use std::fmt;

/// The grant type by which a TPP polls. Source: AS-162.
pub const CIBA_GRANT: &str = "urn:openid:params:grant-type:ciba";

/// The lifetime of a request object in seconds. Source: AS-160.
const REQUEST_SECS: i64 = 600;

/// The response to an accepted backchannel request.
#[derive(Clone, Deserialize)]
pub struct BackchannelAnswer {
    /// The request id with which the TPP polls.
    pub auth_req_id: String,
    /// The number of seconds for which the customer can decide.
    pub expires_in: i64,
    /// The minimum number of seconds between two polls.
    pub interval: i64,
}

impl fmt::Debug for BackchannelAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackchannelAnswer").field("expires_in", &self.expires_in).finish_non_exhaustive()
    }
}

impl Tpp {
    /// Builds the request object of a backchannel request for a consent, which names no customer. Source: AS-160.
    ///
    /// # Errors
    /// [`TppError`] when discovery fails.
    pub async fn backchannel_request(&self, consent: &str, scope: &str) -> Result<Jwt, TppError> {
        let now = self.clocks.wall_now().as_second();
        let document = json!({
            "iss": self.client_id(),
            "aud": self.discovery().await?.issuer,
            "scope": format!("openid {scope}"),
            "openbanking-intent-id": consent,
            "jti": self.ids.random_id().to_string(),
            "iat": now,
            "nbf": now,
            "exp": now.saturating_add(REQUEST_SECS),
        });
        Ok(Jwt::ps256(&self.folder.details.signing_kid, document.as_object().cloned().unwrap_or_else(Map::new)))
    }

    /// Sends a backchannel request with this signed object and the TPP's client authentication.
    ///
    /// # Errors
    /// [`TppError`] if no response was received. A refusal is a response.
    pub async fn send_backchannel_request(&self, request: &str) -> Result<HttpExchange, TppError> {
        let mut form = self.authentication().await?;
        form.push(("request".to_owned(), request.to_owned()));
        let url = self.discovery().await?.backchannel_authentication_endpoint.clone();
        let url = url.ok_or_else(|| TppError::Answer("there is no backchannel authentication endpoint".to_owned()))?;
        self.send(HttpCall::post(url).with_form(form.iter().map(|(name, value)| (name, value)))).await
    }

    /// Sends a backchannel request and returns the parameters for polling.
    ///
    /// # Errors
    /// [`TppError`] if the request is refused.
    pub async fn ask_over_backchannel(&self, request: &Jwt) -> Result<BackchannelAnswer, TppError> {
        let sent = self.send_backchannel_request(&request.sign(&self.folder.signing)?).await?;
        let accepted = sent.expect_status(StatusCode::OK)?;
        serde_json::from_slice(&accepted.body)
            .map_err(|error| TppError::Answer(format!("the backchannel response: {error}")))
    }

    /// Polls for the result of a backchannel request. Source: AS-162.
    ///
    /// # Errors
    /// [`TppError`] if no response was received. A refusal is a response.
    pub async fn poll_backchannel(&self, auth_req_id: &str) -> Result<HttpExchange, TppError> {
        self.request_token(&[("grant_type", CIBA_GRANT), ("auth_req_id", auth_req_id)]).await
    }
}
