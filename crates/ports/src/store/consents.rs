//! Consents of every kind, and the account ids TPPs know.

use super::{Owned, StoreError};
use lombard_domain::consent::Consent;
use lombard_domain::ids::{AccountId, BankAccountId, ClientId, ConsentId};

/// Consents in storage. A deleted consent is [`Owned::Absent`] to its TPP.
pub trait ConsentStore {
    /// Adds a consent.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn consent_insert(&mut self, consent: &Consent) -> Result<(), StoreError>;

    /// The consent, seen from this client.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent(&mut self, owner: &ClientId, id: &ConsentId) -> Result<Owned<Consent>, StoreError>;

    /// The consent, seen from this client, locked until the transaction ends.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_for_update(&mut self, owner: &ClientId, id: &ConsentId) -> Result<Owned<Consent>, StoreError>;

    /// The consent, whoever owns it, deleted or not. For the server's own work, never for a TPP's request.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_any_owner(&mut self, id: &ConsentId) -> Result<Option<Consent>, StoreError>;

    /// Stores a consent's present state, its accounts included, and what the bank says to a payment. What was asked for and
    /// submitted never changes.
    ///
    /// # Errors
    /// [`StoreError::Contended`] if it was changed since it was read, [`StoreError`] otherwise.
    fn consent_update(&mut self, consent: &Consent) -> Result<(), StoreError>;

    /// The consent a client made last and did not delete.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_newest(&mut self, client: &ClientId) -> Result<Option<Consent>, StoreError>;

    /// The authorised consents under which this account is shared, of all clients, by id; at most `limit` after `after`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consents_sharing(
        &mut self,
        account: &BankAccountId,
        after: Option<&ConsentId>,
        limit: u32,
    ) -> Result<Vec<Consent>, StoreError>;

    /// What this TPP calls this account: the id it has, or the offered one if it had none. Source: AIS-087.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_alias(
        &mut self,
        client: &ClientId,
        account: &BankAccountId,
        offered: &AccountId,
    ) -> Result<AccountId, StoreError>;

    /// The account behind an id, seen from this client. Source: RW-102, RW-107.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_by_alias(&mut self, client: &ClientId, alias: &AccountId) -> Result<Owned<BankAccountId>, StoreError>;
}
