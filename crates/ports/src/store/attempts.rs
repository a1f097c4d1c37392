//! Failed attempts to log in, counted across journeys, sessions and nodes.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;

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
}
