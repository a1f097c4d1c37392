//! Consents of every kind, and the mapping of account ids.

use super::{Owned, StoreError};
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::core_state::CoreState;
use lombard_domain::ids::{AccountId, BankAccountId, ClientId, ConsentId};
use lombard_domain::version::Version;

/// The position of a consent in the list of its client's consents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentPosition {
    /// When the consent was created (bank clock).
    pub created_at: Timestamp,
    /// The consent.
    pub id: ConsentId,
}

/// Consents in storage. A deleted consent is [`Owned::Absent`] to its TPP.
pub trait ConsentStore {
    /// The next `limit` consents of a client after `after`, the oldest first, deleted ones included.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consents_of_client(
        &mut self,
        client: &ClientId,
        after: Option<&ConsentPosition>,
        limit: u32,
    ) -> Result<Vec<ConsentPosition>, StoreError>;

    /// The next `limit` consents of a client before `before`, the newest first, deleted ones included.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consents_of_client_newest(
        &mut self,
        client: &ClientId,
        before: Option<&ConsentPosition>,
        limit: u32,
    ) -> Result<Vec<ConsentPosition>, StoreError>;

    /// Adds a consent.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn consent_insert(&mut self, consent: &Consent) -> Result<(), StoreError>;

    /// The number of undecided consents of a client, created after `since` and not deleted. The count stops at `most`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consents_undecided_count(&mut self, client: &ClientId, since: Timestamp, most: u32) -> Result<u32, StoreError>;

    /// The consent, with its ownership for this client.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent(&mut self, owner: &ClientId, id: &ConsentId) -> Result<Owned<Consent>, StoreError>;

    /// The consent, with its ownership for this client, locked until the transaction ends.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_for_update(&mut self, owner: &ClientId, id: &ConsentId) -> Result<Owned<Consent>, StoreError>;

    /// The consent, of any owner, deleted or not. For internal work only, never for a TPP's request.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_any_owner(&mut self, id: &ConsentId) -> Result<Option<Consent>, StoreError>;

    /// Stores a consent's state, accounts and payment conditions. The submitted document is changed by
    /// [`consent_migrate`](Self::consent_migrate) alone.
    ///
    /// # Errors
    /// [`StoreError::Contended`] if the consent was changed since it was read, [`StoreError`] otherwise.
    fn consent_update(&mut self, consent: &Consent) -> Result<(), StoreError>;

    /// Stores the state that the core sets on a consent. This counts as a change of the consent. An unknown consent is ignored.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_set_core_state(&mut self, id: &ConsentId, state: &CoreState) -> Result<(), StoreError>;

    /// Records that the event of the consent's expiry at this time is raised. This does not count as a change of the consent.
    /// Returns `false` if it was recorded before, or if there is no such consent.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_record_expiry(&mut self, id: &ConsentId, end: Timestamp) -> Result<bool, StoreError>;

    /// Stores the document submitted for a consent in the form of a newer version, with the content parsed from it. State and
    /// accounts are unchanged. Source: V4-020.
    ///
    /// # Errors
    /// [`StoreError::Contended`] if the consent was changed since it was read, [`StoreError`] otherwise.
    fn consent_migrate(&mut self, consent: &Consent) -> Result<(), StoreError>;

    /// VRP consents of a version that are not deleted, of a client or else of all clients, by id; at most `limit` after `after`.
    /// Source: V4-030.
    ///
    /// # Errors
    /// [`StoreError`].
    fn vrp_consents_of_version(
        &mut self,
        version: Version,
        client: Option<&ClientId>,
        after: Option<&ConsentId>,
        limit: u32,
    ) -> Result<Vec<ConsentId>, StoreError>;

    /// The number of VRP consents of a version that are not deleted, of a client or else of all clients.
    ///
    /// # Errors
    /// [`StoreError`].
    fn vrp_consents_of_version_count(&mut self, version: Version, client: Option<&ClientId>)
    -> Result<i64, StoreError>;

    /// The newest consent of a client that is not deleted.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_newest(&mut self, client: &ClientId) -> Result<Option<Consent>, StoreError>;

    /// The authorised consents of all clients that share this account, by id; at most `limit` after `after`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consents_sharing(
        &mut self,
        account: &BankAccountId,
        after: Option<&ConsentId>,
        limit: u32,
    ) -> Result<Vec<Consent>, StoreError>;

    /// The `AccountId` of this account for this TPP; the offered id is stored if the account had none. Source: AIS-087.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_alias(
        &mut self,
        client: &ClientId,
        account: &BankAccountId,
        offered: &AccountId,
    ) -> Result<AccountId, StoreError>;

    /// The account with this `AccountId`, with its ownership for this client. Source: RW-102, RW-107.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_by_alias(&mut self, client: &ClientId, alias: &AccountId) -> Result<Owned<BankAccountId>, StoreError>;
}
