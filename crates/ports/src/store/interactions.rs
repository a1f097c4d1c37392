//! Authorisation journeys in browsers.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::AuthorisationJourney;
use lombard_domain::ids::{ConsentId, JourneyId};

/// Journeys in storage.
pub trait JourneyStore {
    /// Adds a journey.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journey_insert(&mut self, interaction: &AuthorisationJourney) -> Result<(), StoreError>;

    /// The journey with this id, locked until the transaction ends (without a lock in a read-only one).
    ///
    /// # Errors
    /// [`StoreError`].
    fn journey_for_update(&mut self, id: &JourneyId) -> Result<Option<AuthorisationJourney>, StoreError>;

    /// Stores the state of a journey.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journey_update(&mut self, interaction: &AuthorisationJourney) -> Result<(), StoreError>;

    /// The journey of a consent that is not finished at an instant, without a lock. A consent has at most one. Source: AS-090.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journey_live_of_consent(
        &mut self,
        consent: &ConsentId,
        now: Timestamp,
    ) -> Result<Option<AuthorisationJourney>, StoreError>;

    /// Finishes every other journey of a consent: a new journey ends the earlier one. Source: AS-090.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journeys_finish_of_consent(&mut self, consent: &ConsentId, except: Option<&JourneyId>)
    -> Result<(), StoreError>;

    /// Removes the finished journeys of a consent in which nobody logged in, so that abandoned journeys do not accumulate.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journeys_remove_without_login(&mut self, consent: &ConsentId) -> Result<(), StoreError>;
}
