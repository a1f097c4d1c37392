//! Limits how often a customer is asked on a device.

use super::counts::{add_event, end_of, store_counts};
use crate::subject_digests::{normalised_user_name, subject_digest};
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, PsuId};
use lombard_ports::store::{AttemptStore, StoreError};

/// The most requests of one client to one customer's device within ten minutes.
const OF_CLIENT_MAX: usize = 5;

/// The most requests of all clients to one customer's device within ten minutes.
const OF_ALL_MAX: usize = 10;

/// The counted requests of a client to a customer. A request counts even if nobody answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceRequests {
    of_client: Digest,
    of_all: Digest,
}

impl DeviceRequests {
    pub(crate) fn new(client: &ClientId, customer: &PsuId) -> Self {
        let customer = normalised_user_name(customer.as_str());
        let by_client = [client.as_str().as_bytes(), b"\n", &customer].concat();
        Self { of_client: subject_digest("device of client", &by_client), of_all: subject_digest("device", &customer) }
    }

    /// Counts a request and returns `true`, if the limits permit it now. The counts are locked until the transaction ends.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn count_in<S: AttemptStore + ?Sized>(self, store: &mut S, now: Timestamp) -> Result<bool, StoreError> {
        let subjects = [(self.of_client, OF_CLIENT_MAX), (self.of_all, OF_ALL_MAX)];
        match add_event(store, &subjects, now)? {
            Ok(counted) => store_counts(store, &counted, now).map(|()| true),
            Err(_) => Ok(false),
        }
    }

    /// Uses up the client's limit after the customer refused a request, so that the client must wait ten minutes.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn use_up_in<S: AttemptStore + ?Sized>(self, store: &mut S, now: Timestamp) -> Result<(), StoreError> {
        store.attempts_for_update(&self.of_client)?;
        store.attempts_update(&self.of_client, &[now; OF_CLIENT_MAX], end_of(now))
    }

    /// Locks the counts of the customer until the transaction ends, so that concurrent transactions count this customer's requests one
    /// after the other.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn lock_in<S: AttemptStore + ?Sized>(self, store: &mut S) -> Result<(), StoreError> {
        store.attempts_for_update(&self.of_client).map(drop)
    }
}
