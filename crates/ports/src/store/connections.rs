//! Consents as shown to the PSU, with their latest use.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{ConsentId, PsuId};

/// A consent and its latest use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedConsent {
    /// The consent.
    pub consent: Consent,
    /// When a token of the consent was last issued or used, with a precision of some minutes (bank clock).
    pub last_used_at: Option<Timestamp>,
}

/// Connected consents in storage.
pub trait ConnectedConsentStore {
    /// The consents that a PSU authorised and that are active at this time (bank clock), newest first, at most `limit`.
    /// Rows that cannot be read are omitted.
    ///
    /// # Errors
    /// [`StoreError`].
    fn connected_consents(
        &mut self,
        psu: &PsuId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<ConnectedConsent>, StoreError>;

    /// The connected consent with this id, if it belongs to this PSU.
    ///
    /// # Errors
    /// [`StoreError`].
    fn connected_consent(&mut self, psu: &PsuId, id: &ConsentId) -> Result<Option<ConnectedConsent>, StoreError>;

    /// Records the use of a consent. An instant before the recorded one is ignored.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_use_record(&mut self, id: &ConsentId, now: Timestamp) -> Result<(), StoreError>;
}
