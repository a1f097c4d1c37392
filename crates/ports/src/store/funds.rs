//! Answers about funds.

use super::StoreError;
use lombard_domain::funds::FundsAnswer;

/// What was asked about funds, so that no reference is used twice under a consent. Source: CBP-036.
pub trait FundsStore {
    /// Keeps that a question was answered: its id, consent, reference and time, neither the amount nor the answer. `false`, and
    /// nothing is kept, if its reference was used under its consent before.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken, [`StoreError`] otherwise.
    fn funds_confirmation_insert(&mut self, answer: &FundsAnswer) -> Result<bool, StoreError>;
}
