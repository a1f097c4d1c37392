//! Submitted forms of pages and their answers. A form that is submitted again gets the stored answer and has no second effect.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;

/// The state of a submitted form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormRecord {
    /// The form is being processed.
    Pending,
    /// The form was answered.
    Answered {
        /// The answer, encrypted; empty if it was not stored.
        sealed: Vec<u8>,
        /// The time until which the answer is returned again (wall clock).
        repeated_until: Timestamp,
    },
}

/// Submitted forms in storage. A form is named by a digest of the browser's secret, the form's token and everything that was submitted.
pub trait FormAnswerStore {
    /// Claims a form for processing until a time (wall clock), unless the form is already recorded. Removes a few records that
    /// have expired. Returns whether the claim succeeded; of two transactions, only one succeeds.
    ///
    /// # Errors
    /// [`StoreError`].
    fn form_claim(&mut self, form: &Digest, now: Timestamp, until: Timestamp) -> Result<bool, StoreError>;

    /// The state of a form; `None` if it is not recorded or its record has expired.
    ///
    /// # Errors
    /// [`StoreError`].
    fn form_record(&mut self, form: &Digest, now: Timestamp) -> Result<Option<FormRecord>, StoreError>;

    /// Stores the encrypted answer to a claimed form, the time until which the answer is returned again, and the expiry of the
    /// record.
    ///
    /// # Errors
    /// [`StoreError`].
    fn form_answer_put(
        &mut self,
        form: &Digest,
        sealed: &[u8],
        repeated_until: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Removes the record of a form that had no effect. An unknown form is ignored.
    ///
    /// # Errors
    /// [`StoreError`].
    fn form_release(&mut self, form: &Digest) -> Result<(), StoreError>;
}
