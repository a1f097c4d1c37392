//! Consents of every kind, and the mapping of account ids.

use super::{Owned, StoreError};
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::core_state::CoreState;
use lombard_domain::ids::{AccountId, BankAccountId, ClientId, ConsentId};
use lombard_domain::version::Version;

/// The place of a consent among those of its client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentPosition {
    /// When the consent was made (bank clock).
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

    /// How many consents of a client, made after `since` and not deleted, no customer has decided on. Counted up to `most`.
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

    /// Stores a consent's state, accounts and payment conditions. What was submitted is changed by
    /// [`consent_migrate`](Self::consent_migrate) alone.
    ///
    /// # Errors
    /// [`StoreError::Contended`] if it was changed since it was read, [`StoreError`] otherwise.
    fn consent_update(&mut self, consent: &Consent) -> Result<(), StoreError>;

    /// Stores what the core sets on a consent, which is a change of it like any other. Nothing happens if there is no such consent.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_set_core_state(&mut self, id: &ConsentId, state: &CoreState) -> Result<(), StoreError>;

    /// Records that the event of a consent's expiry at this end is raised, which is no change of the consent. Returns `false` if it was
    /// recorded before, and if there is no such consent.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_record_expiry(&mut self, id: &ConsentId, end: Timestamp) -> Result<bool, StoreError>;

    /// Stores what was submitted for a consent in the form of a newer version, with the content parsed from it. State and
    /// accounts are unchanged. Source: V4-020.
    ///
    /// # Errors
    /// [`StoreError::Contended`] if it was changed since it was read, [`StoreError`] otherwise.
    fn consent_migrate(&mut self, consent: &Consent) -> Result<(), StoreError>;

    /// VRP consents of a version that are not deleted, of a client or else of all, by id; at most `limit` after `after`. Source:
    /// V4-030.
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

    /// How many VRP consents of a version are not deleted, of a client or else of all.
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

    /// The `AccountId` of this account for this TPP; the offered one is stored if it had none. Source: AIS-087.
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
