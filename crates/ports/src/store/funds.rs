//! Answers about funds, and how many questions were asked.

use super::StoreError;
use jiff::civil::Date;
use lombard_domain::funds::FundsAnswer;
use lombard_domain::ids::ConsentId;

/// What was asked about funds, so that no reference is used twice under a consent (CBP-036) and questions can be limited.
pub trait FundsStore {
    /// Keeps that a question was answered: its id, consent, reference and time, neither the amount nor the answer. `false`, and
    /// nothing is kept, if its reference was used under its consent before.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken, [`StoreError`] otherwise.
    fn funds_confirmation_insert(&mut self, answer: &FundsAnswer) -> Result<bool, StoreError>;

    /// Counts a question about funds under a consent on a day, unless there were so many already: `false` then. Of questions
    /// that are counted at once each counts. Source: RW-112.
    ///
    /// # Errors
    /// [`StoreError`].
    fn funds_question_count(&mut self, consent: &ConsentId, day: Date, most: u32) -> Result<bool, StoreError>;

    /// Removes a batch of the counts of days before this one; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    fn funds_questions_purge(&mut self, before: Date, limit: u32) -> Result<u64, StoreError>;
}
