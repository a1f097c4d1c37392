//! Sessions of the bank's staff at the ops listener.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::staff::StaffSession;

/// Sessions of staff in storage, which all nodes share.
pub trait StaffStore {
    /// Adds a session.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its secret is taken.
    fn staff_session_insert(&mut self, session: &StaffSession) -> Result<(), StoreError>;

    /// The session with this secret.
    ///
    /// # Errors
    /// [`StoreError`].
    fn staff_session(&mut self, browser: &Digest) -> Result<Option<StaffSession>, StoreError>;

    /// Stores the idle expiry of a session. An unknown session is ignored.
    ///
    /// # Errors
    /// [`StoreError`].
    fn staff_session_extend(&mut self, browser: &Digest, idle_at: Timestamp) -> Result<(), StoreError>;

    /// Removes a session; has no effect if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`].
    fn staff_session_remove(&mut self, browser: &Digest) -> Result<(), StoreError>;
}
