//! Failed attempts to log in, counted across journeys, sessions and nodes.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;

/// The users that an address failed to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AddressUsers {
    /// How many there are.
    pub count: u64,
    /// When the first of them counts no longer; `None` if there is none.
    pub earliest_end: Option<Timestamp>,
}

/// Attempts in storage, by what they count against: a digest, so that no name and no address is kept.
pub trait AttemptStore {
    /// When attempts were made against this subject, in the order they were stored; locked until the transaction ends,
    /// also if there is none yet. Only in a writing transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn attempts_for_update(&mut self, subject: &Digest) -> Result<Vec<Timestamp>, StoreError>;

    /// Stores the attempts that count against a subject; from `expires_at` on none of them matters.
    ///
    /// # Errors
    /// [`StoreError`].
    fn attempts_update(
        &mut self,
        subject: &Digest,
        made_at: &[Timestamp],
        expires_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// The users, except this one, that an address failed to be and that still count at this time.
    ///
    /// # Errors
    /// [`StoreError`].
    fn address_users(&mut self, address: &Digest, except: &Digest, now: Timestamp) -> Result<AddressUsers, StoreError>;

    /// Notes that an address tried to be a user, which counts until a time. There is one note for each user.
    ///
    /// # Errors
    /// [`StoreError`].
    fn address_user_put(&mut self, address: &Digest, user: &Digest, until: Timestamp) -> Result<(), StoreError>;

    /// Removes the note on a user, if there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    fn address_user_remove(&mut self, address: &Digest, user: &Digest) -> Result<(), StoreError>;
}
