//! Builds authorisation requests, and parses the authorisation responses that browsers carry back.

use crate::{HttpCall, HttpExchange, Jwt, Tpp, TppError};
use lombard_jose::SigningKey;
use serde_json::{Map, Value, json};
use std::fmt;
use url::Url;

/// The lifetime of a request object in seconds. Source: AS-073.
const REQUEST_SECS: i64 = 600;

/// An authorisation request before it is signed.
#[derive(Debug, Clone)]
pub struct AuthorisationRequest {
    /// The request object.
    pub object: Jwt,
    /// The query parameters sent with it. Source: AS-062.
    pub query: Vec<(String, String)>,
    /// The nonce that the identity token must repeat.
    pub nonce: String,
    /// The state that the authorisation response must repeat.
    pub state: String,
    endpoint: String,
}

impl AuthorisationRequest {
    /// Sets a claim of the request object; `null` removes it.
    #[must_use]
    pub fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.object = self.object.claim(name, value);
        self
    }

    /// Replaces a query parameter, or adds it.
    #[must_use]
    pub fn parameter(mut self, name: &str, value: &str) -> Self {
        self.query.retain(|(known, _)| known != name);
        self.query.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The authorisation URL, with the request object signed by this key.
    ///
    /// # Errors
    /// [`TppError`] if it cannot be signed.
    pub fn url(&self, key: &SigningKey) -> Result<String, TppError> {
        self.url_with(&self.object.sign(key)?)
    }

    /// The authorisation URL with a request object that the caller has signed.
    ///
    /// # Errors
    /// [`TppError::Answer`] if the authorisation endpoint of the discovery document is not a valid URL.
    pub fn url_with(&self, request: &str) -> Result<String, TppError> {
        let mut url = Url::parse(&self.endpoint)
            .map_err(|error| TppError::Answer(format!("the authorisation endpoint {}: {error}", self.endpoint)))?;
        url.query_pairs_mut().extend_pairs(&self.query).append_pair("request", request);
        Ok(url.into())
    }
}

/// An authorisation response, which is in the fragment of the redirect URI.
#[derive(Clone, Default)]
pub struct AuthorisationResponse {
    /// The authorisation code.
    pub code: Option<String>,
    /// The identity token.
    pub id_token: Option<String>,
    /// The state.
    pub state: Option<String>,
    /// The error code of a refusal.
    pub error: Option<String>,
    /// The description of the error.
    pub error_description: Option<String>,
    /// The names of all parameters, in their order.
    pub names: Vec<String>,
}

impl fmt::Debug for AuthorisationResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrontChannel")
            .field("names", &self.names)
            .field("error", &self.error)
            .field("error_description", &self.error_description)
            .finish_non_exhaustive()
    }
}

impl AuthorisationResponse {
    /// Parses the redirect at the end of an authorisation.
    ///
    /// # Errors
    /// [`TppError::Answer`] if the answer is not a redirect to this URI or has no fragment. Source: AS-085.
    pub fn parse_redirect(exchange: &HttpExchange, redirect_uri: &str) -> Result<Self, TppError> {
        let location = exchange.header("location").ok_or_else(|| {
            let body: String = exchange.text().chars().take(400).collect();
            TppError::Answer(format!("the authorisation answered {} without a redirect: {body}", exchange.status))
        })?;
        Self::read_location(location, redirect_uri)
    }

    /// Parses the URL to which the browser was redirected.
    ///
    /// # Errors
    /// [`TppError::Answer`] if the URL is not this redirect URI with a fragment.
    pub fn read_location(location: &str, redirect_uri: &str) -> Result<Self, TppError> {
        let fragment = location
            .strip_prefix(redirect_uri)
            .and_then(|rest| rest.strip_prefix('#'))
            .ok_or_else(|| TppError::Answer("the redirect does not go to our address with a fragment".to_owned()))?;
        let mut channel = Self::default();
        for (name, value) in form_urlencoded::parse(fragment.as_bytes()) {
            let place = match name.as_ref() {
                "code" => Some(&mut channel.code),
                "id_token" => Some(&mut channel.id_token),
                "state" => Some(&mut channel.state),
                "error" => Some(&mut channel.error),
                "error_description" => Some(&mut channel.error_description),
                _ => None,
            };
            if let Some(place) = place {
                *place = Some(value.into_owned());
            }
            channel.names.push(name.into_owned());
        }
        Ok(channel)
    }

