//! The results of the rules, and the checked request that is made from them.

use super::authentication_class::Acr;
use super::context::RuleContext;
use super::replay::OneTimeUse;
use super::request::{IdentifiedRequest, RequestSource};
use crate::authorisation::response::{ResponseMode, ResponseTarget};
use lombard_domain::client::Client;
use lombard_domain::ids::ConsentId;
use lombard_domain::scope::Scopes;

/// The values that the rows of the table find. Values that every response needs are optional here, so that a missing row refuses every
/// request.
#[derive(Debug, Default)]
pub(crate) struct RuleFindings {
    /// The requested scopes, all of which are registered.
    pub scopes: Option<Scopes>,
    /// The nonce of the request.
    pub nonce: Option<String>,
    /// The consent that the request names.
    pub intent: Option<ConsentId>,
    /// The authentication context class that is requested.
    pub acr: Option<Acr>,
    /// Whether the PSU must not be asked anything (`prompt=none`).
    pub silent: bool,
    /// The S256 challenge of PKCE.
    pub code_challenge: Option<String>,
    /// The consent whose PSU is expected.
    pub hint: Option<ConsentId>,
}

/// A request that passed every row of the table.
#[derive(Debug, Clone)]
pub(crate) struct CheckedRequest {
    /// The client that asks.
    pub client: Client,
    /// The verified redirect URI.
    pub redirect_uri: String,
    /// The `state`, which the response repeats.
    pub state: Option<String>,
    /// The form of the response.
    pub mode: ResponseMode,
    /// The nonce, which identity tokens repeat. A backchannel request has none, and a request of FAPI 2.0 may have none.
    pub nonce: Option<String>,
    /// The requested scopes, all of which are registered.
    pub scopes: Scopes,
    /// The consent that the request names.
    pub intent: ConsentId,
    /// The authentication context class that is requested.
    pub acr: Acr,
    /// Whether the PSU must not be asked anything (`prompt=none`).
    pub silent: bool,
    /// The S256 challenge of PKCE.
    pub code_challenge: Option<String>,
    /// The consent whose PSU is expected.
    pub hint: Option<ConsentId>,
    /// How the request arrived.
    pub source: RequestSource,
    /// The record of use that lets the request be answered only once.
    pub request_object_use: OneTimeUse,
}

impl CheckedRequest {
    /// The target of the response.
    pub(crate) fn return_to(&self) -> ResponseTarget<'_> {
        let (redirect_uri, state) = (self.redirect_uri.as_str(), self.state.as_deref());
        ResponseTarget { client: &self.client.id, redirect_uri, state, mode: self.mode }
    }
}

impl RuleFindings {
    /// Makes the checked request; `None` if no row found a value that is required.
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
            source: located.source,
            request_object_use: located.one_time(setting.now)?,
        })
    }
}
