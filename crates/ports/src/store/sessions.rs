//! PSUs' sessions at the bank.

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

    /// The session of a browser with this secret, locked until the transaction ends (plainly read in a read-only one).
    ///
    /// # Errors
    /// [`StoreError`].
    fn session_for_update(&mut self, browser: &Digest) -> Result<Option<Session>, StoreError>;

    /// Stores a session's present form token and idle end.
    ///
    /// # Errors
    /// [`StoreError`].
    fn session_update(&mut self, session: &Session) -> Result<(), StoreError>;

    /// Ends a session. Harmless if it has ended.
    ///
    /// # Errors
    /// [`StoreError`].
    fn session_remove(&mut self, browser: &Digest) -> Result<(), StoreError>;
}
