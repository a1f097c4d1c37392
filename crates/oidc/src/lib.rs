#![doc = include_str!("../README.md")]

mod answer;
mod backchannel;
mod cached;
mod client;
mod discovery;
mod error;
mod exchange;
mod fetch;
mod id_token;
mod meters;
mod purpose;
mod request;
mod settings;
mod staff;

pub use error::SetupError;
pub use settings::{ClientTls, OidcSettings};
pub use staff::{StaffOidc, StaffOidcSettings};

use async_trait::async_trait;
use client::Client;
use lombard_domain::ids::PsuId;
use lombard_jose::{KeySet, SigningKey};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::identity::{
    AuthenticatedCustomer, AuthenticationPurpose, AuthenticationRequest, CustomerHint, DecoupledLogin,
    DecoupledProgress, DecoupledRequest, HintedCustomer, IdentityError, IdentityProvider, LoginFailure, LoginMethod,
    PendingDecoupledLogin, Person, ProviderAnswer, RedirectLogin, StartedLogin,
};
use std::fmt;
use std::sync::Arc;

/// The client of one provider. Clones share it.
#[derive(Clone)]
pub struct OidcProvider(Arc<Client>);

impl fmt::Debug for OidcProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcProvider").field("issuer", &self.0.settings.issuer).finish_non_exhaustive()
    }
}

impl OidcProvider {
    /// Makes a client with these settings, which signs its requests with this key. The provider is not called yet.
    ///
    /// # Errors
    /// [`SetupError`].
    pub fn new(
        settings: OidcSettings,
        key: SigningKey,
        tls: ClientTls,
        clocks: Clocks,
        ids: IdGenerator,
    ) -> Result<Self, SetupError> {
        Ok(Self(Arc::new(Client::new(settings, key, tls, clocks, ids)?)))
    }
}

#[async_trait]
impl RedirectLogin for OidcProvider {
    async fn origin(&self) -> Result<String, IdentityError> {
        Ok(self.0.metadata().await?.authorisation_origin())
    }

    async fn start(&self, request: &AuthenticationRequest<'_>) -> Result<StartedLogin, IdentityError> {
        Ok(request::start_redirect_login(&self.0, request).await?)
    }

    async fn finish(
        &self,
        memory: &str,
        purpose: &AuthenticationPurpose,
        answer: &ProviderAnswer,
    ) -> Result<AuthenticatedCustomer, LoginFailure> {
        Ok(exchange::finish_login(&self.0, memory, purpose, answer).await?)
    }

    fn published_keys(&self) -> String {
        [self.0.key.public().clone()].into_iter().collect::<KeySet>().to_json()
    }
}

#[async_trait]
impl DecoupledLogin for OidcProvider {
    async fn start(&self, request: &DecoupledRequest<'_>) -> Result<PendingDecoupledLogin, LoginFailure> {
        Ok(backchannel::start_device_login(&self.0, request).await?)
    }

    async fn poll(&self, memory: &str, purpose: &AuthenticationPurpose) -> Result<DecoupledProgress, LoginFailure> {
        Ok(backchannel::poll_device_login(&self.0, memory, purpose).await?)
    }
}

#[async_trait]
impl IdentityProvider for OidcProvider {
    fn login_method(&self) -> LoginMethod<'_> {
        LoginMethod::Redirect(self)
    }

    fn decoupled_login(&self) -> Option<&dyn DecoupledLogin> {
        self.0.settings.decoupled.then_some(self)
    }

    /// A provider returns names only with a login.
    async fn find_person(&self, _: &PsuId) -> Result<Option<Person>, IdentityError> {
        Ok(None)
    }

    /// A client may name a customer by the id in the provider's tokens. Whether the customer exists is determined only at a login.
    async fn find_hinted(&self, hint: &CustomerHint) -> Result<HintedCustomer, IdentityError> {
        match hint {
            CustomerHint::Sub(id) => Ok(HintedCustomer::Known(PsuId::new(id.as_str()))),
            CustomerHint::Email(_) | CustomerHint::PhoneNumber(_) | CustomerHint::Ephemeral(_) => {
                Ok(HintedCustomer::Unsupported)
            }
        }
    }
}
