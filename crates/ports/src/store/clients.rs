//! Registered clients.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::ids::{ClientId, OrgId, SoftwareId};

/// A page of the list of clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientPage {
    /// The clients of the page whose rows can be read, by id.
    pub clients: Vec<Client>,
    /// The last id of the page, if there may be further clients.
    pub next: Option<ClientId>,
}

/// The limits on the number of clients of one software.
#[derive(Debug, Clone, Copy)]
pub struct SoftwareClientLimits {
    /// The largest number of clients that are not deleted.
    pub live_max: u32,
    /// The largest number of clients registered after `recent_since`, deleted ones included.
    pub recent_max: u32,
    /// The time after which a registered client counts as recent.
    pub recent_since: Timestamp,
}

/// The outcome of the registration of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientRegistration {
    /// The client was added.
    Added,
    /// The client was not added: its software has the maximum number of live clients.
    TooManyLive,
    /// The client was not added: its software has the maximum number of recent clients.
    TooManyRecent,
}

/// The holder whose clients are queried, by an id of the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientHolder {
    /// An organisation.
    Organisation(OrgId),
    /// A software.
    Software(SoftwareId),
}

/// Clients in storage.
pub trait ClientStore {
    /// Adds a client.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn client_insert(&mut self, client: &Client) -> Result<(), StoreError>;

    /// Adds a client, unless its software, as named by this directory, has reached these limits. Clients stored by releases that
    /// did not store the directory count for every directory. Concurrent registrations of one software wait for each other.
    /// Source: AS-187, DCR-017.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn client_register(
        &mut self,
        client: &Client,
        directory: &str,
        limits: SoftwareClientLimits,
    ) -> Result<ClientRegistration, StoreError>;

    /// Replaces a client; its epoch must have been incremented. The client's waiting polls are woken after the commit, so that
    /// each checks again whether the client may still wait.
    ///
    /// # Errors
    /// [`StoreError::Contended`] if the client was changed since it was read, [`StoreError`] otherwise.
    fn client_update(&mut self, client: &Client) -> Result<(), StoreError>;

    /// The client with this id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn client(&mut self, id: &ClientId) -> Result<Option<Client>, StoreError>;

    /// Whether the client is registered and active: the query for work that runs on behalf of a client, but without a token.
    /// Source: AS-113.
    ///
    /// # Errors
    /// [`StoreError`].
    fn client_may_act(&mut self, id: &ClientId) -> Result<bool, StoreError>;

    /// The clients with this id, software id, software name or organisation name, by id, at most `limit` of those whose rows can
    /// be read.
    ///
    /// # Errors
    /// [`StoreError`].
    fn clients_named(&mut self, name: &str, limit: u32) -> Result<Vec<Client>, StoreError>;

    /// The active clients of an organisation, or of a software, by id, at most `limit` of those whose rows can be read.
    ///
    /// # Errors
    /// [`StoreError`].
    fn clients_of(&mut self, holder: &ClientHolder, limit: u32) -> Result<Vec<Client>, StoreError>;

    /// A page of the list of all clients by id: of the `limit` rows after `after`, those that can be read.
    ///
    /// # Errors
    /// [`StoreError`].
    fn clients_page(&mut self, after: Option<&ClientId>, limit: u32) -> Result<ClientPage, StoreError>;

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
