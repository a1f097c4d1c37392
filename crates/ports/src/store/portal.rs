//! One-time links and sessions of the portal.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::portal::{PortalLink, PortalSession};

/// Links and sessions of the portal in storage.
pub trait PortalStore {
    /// Adds a link.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its secret is taken.
    fn portal_link_insert(&mut self, link: &PortalLink) -> Result<(), StoreError>;

    /// The link with this secret.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_link(&mut self, secret: &Digest) -> Result<Option<PortalLink>, StoreError>;

    /// Removes the link with this secret. Returns whether it was there: of two transactions, one removes it.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_link_remove(&mut self, secret: &Digest) -> Result<bool, StoreError>;

    /// Adds a session.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its secret is taken.
    fn portal_session_insert(&mut self, session: &PortalSession) -> Result<(), StoreError>;

    /// The session with this secret.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_session(&mut self, browser: &Digest) -> Result<Option<PortalSession>, StoreError>;

    /// Stores until when a session lives without activity; has no effect if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_session_extend(&mut self, browser: &Digest, idle_at: Timestamp) -> Result<(), StoreError>;

    /// Removes a session; has no effect if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_session_remove(&mut self, browser: &Digest) -> Result<(), StoreError>;
}
