//! Sessions of PSUs at the bank.

use super::StoreError;
use lombard_domain::grant::Digest;
use lombard_domain::session::Session;

/// Sessions in storage.
pub trait SessionStore {
    /// Adds a session.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its secret is taken.
    fn session_insert(&mut self, session: &Session) -> Result<(), StoreError>;

    /// The session with this secret, locked until the transaction ends (without a lock in a read-only one).
    ///
    /// # Errors
    /// [`StoreError`].
    fn session_for_update(&mut self, browser: &Digest) -> Result<Option<Session>, StoreError>;

    /// Stores the form token and the idle expiry of a session.
    ///
    /// # Errors
    /// [`StoreError`].
    fn session_update(&mut self, session: &Session) -> Result<(), StoreError>;

    /// Removes a session; has no effect if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`].
    fn session_remove(&mut self, browser: &Digest) -> Result<(), StoreError>;
}
