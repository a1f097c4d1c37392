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

/// How many clients a software may have.
#[derive(Debug, Clone, Copy)]
pub struct SoftwareClientLimits {
    /// The most that are not deleted.
    pub live_max: u32,
    /// The most that were registered after `recent_since`, deleted ones included.
    pub recent_max: u32,
    /// From when on a client counts as recent.
    pub recent_since: Timestamp,
}

/// What became of a client that was to be registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientRegistration {
    /// It was added.
    Added,
    /// It was not: its software has the most live clients.
    TooManyLive,
    /// It was not: its software has the most recent clients.
    TooManyRecent,
}

/// Whose clients are looked for, by the ids of the directory.
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

    /// Adds a client, unless its software has as many as these limits allow: the software that this directory names so. Clients from
    /// before directories were stored count for each directory. Registrations of one software at once wait for each other.
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

    /// Replaces a client; its epoch must have been incremented. Its waiting polls are woken after the commit, so that each checks
    /// again whether it may wait.
    ///
    /// # Errors
    /// [`StoreError::Contended`] if it was changed since it was read, [`StoreError`] otherwise.
    fn client_update(&mut self, client: &Client) -> Result<(), StoreError>;

    /// The client with this id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn client(&mut self, id: &ClientId) -> Result<Option<Client>, StoreError>;

    /// Whether the client is registered and active: the query of work that runs in a client's name, but not by its token.
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
