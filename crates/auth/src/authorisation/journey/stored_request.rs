//! The part of a verified request that a journey stores: what its response needs.

use crate::authorisation::response::{ResponseMode, ResponseTarget};
use crate::authorisation::rules::{Authorisable, OneTimeUse};
use crate::error::OAuthError;
use jiff::Timestamp;
use lombard_domain::code::StoredCode;
use lombard_domain::consent::DecisionEvidence;
use lombard_domain::grant::{AuthorisationJourney, Digest, JourneyStage};
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::instant;
use serde::{Deserialize, Serialize};

/// The verified request, as it is stored in [`AuthorisationJourney::request`].
#[derive(Serialize, Deserialize)]
pub(in crate::authorisation) struct StoredRequest {
    pub redirect_uri: String,
    pub state: Option<String>,
    #[serde(default)]
    pub mode: ResponseMode,
    pub nonce: Option<String>,
    pub scope: String,
    pub acr: String,
    pub code_challenge: Option<String>,
    pub expected: Option<PsuId>,
    answered_by: String,
    /// Until when the request can be answered, in microseconds since 1970.
    answerable_until: i64,
    /// The hash of the `auth_req_id`, if this is a backchannel request. Journeys of earlier releases have none.
    #[serde(default)]
    backchannel: Option<Digest>,
    /// What the decision page showed last; empty in journeys of earlier releases.
    #[serde(default)]
    pub shown: DecisionEvidence,
    /// The page that was submitted before the current one.
    #[serde(default)]
    before: Option<SubmittedStep>,
}

/// A submitted page that advanced the journey, after which the browser got another secret.
#[derive(Serialize, Deserialize)]
struct SubmittedStep {
    browser: Digest,
    form_token: Digest,
    stage: String,
    /// Until when the page can be shown again, in microseconds since 1970.
    until: i64,
}

impl StoredRequest {
    pub(in crate::authorisation) fn of(request: &Authorisable) -> Self {
        let checked = &request.request;
        let (answered_by, answerable_until, backchannel) = match &checked.request_object_use {
            OneTimeUse::Object { value, until } => (value.clone(), instant::to_micros(*until), None),
            OneTimeUse::Backchannel(hash) => (String::new(), 0, Some(*hash)),
        };
        Self {
            redirect_uri: checked.redirect_uri.clone(),
            state: checked.state.clone(),
            mode: checked.mode,
            nonce: checked.nonce.clone(),
            scope: request.scopes.to_string(),
            acr: checked.acr.name().to_owned(),
            code_challenge: checked.code_challenge.clone(),
            expected: request.expected.clone(),
            answered_by,
            answerable_until,
            backchannel,
            shown: DecisionEvidence::default(),
            before: None,
        }
    }

    /// # Errors
    /// A row that was not written by [`StoredRequest::of`].
    pub(super) fn from(interaction: &AuthorisationJourney) -> Result<Self, OAuthError> {
        Self::read(&interaction.request)
    }

    /// # Errors
    /// As [`StoredRequest::from`].
    pub(in crate::authorisation) fn read(document: &str) -> Result<Self, OAuthError> {
        serde_json::from_str(document).map_err(OAuthError::server_error)
    }

    pub(in crate::authorisation) fn to_json(&self) -> Result<String, OAuthError> {
        serde_json::to_string(self).map_err(OAuthError::server_error)
    }

    /// Records the page (browser digest, form token, stage) that was submitted with success. That browser can see it again until the given
    /// time.
    pub(super) fn note_submitted(&mut self, page: (Digest, Digest, JourneyStage), until: Timestamp) {
        let (browser, form_token, stage) = page;
        let stage = stage.code().to_owned();
        self.before = Some(SubmittedStep { browser, form_token, stage, until: instant::to_micros(until) });
    }

    /// The form token and the stage of the page that this browser submitted a moment ago.
    pub(super) fn submitted_by(&self, browser: &Digest, now: Timestamp) -> Option<(Digest, JourneyStage)> {
        let before = self.before.as_ref().filter(|it| it.until > instant::to_micros(now))?;
        let stage = JourneyStage::decode(&before.stage).ok()?;
        lombard_jose::secrets_are_equal(&before.browser.0, &browser.0).then_some((before.form_token, stage))
    }

    /// The record of use that lets the request be answered only once.
    pub(super) fn request_use(&self) -> OneTimeUse {
        match self.backchannel {
            Some(hash) => OneTimeUse::Backchannel(hash),
            None => OneTimeUse::Object {
                value: self.answered_by.clone(),
                until: instant::from_micros(self.answerable_until).unwrap_or(instant::LAST),
            },
        }
    }

    /// Whether the client waits for the answer at the token endpoint and not at its redirect URI.
    pub(super) const fn is_decoupled(&self) -> bool {
        self.backchannel.is_some()
    }

    /// The target of the response to this client.
    pub(super) fn return_to<'a>(&'a self, client: &'a ClientId) -> ResponseTarget<'a> {
        ResponseTarget { client, redirect_uri: &self.redirect_uri, state: self.state.as_deref(), mode: self.mode }
    }
}
