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

/// The authorisation server. Cloning shares it.
#[derive(Debug, Clone)]
pub struct AuthorisationServer {
    /// Storage, bank, clocks, ids.
    pub context: Context,
    /// Identifies the PSU.
    pub identity: Arc<dyn IdentityProvider>,
    /// The server's keys.
    pub keys: Keyring,
    /// The clients' keys.
    pub client_keys: ClientKeys,
    /// The pool that makes signatures.
    pub signing: SigningPool,
    /// Finds callers by their tokens.
    pub callers: CallerResolver,
    /// Seals what must be sent again: clients' notification tokens, and answers to forms.
    pub sealer: Arc<Sealer>,
    /// Recognises browsers in which customers have logged in.
    pub devices: DeviceKey,
    /// What customers were told of payees lately.
    pub payee_checks: PayeeChecks,
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
    pub(crate) fn about(&self, client: &Client, consent: &Consent, psu: Option<&PsuId>) -> Self {
        let context = self.context.narrowed(|call| {
            call.client = Some(CallingClient { id: client.id.clone(), organisation: client.org_id.clone() });
            call.set_consent(consent);
            if let Some(psu) = psu {
                call.psu = Some(psu.clone());
            }
        });
        Self { context, ..self.clone() }
    }

    /// An attempt to be this user, by submitting this page.
    pub(crate) fn login_attempt(&self, user: &str, page: &SubmittedPage) -> LoginAttempt {
        let limits = &self.settings.login;
        let lifetime = SignedDuration::from_secs(limits.device_secs);
        let device = self.devices.recognise(&page.devices, user, self.context.clocks.wall_now(), lifetime);
        LoginAttempt::new(user, device, page.from, limits)
    }

    /// What the browser that submitted this page keeps, now that this customer has logged in there.
    pub(crate) fn remember_device(&self, user: &str, page: &SubmittedPage) -> DeviceCookie {
        let lifetime = SignedDuration::from_secs(self.settings.login.device_secs);
        if lifetime.is_zero() {
            return DeviceCookie::default();
        }
        self.devices.remember(&page.devices, user, self.context.clocks.wall_now(), lifetime, &self.context.ids)
    }
}
