//! One-time links and sessions of the portal.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::portal::{PortalLink, PortalSession};

/// The outcome when a client adds a customer to a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CustomerReservation {
    /// The client may add the customer, who is now counted as one of the client's own.
    Reserved,
    /// A customer with this name is counted already, for this or another client.
    Known,
    /// The client has added as many customers as a client may.
    Full,
}

/// Links and sessions of the portal in storage, and the customers that clients have added to a sandbox.
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

    /// Removes the link with this secret. Returns whether it was removed; of two transactions, only one removes it.
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

    /// Stores the idle expiry of a session. An unknown session is ignored.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_session_extend(&mut self, browser: &Digest, idle_at: Timestamp) -> Result<(), StoreError>;

    /// Removes a session; has no effect if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_session_remove(&mut self, browser: &Digest) -> Result<(), StoreError>;

    /// Counts a customer as added by a client, unless the client has already added the maximum.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_customer_reserve(
        &mut self,
        customer: &PsuId,
        client: &ClientId,
        most: u32,
    ) -> Result<CustomerReservation, StoreError>;

    /// Stops counting a customer who was not added after all.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_customer_release(&mut self, customer: &PsuId) -> Result<(), StoreError>;

    /// The number of customers that a client has added.
    ///
    /// # Errors
    /// [`StoreError`].
    fn portal_customers_added(&mut self, client: &ClientId) -> Result<u32, StoreError>;
}
