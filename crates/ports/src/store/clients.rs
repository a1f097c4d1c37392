//! Registered clients.

use super::StoreError;
use lombard_domain::client::Client;
use lombard_domain::ids::ClientId;

/// Clients in storage.
pub trait ClientStore {
    /// Adds a client.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn client_insert(&mut self, client: &Client) -> Result<(), StoreError>;

    /// Replaces a client; its epoch must have been incremented.
    ///
    /// # Errors
    /// [`StoreError::Contended`] if it was changed since it was read, [`StoreError`] otherwise.
    fn client_update(&mut self, client: &Client) -> Result<(), StoreError>;

    /// The client with this id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn client(&mut self, id: &ClientId) -> Result<Option<Client>, StoreError>;

    /// All clients whose rows can be read, by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn clients(&mut self) -> Result<Vec<Client>, StoreError>;

    /// The ids of all clients in order, including those whose rows cannot be read.
    ///
    /// # Errors
    /// [`StoreError`].
    fn client_ids(&mut self) -> Result<Vec<ClientId>, StoreError>;
}
