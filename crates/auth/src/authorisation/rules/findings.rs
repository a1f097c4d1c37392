//! The results of the rules, and the checked request that is made from them.

use super::authentication_class::Acr;
use super::context::RuleContext;
use super::replay::RequestUse;
use super::request::{IdentifiedRequest, RequestSource};
use crate::authorisation::response::{ResponseMode, ResponseTarget};
use lombard_domain::client::Client;
use lombard_domain::ids::ConsentId;
use lombard_domain::scope::Scopes;

/// What rows write down on their way. What every answer needs is optional here, so that a missing row refuses all.
#[derive(Debug, Default)]
pub(crate) struct RuleFindings {
    /// The scopes asked for, all of them registered.
    pub scopes: Option<Scopes>,
    /// The nonce.
    pub nonce: Option<String>,
    /// The consent that is meant.
    pub intent: Option<ConsentId>,
    /// How the PSU is to be authenticated.
    pub acr: Option<Acr>,
    /// The PSU must not be asked anything.
    pub silent: bool,
    /// The S256 challenge of PKCE.
    pub code_challenge: Option<String>,
    /// The consent whose PSU is expected.
    pub hint: Option<ConsentId>,
}

/// A request every row agrees with.
#[derive(Debug, Clone)]
pub(crate) struct CheckedRequest {
    /// Who asks.
    pub client: Client,
    /// Where the answer goes.
    pub redirect_uri: String,
    /// Returned with the answer.
    pub state: Option<String>,
    /// How the answer is given.
    pub mode: ResponseMode,
    /// Repeated in identity tokens; a backchannel request has none, and one of FAPI 2.0 need not have any.
    pub nonce: Option<String>,
    /// The scopes asked for, all of them registered.
    pub scopes: Scopes,
    /// The consent that is meant.
    pub intent: ConsentId,
    /// How the PSU is to be authenticated.
    pub acr: Acr,
    /// The PSU must not be asked anything.
    pub silent: bool,
    /// The S256 challenge of PKCE.
    pub code_challenge: Option<String>,
    /// The consent whose PSU is expected.
    pub hint: Option<ConsentId>,
    /// How the request came.
    pub arrival: RequestSource,
    /// What makes the request answerable once.
    pub request_object_use: RequestUse,
}

impl CheckedRequest {
    /// Where an answer goes.
    pub(crate) fn return_to(&self) -> ResponseTarget<'_> {
        let (redirect_uri, state) = (self.redirect_uri.as_str(), self.state.as_deref());
        ResponseTarget { client: &self.client.id, redirect_uri, state, mode: self.mode }
    }
}

impl RuleFindings {
    /// The checked request, if the rows found all of it.
    pub(super) fn complete(self, located: &IdentifiedRequest, setting: &RuleContext<'_>) -> Option<CheckedRequest> {
        Some(CheckedRequest {
            client: located.client.clone(),
            redirect_uri: located.redirect_uri.clone(),
            state: located.state.clone(),
            mode: located.mode,
            nonce: if located.client.profile.is_fapi2() { self.nonce } else { Some(self.nonce?) },
            scopes: self.scopes?,
            intent: self.intent?,
            acr: self.acr?,
            silent: self.silent,
            code_challenge: self.code_challenge,
            hint: self.hint,
            arrival: located.source,
            request_object_use: located.one_time(setting.now)?,
        })
    }
}
