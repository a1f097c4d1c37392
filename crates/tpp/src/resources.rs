//! Calls of the Read/Write API: consents and account resources.

use crate::{HttpCall, HttpExchange, Tpp, TppError};
use http::Method;
use serde_json::{Value, json};

impl Tpp {
    /// The URL of a resource, such as `aisp/accounts`, in the version that this TPP calls.
    pub fn resource_url(&self, path: &str) -> String {
        format!("{}/{}/{path}", self.endpoints.resource_base, self.version.segment())
    }

    /// Sends a request for an account-access consent with this body. Source: AIS-010.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn consent_post(&self, token: &str, body: &Value) -> Result<HttpExchange, TppError> {
        let call = HttpCall::post(self.resource_url("aisp/account-access-consents")).with_bearer(token).with_json(body);
        self.send(call).await
    }

    /// Creates an account-access consent with these permissions and returns its id.
    ///
    /// # Errors
    /// [`TppError`] if the consent is refused.
    pub async fn consent_create(&self, token: &str, permissions: &[&str]) -> Result<String, TppError> {
        let body = json!({"Data": {"Permissions": permissions}, "Risk": {}});
        let answer = self.consent_post(token, &body).await?.expect_status(http::StatusCode::CREATED)?;
        answer.text_at("/Data/ConsentId")
    }

    /// Reads a resource, such as `aisp/accounts`.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn get(&self, token: &str, path: &str) -> Result<HttpExchange, TppError> {
        self.read_link(token, &self.resource_url(path)).await
    }

    /// Reads a resource by its complete URL, as `Links` contains it.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn read_link(&self, token: &str, url: &str) -> Result<HttpExchange, TppError> {
        let call = HttpCall::get(url).with_bearer(token).with_header("accept", "application/json");
        self.send(call.with_header("x-fapi-interaction-id", self.ids.random_id().to_string())).await
    }

    /// Polls for events with this body. Source: EVT-035.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn poll_events(&self, token: &str, body: &Value) -> Result<HttpExchange, TppError> {
        let call = HttpCall::post(self.resource_url("events")).with_bearer(token).with_json(body);
        self.send(call.with_header("x-fapi-interaction-id", self.ids.random_id().to_string())).await
    }

    /// Deletes a resource.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn delete(&self, token: &str, path: &str) -> Result<HttpExchange, TppError> {
        self.send(HttpCall::new(Method::DELETE, self.resource_url(path)).with_bearer(token)).await
    }
}
