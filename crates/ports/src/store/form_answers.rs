//! Submitted forms of pages and their answers: a form that is sent again is answered again and acts once.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;

/// How a submitted form stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormRecord {
    /// It is being answered.
    Pending,
    /// It was answered.
    Answered {
        /// The answer, sealed; empty if it was not kept.
        sealed: Vec<u8>,
        /// Until when the answer is given again (wall clock).
        repeated_until: Timestamp,
    },
}

/// Submitted forms in storage. A form is named by a digest of the browser's secret, the form's token and everything that was submitted.
pub trait FormAnswerStore {
    /// Claims a form for whoever answers it until a time (wall clock), unless it is known. Removes a few records that have expired.
    /// Returns whether it is claimed: of two transactions, one claims it.
    ///
    /// # Errors
    /// [`StoreError`].
    fn form_claim(&mut self, form: &Digest, now: Timestamp, until: Timestamp) -> Result<bool, StoreError>;

    /// How a form stands; `None` if it is not known or its record has expired.
    ///
    /// # Errors
    /// [`StoreError`].
    fn form_record(&mut self, form: &Digest, now: Timestamp) -> Result<Option<FormRecord>, StoreError>;

    /// Stores the sealed answer to a form that is claimed, until when it is given again, and when its record expires.
    ///
    /// # Errors
    /// [`StoreError`].
    fn form_answer(
        &mut self,
        form: &Digest,
        sealed: &[u8],
        repeated_until: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Forgets a form that did not act; has no effect if it is not known.
    ///
    /// # Errors
    /// [`StoreError`].
    fn form_release(&mut self, form: &Digest) -> Result<(), StoreError>;
}
