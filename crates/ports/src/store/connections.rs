//! Consents as the PSU sees them: what is connected, and when it was last used.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{ConsentId, PsuId};

/// A consent and its latest use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedConsent {
    /// The consent.
    pub consent: Consent,
    /// When it was last used, by a token issued on it or a call with one, known to some minutes (bank clock).
    pub last_used_at: Option<Timestamp>,
}

/// Connections in storage.
pub trait ConnectedConsentStore {
    /// What a PSU authorised and is alive at this time (bank clock), newest first, at most `limit`. Rows that cannot be read
    /// are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn connected_consents(
        &mut self,
        psu: &PsuId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<ConnectedConsent>, StoreError>;

    /// One of them, if it is this PSU's.
    ///
    /// # Errors
    /// [`StoreError`].
    fn connected_consent(&mut self, psu: &PsuId, id: &ConsentId) -> Result<Option<ConnectedConsent>, StoreError>;

    /// Notes that a consent is used. An earlier instant than the one noted changes nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consent_used(&mut self, id: &ConsentId, now: Timestamp) -> Result<(), StoreError>;
}
