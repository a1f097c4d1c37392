//! The authorisation server's rules: client authentication, authorisation requests, PSU authentication, tokens and callers.
//!
//! Rules are rows: each checks one thing and names its source. HTTP is `lombard-oauth`'s; consents and accounts are
//! `lombard-service`'s; nothing here renders a page.

pub mod addresses;
pub mod authorisation;
pub mod callers;
pub mod certificates;
pub mod claims;
pub mod client_keys;
pub mod clients;
pub mod devices;
pub mod discovery;
pub mod endpoints;
pub mod error;
pub mod file_lines;
pub mod form;
pub mod form_answers;
pub mod keys;
mod payee_answer;
pub mod payee_checks;
pub mod portal;
pub mod provider_login;
pub mod registration;
pub mod sessions;
pub mod sets;
pub mod software_statement;
pub mod submission;
pub mod throttle;
pub mod tokens;

#[cfg(test)]
mod testing;

pub use error::{FailedCheck, OAuthError, OAuthErrorCode};

use lombard_domain::client::Client;
use lombard_domain::consent::Consent;
use lombard_domain::ids::PsuId;
use lombard_jose::{Sealer, SigningPool};
use lombard_ports::bank::{CallContext, CallingClient};
use lombard_ports::identity::IdentityProvider;
use lombard_service::Context;
use std::sync::Arc;
use std::time::Duration;

/// The addresses and lifetimes the authorisation server works with. Times are seconds.
#[derive(Debug, Clone)]
pub struct AuthSettings {
    /// The issuer, byte for byte as in every token: the public base URL. Source: AS-002.
    pub issuer: String,
    /// The base URL of the public listener, without a trailing slash.
    pub public_url: String,
    /// The base URL of the listener that asks for client certificates, without a trailing slash.
    pub mtls_url: String,
    /// Lifetime of access tokens. Source: AS-093.
    pub access_token_secs: i64,
    /// Lifetime of authorisation codes, at most 60. Source: AS-042.
    pub code_secs: i64,
    /// Lifetime of identity tokens, at most 600. Source: AS-102.
    pub id_token_secs: i64,
    /// Idle lifetime of a journey. Source: AS-090.
    pub journey_secs: i64,
    /// Longest life of a PSU's session outside a journey, however busy.
    pub session_secs: i64,
    /// How logging in is limited.
    pub login: throttle::LoginLimits,
    /// Most backchannel requests of one client that wait for one customer.
    pub backchannel_requests_max: i64,
    /// Whether hosts are configured at which clients are notified over the backchannel. Source: AS-160.
    pub notifies_clients: bool,
    /// How clients register; without it nobody can. Source: DCR-001.
    pub registration: Option<registration::RegistrationSettings>,
    /// How clients are answered that need no person; without it every client needs one. Never in production.
    /// Source: AS-170.
    pub headless: Option<HeadlessSettings>,
}

/// Replaces the PSU's decision for headless test clients. Source: AS-171.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeadlessSettings {
    /// Whether every request is refused, as a person may do.
    pub rejects_all: bool,
    /// How long each decision takes, wall time.
    pub decision_delay: Duration,
}

/// The authorisation server. Cloning shares it.
#[derive(Debug, Clone)]
pub struct AuthorisationServer {
    /// Storage, bank, clocks, ids.
    pub context: Context,
    /// Identifies the PSU.
    pub identity: Arc<dyn IdentityProvider>,
    /// The server's keys.
    pub keys: keys::Keyring,
    /// The clients' keys.
    pub client_keys: client_keys::ClientKeys,
    /// The pool that makes signatures.
    pub signing: SigningPool,
    /// Finds callers by their tokens.
    pub callers: callers::CallerResolver,
    /// Seals what must be sent again: clients' notification tokens, and answers to forms.
    pub sealer: Arc<Sealer>,
    /// Recognises browsers in which customers have logged in.
    pub devices: devices::DeviceKey,
    /// What customers were told of payees lately.
    pub payee_checks: payee_checks::PayeeChecks,
    /// Addresses and lifetimes.
    pub settings: Arc<AuthSettings>,
}

impl AuthorisationServer {
    /// The same server for one call, of which this is known; its interaction id is the cause of the events. Source: SET-016.
    #[must_use]
    pub fn for_call(&self, call: CallContext) -> Self {
        Self { context: self.context.for_call(call), ..self.clone() }
    }

    /// The same server for what a client asks of a customer under a consent: the bank is told so.
    #[must_use]
    fn about(&self, client: &Client, consent: &Consent, psu: Option<&PsuId>) -> Self {
        let context = self.context.narrowed(|call| {
            call.client = Some(CallingClient { id: client.id.clone(), organisation: client.org_id.clone() });
            call.set_consent(consent);
            if let Some(psu) = psu {
                call.psu = Some(psu.clone());
            }
        });
        Self { context, ..self.clone() }
    }
}
