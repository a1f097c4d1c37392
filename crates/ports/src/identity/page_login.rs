//! Authentication on the server's own pages.

use super::person::{IdentityError, Person};
use super::purpose::AuthenticationPurpose;
use async_trait::async_trait;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::ids::{JourneyId, PsuId};

/// A request for the second factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// The destination to which the code was sent, as the page may show it to the PSU.
    pub sent_to: String,
    /// Sandbox only: the code itself, which the page shows.
    pub shown_code: Option<String>,
}

/// Authenticates the PSU by password and one-time code. Unknown user and wrong password are indistinguishable, also by response
/// time (AS-143). The code is valid for one journey and one purpose only (AS-142).
#[async_trait]
pub trait PageLogin: Send + Sync {
    /// Checks the user name and password; `None` if either is wrong.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider cannot answer.
    async fn check_password(&self, login: &str, password: &str) -> Result<Option<Person>, IdentityError>;

    /// Requests the second factor of a journey for a purpose. A repeated request for the same purpose returns the same
    /// challenge during the journey.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider cannot answer.
    async fn request_code(
        &self,
        psu: &PsuId,
        journey: &JourneyId,
        purpose: &AuthenticationPurpose,
    ) -> Result<Challenge, IdentityError>;

    /// Checks the code of a challenge, which is valid only for its journey and purpose. Returns the factors of the
    /// authentication, that of the password included; `None` if the code is wrong.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider cannot answer.
    async fn check_code(
        &self,
        psu: &PsuId,
        journey: &JourneyId,
        purpose: &AuthenticationPurpose,
        code: &str,
    ) -> Result<Option<Vec<AuthenticationFactor>>, IdentityError>;

    /// Sandbox only: the logins that a page may offer (user name and description); empty otherwise.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider cannot answer.
    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError>;
}
