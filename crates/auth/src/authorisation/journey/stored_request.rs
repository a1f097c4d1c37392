//! The part of a verified request that a journey stores: what its response needs.

use crate::authorisation::response::{ResponseMode, ResponseTarget};
use crate::authorisation::rules::{Authorisable, RequestObjectUse};
use crate::error::OAuthError;
use lombard_domain::grant::AuthorisationJourney;
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::instant;
use serde::{Deserialize, Serialize};

/// The verified request, as it lies in [`AuthorisationJourney::request`].
#[derive(Serialize, Deserialize)]
pub(super) struct StoredRequest {
    pub redirect_uri: String,
    pub state: Option<String>,
    #[serde(default)]
    pub mode: ResponseMode,
    pub nonce: String,
    pub scope: String,
    pub acr: String,
    pub code_challenge: Option<String>,
    pub expected: Option<PsuId>,
    answered_by: String,
    /// Microseconds since the epoch.
    answerable_until: i64,
}

impl StoredRequest {
    pub(super) fn of(request: &Authorisable) -> Self {
        let checked = &request.request;
        Self {
            redirect_uri: checked.redirect_uri.clone(),
            state: checked.state.clone(),
            mode: checked.mode,
            nonce: checked.nonce.clone(),
            scope: request.scopes.to_string(),
            acr: checked.acr.name().to_owned(),
            code_challenge: checked.code_challenge.clone(),
            expected: request.expected.clone(),
            answered_by: checked.request_object_use.value().to_owned(),
            answerable_until: instant::to_micros(checked.request_object_use.until()),
        }
    }

    /// # Errors
    /// A row that was not written by [`StoredRequest::of`].
    pub(super) fn from(interaction: &AuthorisationJourney) -> Result<Self, OAuthError> {
        serde_json::from_str(&interaction.request).map_err(OAuthError::server_error)
    }

    pub(super) fn to_json(&self) -> Result<String, OAuthError> {
        serde_json::to_string(self).map_err(OAuthError::server_error)
    }

    /// What makes the request answerable once.
    pub(super) fn once(&self) -> RequestObjectUse {
        let until = instant::from_micros(self.answerable_until).unwrap_or(instant::LAST);
        RequestObjectUse::remembered(self.answered_by.clone(), until)
    }

    /// Where this client is answered.
    pub(super) fn return_to<'a>(&'a self, client: &'a ClientId) -> ResponseTarget<'a> {
        ResponseTarget { client, redirect_uri: &self.redirect_uri, state: self.state.as_deref(), mode: self.mode }
    }
}
