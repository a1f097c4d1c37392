//! The usage of VRP consents, by period.

use super::StoreError;
use lombard_domain::ids::ConsentId;
use lombard_domain::payment::vrp::{PeriodCounter, VrpReservation, VrpUsage};

/// The counters of VRP limits. A caller that reads them to check a payment holds the consent locked until the
/// transaction ends ([`ConsentStore::consent_for_update`](super::ConsentStore::consent_for_update)), so that concurrent
/// payments cannot use the same remaining amount. Source: VRP-040.
pub trait VrpUsageStore {
    /// The totals of these counters of a consent.
    ///
    /// # Errors
    /// [`StoreError`].
    fn vrp_usage(&mut self, consent: &ConsentId, counters: &[PeriodCounter]) -> Result<VrpUsage, StoreError>;

    /// Adds a payment.
    ///
    /// # Errors
    /// [`StoreError`].
    fn vrp_reserve(&mut self, consent: &ConsentId, reservation: &VrpReservation) -> Result<(), StoreError>;

    /// Subtracts a payment that was rejected.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the payment was not counted.
    fn vrp_release(&mut self, consent: &ConsentId, reservation: &VrpReservation) -> Result<(), StoreError>;
}
