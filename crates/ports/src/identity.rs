//! The identity provider port: authentication of customers. The built-in logins implement it for sandboxes; a bank's provider
//! replaces them.
//!
//! An authentication is made for an [`AuthenticationPurpose`], and its result is good for that purpose alone.

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

/// How customers of a provider log in: what implements the steps between the beginning of a journey and its result.
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
    /// How customers log in; the same for as long as the provider lives.
    fn login_method(&self) -> LoginMethod<'_>;

    /// Authentication on devices that the provider reaches by itself, beside the method of the browser, if it offers that.
    fn decoupled_login(&self) -> Option<&dyn DecoupledLogin> {
        None
    }

    /// The person with this id; `None` also where the provider cannot be asked for one.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn find_person(&self, psu: &PsuId) -> Result<Option<Person>, IdentityError>;

    /// The customer whom a client means with this hint. No provider has to know any kind of hint. Source: AS-161.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn find_hinted(&self, hint: &CustomerHint) -> Result<HintedCustomer, IdentityError> {
        let _ = hint;
        Ok(HintedCustomer::Unsupported)
    }
}
