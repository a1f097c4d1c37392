//! The state of the authorisation server that its rules and use-cases share.

use crate::callers::CallerResolver;
use crate::client_keys::ClientKeys;
use crate::devices::{DeviceCookie, DeviceKey};
use crate::keys::Keyring;
use crate::payee_checks::PayeeChecks;
use crate::settings::AuthSettings;
use crate::submission::SubmittedPage;
use crate::throttle::LoginAttempt;
use jiff::SignedDuration;
use lombard_domain::client::Client;
use lombard_domain::consent::Consent;
use lombard_domain::ids::PsuId;
use lombard_jose::{Sealer, SigningPool};
use lombard_ports::bank::{CallContext, CallingClient};
use lombard_ports::identity::IdentityProvider;
use lombard_service::Context;
use std::sync::Arc;

/// The authorisation server. Clones share its state.
#[derive(Debug, Clone)]
pub struct AuthorisationServer {
    /// Storage, bank, clocks and ids.
    pub context: Context,
    /// The identity provider, which authenticates PSUs.
    pub identity: Arc<dyn IdentityProvider>,
    /// The server's signing keys.
    pub keys: Keyring,
    /// The public keys of clients.
    pub client_keys: ClientKeys,
    /// The pool that makes signatures.
    pub signing: SigningPool,
    /// The resolver of callers by their tokens.
    pub callers: CallerResolver,
    /// Encrypts data that must be sent later: clients' notification tokens, and responses to forms.
    pub sealer: Arc<Sealer>,
    /// The key that recognises browsers in which customers have logged in.
    pub devices: DeviceKey,
    /// The recent results of Confirmation of Payee.
    pub payee_checks: PayeeChecks,
    /// Addresses and lifetimes.
    pub settings: Arc<AuthSettings>,
}

impl AuthorisationServer {
    /// A copy of the server for one call with this context. Events that it causes carry the call's interaction id. Source: SET-016.
    #[must_use]
    pub fn for_call(&self, call: CallContext) -> Self {
        Self { context: self.context.for_call(call), ..self.clone() }
    }

    /// A copy of the server whose calls state client, consent and customer to the bank.
    #[must_use]
    pub(crate) fn about(&self, client: &Client, consent: &Consent, psu: Option<&PsuId>) -> Self {
        let context = self.context.with_call_facts(|call| {
            call.client = Some(CallingClient { id: client.id.clone(), organisation: client.org_id.clone() });
            call.set_consent(consent);
            if let Some(psu) = psu {
                call.psu = Some(psu.clone());
            }
        });
        Self { context, ..self.clone() }
    }

    /// A login attempt for this user by this submitted page.
    pub(crate) fn login_attempt(&self, user: &str, page: &SubmittedPage) -> LoginAttempt {
        let limits = &self.settings.login;
        let lifetime = SignedDuration::from_secs(limits.device_secs);
        let device = self.devices.recognise(&page.devices, user, self.context.clocks.wall_now(), lifetime);
        LoginAttempt::new(user, device, page.from, limits)
    }

    /// The new device cookie of the browser that submitted this page, in which this customer has now logged in.
    pub(crate) fn remember_device(&self, user: &str, page: &SubmittedPage) -> DeviceCookie {
        let lifetime = SignedDuration::from_secs(self.settings.login.device_secs);
        if lifetime.is_zero() {
            return DeviceCookie::default();
        }
        self.devices.remember(&page.devices, user, self.context.clocks.wall_now(), lifetime, &self.context.ids)
    }
}