    /// Returns the code and the identity token of a successful response with this state.
    ///
    /// # Errors
    /// [`TppError::Answer`] if the authorisation was refused or the state differs. Source: AS-085.
    pub fn expect_code(&self, state: &str) -> Result<(&str, &str), TppError> {
        if let Some(error) = &self.error {
            let description = self.error_description.as_deref().unwrap_or_default();
            return Err(TppError::Answer(format!("the authorisation was refused: {error} {description}")));
        }
        if self.state.as_deref() != Some(state) {
            return Err(TppError::Answer("the state that came back is not the one sent".to_owned()));
        }
        match (&self.code, &self.id_token) {
            (Some(code), Some(id_token)) => Ok((code, id_token)),
            _ => Err(TppError::Answer("the redirect lacks code or id_token".to_owned())),
        }
    }
}

impl Tpp {
    /// Builds an authorisation request for a consent with strong customer authentication. Source: AS-070 to AS-079.
    ///
    /// # Errors
    /// [`TppError`] when discovery fails.
    pub async fn new_authorisation_request(
        &self,
        consent: &str,
        scope: &str,
    ) -> Result<AuthorisationRequest, TppError> {
        let discovery = self.discovery().await?;
        let now = self.clocks.wall_now().as_second();
        let nonce = self.ids.random_id().to_string();
        let state = self.ids.random_id().to_string();
        let scope = format!("openid {scope}");
        let intent = json!({"essential": true, "value": consent});
        let acr = json!({"essential": true, "values": ["urn:openbanking:psd2:sca"]});
        let document = json!({
            "iss": self.client_id(),
            "client_id": self.client_id(),
            "aud": discovery.issuer,
            "response_type": "code id_token",
            "scope": scope,
            "redirect_uri": self.redirect_uri()?,
            "nonce": nonce,
            "state": state,
            "jti": self.ids.random_id().to_string(),
            "iat": now,
            "nbf": now,
            "exp": now.saturating_add(REQUEST_SECS),
            "claims": {
                "id_token": {"openbanking_intent_id": intent, "acr": acr},
                "userinfo": {"openbanking_intent_id": intent},
            },
        });
        let claims = document.as_object().cloned().unwrap_or_else(Map::new);
        Ok(AuthorisationRequest {
            object: Jwt::ps256(&self.folder.details.signing_kid, claims),
            query: vec![
                ("client_id".to_owned(), self.client_id().to_string()),
                ("response_type".to_owned(), "code id_token".to_owned()),
                ("scope".to_owned(), scope),
            ],
            nonce,
            state,
            endpoint: discovery.authorization_endpoint.clone(),
        })
    }

    /// Opens an authorisation URL like a browser without cookies; redirects are not followed.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn open_authorisation(&self, url: &str) -> Result<HttpExchange, TppError> {
        self.send(HttpCall::get(url)).await
    }

    /// Authorises a consent without user interaction, which the sandbox allows for headless TPPs, and parses the redirect.
    ///
    /// # Errors
    /// [`TppError`] if the answer is no redirect to this TPP.
    pub async fn authorise_headless(&self, request: &AuthorisationRequest) -> Result<AuthorisationResponse, TppError> {
        let answer = self.open_authorisation(&request.url(&self.folder.signing)?).await?;
        AuthorisationResponse::parse_redirect(&answer, self.redirect_uri()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_085_only_a_fragment_at_our_own_address_counts() {
        let ours = "https://localhost:8445/callback";
        let read =
            AuthorisationResponse::read_location(&format!("{ours}#code=a%2Bb&id_token=c&state=s"), ours).unwrap();
        assert_eq!(read.expect_code("s").unwrap(), ("a+b", "c"));
        assert!(read.expect_code("t").is_err(), "another state");
        assert_eq!(read.names, ["code", "id_token", "state"]);
        assert!(AuthorisationResponse::read_location(&format!("{ours}?code=a"), ours).is_err());
        assert!(AuthorisationResponse::read_location("https://localhost:8445/callback2#code=a", ours).is_err());
        let refused =
            AuthorisationResponse::read_location(&format!("{ours}#error=access_denied&state=s"), ours).unwrap();
        assert!(refused.expect_code("s").is_err());
    }
}
