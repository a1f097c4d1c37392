//! The port to the OpenID provider at which the bank's staff log in.

use crate::identity::{IdentityError, LoginFailure, ProviderAnswer};
use async_trait::async_trait;
use lombard_domain::staff::StaffMember;
use std::fmt;

/// The values that bind a login at the provider to one browser. All are derived from the secret in the browser's cookie.
#[derive(Clone)]
pub struct StaffLoginSecrets {
    /// The `state` of the request, with which the browser returns.
    pub state: String,
    /// The `nonce` that the ID token must repeat.
    pub nonce: String,
    /// The PKCE code verifier. Source: RFC 7636.
    pub verifier: String,
}

impl fmt::Debug for StaffLoginSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaffLoginSecrets").finish_non_exhaustive()
    }
}

/// Authenticates staff at the bank's OpenID provider.
#[async_trait]
pub trait StaffProvider: Send + Sync + fmt::Debug {
    /// The address to which the browser is sent.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider's metadata cannot be read.
    async fn authorisation_url(&self, secrets: &StaffLoginSecrets) -> Result<String, IdentityError>;

    /// The member who logged in, by the provider's answer. The caller has compared the `state`.
    ///
    /// # Errors
    /// [`LoginFailure`] if the answer is refused, or the provider cannot be asked.
    async fn finish_login(
        &self,
        secrets: &StaffLoginSecrets,
        answer: &ProviderAnswer,
    ) -> Result<StaffMember, LoginFailure>;

    /// The member for whom the provider issued this access token, a JWT. Source: RFC 9068.
    ///
    /// # Errors
    /// [`LoginFailure`] if the token is refused, or the provider's keys cannot be read.
    async fn verify_access_token(&self, token: &str) -> Result<StaffMember, LoginFailure>;
}
