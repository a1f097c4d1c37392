//! Authorisation journeys in browsers.

use super::StoreError;
use lombard_domain::grant::AuthorisationJourney;
use lombard_domain::ids::{ConsentId, JourneyId};

/// Journeys in storage.
pub trait JourneyStore {
    /// Adds a journey.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journey_insert(&mut self, interaction: &AuthorisationJourney) -> Result<(), StoreError>;

    /// The journey with this id, locked until the transaction ends (plainly read in a read-only one).
    ///
    /// # Errors
    /// [`StoreError`].
    fn journey_for_update(&mut self, id: &JourneyId) -> Result<Option<AuthorisationJourney>, StoreError>;

    /// Stores a journey's present state.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journey_update(&mut self, interaction: &AuthorisationJourney) -> Result<(), StoreError>;

    /// Finishes every other journey of a consent: a second journey ends the first. Source: AS-090.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journeys_finish_of_consent(&mut self, consent: &ConsentId, except: Option<&JourneyId>)
    -> Result<(), StoreError>;

    /// Removes the journeys of a consent that are finished and in which nobody logged in: what is kept of a consent does not
    /// grow with the number of journeys that were only begun.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journeys_forget_unused(&mut self, consent: &ConsentId) -> Result<(), StoreError>;
}
