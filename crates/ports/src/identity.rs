//! Who the PSU is: login and second factor. A real identity provider takes the sandbox's place here.

use async_trait::async_trait;
use lombard_domain::ids::{InteractionId, PsuId};
use std::fmt;

/// The identity provider did not answer.
#[derive(Debug, thiserror::Error)]
#[error("the identity provider is unavailable")]
pub struct IdentityError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// A customer, as the pages address them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Who.
    pub psu: PsuId,
    /// The name to show.
    pub name: String,
}

/// A second factor that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// What the page may tell the PSU about where the code went.
    pub sent_to: String,
    /// Sandbox only: the code itself, shown on the page.
    pub shown_code: Option<String>,
}

/// Checks who the PSU is. Unknown user and wrong password are indistinguishable, also in time (AS-143).
#[async_trait]
pub trait Identity: Send + Sync + fmt::Debug {
    /// Checks name and password; `None` if either is wrong.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn check_password(&self, login: &str, password: &str) -> Result<Option<Person>, IdentityError>;

    /// Asks for the second factor of a journey. Asking again gives the same challenge while the journey lasts.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn challenge(&self, psu: &PsuId, journey: &InteractionId) -> Result<Challenge, IdentityError>;

    /// Checks the code of a challenge.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn check_code(&self, psu: &PsuId, journey: &InteractionId, code: &str) -> Result<bool, IdentityError>;

    /// The person with this id.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn person(&self, psu: &PsuId) -> Result<Option<Person>, IdentityError>;

    /// Sandbox only: the logins a page may offer (user name and what the customer is good for); empty otherwise.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError>;
}
