//! What was paid under consents to variable recurring payments, by period.

use super::StoreError;
use lombard_domain::ids::ConsentId;
use lombard_domain::vrp::{PeriodCounter, VrpReservation, VrpUsage};

/// The counters of limits. Whoever reads them to judge a payment holds the consent locked until the transaction ends
/// ([`ConsentStore::consent_for_update`](super::ConsentStore::consent_for_update)), so two payments never share what is
/// left. Source: VRP-040.
pub trait VrpUsageStore {
    /// What these counters of a consent have come to.
    ///
    /// # Errors
    /// [`StoreError`].
    fn vrp_usage(&mut self, consent: &ConsentId, counters: &[PeriodCounter]) -> Result<VrpUsage, StoreError>;

    /// Counts a payment.
    ///
    /// # Errors
    /// [`StoreError`].
    fn vrp_reserve(&mut self, consent: &ConsentId, reservation: &VrpReservation) -> Result<(), StoreError>;

    /// Gives back what a payment took that was rejected after all.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if so much was never counted.
    fn vrp_release(&mut self, consent: &ConsentId, reservation: &VrpReservation) -> Result<(), StoreError>;
}
