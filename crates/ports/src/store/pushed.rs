//! Authorisation requests pushed ahead of the browser.

use super::StoreError;
use lombard_domain::grant::{Digest, PushedRequest};

/// Pushed requests in storage. They are never changed: that each is answered once is a one-time value's business.
pub trait PushedRequestStore {
    /// Adds a pushed request.
    ///
    /// # Errors
    /// [`StoreError`].
    fn pushed_request_insert(&mut self, pushed: &PushedRequest) -> Result<(), StoreError>;

    /// The request pushed under this reference, whoever pushed it and however long ago.
    ///
    /// # Errors
    /// [`StoreError`].
    fn pushed_request(&mut self, reference: &Digest) -> Result<Option<PushedRequest>, StoreError>;
}
