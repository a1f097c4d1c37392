//! The records that staff search for when they help a customer or a TPP.

use super::StoreError;
use lombard_domain::ids::{ConsentId, FapiInteractionId, JobId, OrderId, PsuId};
use lombard_domain::job::Job;

/// Searches over the records of all clients and customers. For the bank's staff only, never for a TPP's request. Each search is
/// answered from an index.
pub trait SupportStore {
    /// The orders whose payment has this `EndToEndIdentification`, newest first; at most `limit`. The payments of files are not
    /// searched.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_of_end_to_end_id(&mut self, id: &str, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// The orders that pay to the account with this identification, as the TPP wrote it, newest first; at most `limit`. The payments
    /// of files are not searched.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_to_account(&mut self, identification: &str, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// The orders that a request with this interaction id created, newest first; at most `limit`. Source: SET-016.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_of_interaction(&mut self, id: &FapiInteractionId, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// The consents that a PSU has authorised, of every kind and in every state, newest first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consents_of_psu(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<ConsentId>, StoreError>;

    /// The unfinished job with this id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job(&mut self, id: &JobId) -> Result<Option<Job>, StoreError>;
}
