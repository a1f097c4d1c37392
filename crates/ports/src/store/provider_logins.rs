//! Logins in progress at the bank's identity provider.

use super::StoreError;
use lombard_domain::grant::Digest;
use lombard_domain::provider_login::ProviderLogin;

/// Provider logins in storage.
pub trait ProviderLoginStore {
    /// Stores a login, which replaces the earlier login of the same subject.
    ///
    /// # Errors
    /// [`StoreError`].
    fn provider_login_insert(&mut self, login: &ProviderLogin) -> Result<(), StoreError>;

    /// The login with this state.
    ///
    /// # Errors
    /// [`StoreError`].
    fn provider_login(&mut self, state: &Digest) -> Result<Option<ProviderLogin>, StoreError>;

    /// Removes the login with this state. Returns whether it was removed; of two transactions, only one removes it.
    ///
    /// # Errors
    /// [`StoreError`].
    fn provider_login_remove(&mut self, state: &Digest) -> Result<bool, StoreError>;
}
