//! The identity provider port: authentication of customers. The built-in logins implement it for sandboxes; a bank's provider
//! replaces them.
//!
//! An authentication is made for an [`AuthenticationPurpose`], and its result is valid for that purpose alone.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod decoupled_login;
mod hint;
mod page_login;
mod person;
mod purpose;
mod redirect_login;
#[cfg(any(test, feature = "testing"))]
mod stub;

pub use decoupled_login::{DecoupledLogin, DecoupledProgress, DecoupledRequest, PendingDecoupledLogin};
pub use hint::{CustomerHint, HintedCustomer};
pub use lombard_domain::authentication::AuthenticationFactor;
pub use page_login::{Challenge, PageLogin};
pub use person::{IdentityError, Person};
pub use purpose::{AuthenticationPurpose, Requester};
pub use redirect_login::{
    AuthenticatedCustomer, AuthenticationRequest, LoginFailure, ProviderAnswer, RedirectLogin, StartedLogin,
};
#[cfg(any(test, feature = "testing"))]
pub use stub::StubIdentity;

use async_trait::async_trait;
use lombard_domain::ids::PsuId;
use std::fmt;

/// The login method of a provider, with the implementation of the steps between the start of a journey and its result.
#[derive(Clone, Copy)]
pub enum LoginMethod<'a> {
    /// On the server's own pages, with password and one-time code.
    Pages(&'a dyn PageLogin),
    /// At the bank's provider, where the browser is sent.
    Redirect(&'a dyn RedirectLogin),
}

impl fmt::Debug for LoginMethod<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pages(_) => "Pages",
            Self::Redirect(_) => "Redirect",
        })
    }
}

/// Authenticates customers.
#[async_trait]
pub trait IdentityProvider: Send + Sync + fmt::Debug {
    /// The login method of the customers; it never changes during the life of the provider.
    fn login_method(&self) -> LoginMethod<'_>;

    /// Authentication on a customer's device that the provider contacts directly, if the provider offers it in addition to the
    /// login in a browser.
    fn decoupled_login(&self) -> Option<&dyn DecoupledLogin> {
        None
    }

    /// The person with this id; `None` also if the provider does not support the lookup of persons.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider cannot answer.
    async fn find_person(&self, psu: &PsuId) -> Result<Option<Person>, IdentityError>;

    /// The customer whom a client names by this hint. A provider need not support any kind of hint. Source: AS-161.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider cannot answer.
    async fn find_hinted(&self, hint: &CustomerHint) -> Result<HintedCustomer, IdentityError> {
        let _ = hint;
        Ok(HintedCustomer::Unsupported)
    }
}
