//! Failed login attempts, counted across journeys, sessions and nodes.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;

/// The users whose login failed from one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AddressUsers {
    /// The number of users.
    pub count: u64,
    /// When the first of them expires; `None` if there are none.
    pub earliest_end: Option<Timestamp>,
}

/// Login attempts in storage, keyed by a digest, so that no user name or address is stored.
pub trait AttemptStore {
    /// The times of the attempts against this subject, in stored order. The subject is locked until the transaction ends, even if
    /// there are no attempts. Only in a writing transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn attempts_for_update(&mut self, subject: &Digest) -> Result<Vec<Timestamp>, StoreError>;

    /// Stores the attempts against a subject; after `expires_at` none of them counts.
    ///
    /// # Errors
    /// [`StoreError`].
    fn attempts_update(
        &mut self,
        subject: &Digest,
        made_at: &[Timestamp],
        expires_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// The other users whose login failed from this address and whose entries have not expired.
    ///
    /// # Errors
    /// [`StoreError`].
    fn address_users(&mut self, address: &Digest, except: &Digest, now: Timestamp) -> Result<AddressUsers, StoreError>;

    /// Records a failed login of a user from an address or a device, until an expiry. There is one entry for each user.
    ///
    /// # Errors
    /// [`StoreError`].
    fn address_user_put(&mut self, address: &Digest, user: &Digest, until: Timestamp) -> Result<(), StoreError>;

    /// Removes the entry of a user, if there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    fn address_user_remove(&mut self, address: &Digest, user: &Digest) -> Result<(), StoreError>;

    /// Removes all attempts against a user, against these devices together, and against each address that has an entry of the
    /// user. Removes the user's entries as well.
    ///
    /// # Errors
    /// [`StoreError`].
    fn attempts_remove(&mut self, user: &Digest, devices: &Digest) -> Result<(), StoreError>;
}
