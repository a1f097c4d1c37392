//! Funds confirmations, and the number of requests.

use super::StoreError;
use jiff::civil::Date;
use lombard_domain::funds::FundsConfirmationResult;
use lombard_domain::ids::ConsentId;

/// Funds confirmation requests in storage, so that no reference is reused under a consent (CBP-036) and requests can be
/// limited.
pub trait FundsStore {
    /// Records the id, consent, reference and time of an answered request, but not its amount and result. Returns `false` and
    /// stores nothing if the reference was used under the consent before.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken, [`StoreError`] otherwise.
    fn funds_confirmation_insert(&mut self, answer: &FundsConfirmationResult) -> Result<bool, StoreError>;

    /// Counts a request under a consent on a day. Returns `false`, without counting, if the maximum is reached. Concurrent
    /// requests are all counted. Source: RW-112.
    ///
    /// # Errors
    /// [`StoreError`].
    fn funds_question_count(&mut self, consent: &ConsentId, day: Date, most: u32) -> Result<bool, StoreError>;

    /// Removes a batch of the counts of earlier days; returns the number removed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn funds_questions_purge(&mut self, before: Date, limit: u32) -> Result<u64, StoreError>;
}
