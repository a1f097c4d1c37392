//! Pushed authorisation requests (PAR).

use super::StoreError;
use lombard_domain::grant::{Digest, PushedRequest};

/// Pushed requests in storage. Rows are never changed; single use is ensured by one-time values.
pub trait PushedRequestStore {
    /// Adds a pushed request.
    ///
    /// # Errors
    /// [`StoreError`].
    fn pushed_request_insert(&mut self, pushed: &PushedRequest) -> Result<(), StoreError>;

    /// The request with this reference, of any client and any age.
    ///
    /// # Errors
    /// [`StoreError`].
    fn pushed_request(&mut self, reference: &Digest) -> Result<Option<PushedRequest>, StoreError>;
}
