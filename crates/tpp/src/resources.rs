//! The Read/Write API: consents and the account resources.

use crate::{Call, Exchange, Tpp, TppError};
use http::Method;
use serde_json::{Value, json};

impl Tpp {
    /// The address of a resource of version 3.1, as `aisp/accounts`.
    pub fn resource_url(&self, path: &str) -> String {
        format!("{}/v3.1/{path}", self.endpoints.resource_base)
    }

    /// Asks for an account-access consent with this body. Source: AIS-010.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] when none came.
    pub async fn consent_post(&self, token: &str, body: &Value) -> Result<Exchange, TppError> {
        let call = Call::post(self.resource_url("aisp/account-access-consents")).bearer(token).json(body);
        self.send(call).await
    }

    /// Makes an account-access consent with these permissions and returns its id.
    ///
    /// # Errors
    /// [`TppError`] when it is refused.
    pub async fn consent_create(&self, token: &str, permissions: &[&str]) -> Result<String, TppError> {
        let body = json!({"Data": {"Permissions": permissions}, "Risk": {}});
        let answer = self.consent_post(token, &body).await?.expect(http::StatusCode::CREATED)?;
        answer.text_at("/Data/ConsentId")
    }

    /// Reads a resource, as `aisp/accounts`.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] when none came.
    pub async fn get(&self, token: &str, path: &str) -> Result<Exchange, TppError> {
        self.follow(token, &self.resource_url(path)).await
    }

    /// Reads a resource by its whole address, as links give it.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] when none came.
    pub async fn follow(&self, token: &str, url: &str) -> Result<Exchange, TppError> {
        let call = Call::get(url).bearer(token).header("accept", "application/json");
        self.send(call.header("x-fapi-interaction-id", self.ids.random().to_string())).await
    }

    /// Polls for events with this body. Source: EVT-035.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] when none came.
    pub async fn poll(&self, token: &str, body: &Value) -> Result<Exchange, TppError> {
        let call = Call::post(self.resource_url("events")).bearer(token).json(body);
        self.send(call.header("x-fapi-interaction-id", self.ids.random().to_string())).await
    }

    /// Deletes a resource.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] when none came.
    pub async fn delete(&self, token: &str, path: &str) -> Result<Exchange, TppError> {
        self.send(Call::new(Method::DELETE, self.resource_url(path)).bearer(token)).await
    }
}
