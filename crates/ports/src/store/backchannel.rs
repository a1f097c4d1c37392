//! Backchannel authentication requests (CIBA).

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::backchannel::BackchannelRequest;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{BackchannelRequestId, ClientId, ConsentId, PsuId};

/// Backchannel requests in storage.
pub trait BackchannelStore {
    /// Adds a request.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its hash or id is taken.
    fn backchannel_insert(&mut self, request: &BackchannelRequest) -> Result<(), StoreError>;

    /// The request with this hash of an `auth_req_id`, of any client, locked until the transaction ends (without a lock in a
    /// read-only one).
    ///
    /// # Errors
    /// [`StoreError`].
    fn backchannel_for_update(&mut self, hash: &Digest) -> Result<Option<BackchannelRequest>, StoreError>;

    /// The request with this id, without a lock.
    ///
    /// # Errors
    /// [`StoreError`].
    fn backchannel_request(&mut self, id: &BackchannelRequestId) -> Result<Option<BackchannelRequest>, StoreError>;

    /// The request of a consent that the customer may still decide, if there is one. Source: AS-160.
    ///
    /// # Errors
    /// [`StoreError`].
    fn backchannel_live_of_consent(
        &mut self,
        consent: &ConsentId,
        now: Timestamp,
    ) -> Result<Option<BackchannelRequest>, StoreError>;

    /// The numbers of undecided live requests of a client: in total, and for this customer.
    ///
    /// # Errors
    /// [`StoreError`].
    fn backchannel_live_counts(
        &mut self,
        client: &ClientId,
        psu: Option<&PsuId>,
        now: Timestamp,
    ) -> Result<(i64, i64), StoreError>;

    /// The requests that a customer may decide now, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn backchannel_live_of_psu(
        &mut self,
        psu: &PsuId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<BackchannelRequest>, StoreError>;

    /// Stores the mutable members of a request: customer, state, grant, poll times, login at the provider, and expiry.
    ///
    /// # Errors
    /// [`StoreError`].
    fn backchannel_update(&mut self, request: &BackchannelRequest) -> Result<(), StoreError>;
}
