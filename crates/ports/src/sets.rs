//! Security event tokens (SETs): an event's claims signed by the server.

use crate::store::{ReusableSignatures, StoredSignature};
use async_trait::async_trait;
use lombard_domain::event::Event;
use lombard_domain::version::Version;
use std::fmt;

/// Why an event was not signed.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// The signing queue is full; the same call may succeed later.
    #[error("too many signatures are waited for")]
    Busy,
    /// An internal error; an operator has to act.
    #[error("the event cannot be signed")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Signs security event tokens. Source: SET-001 to SET-012.
#[async_trait]
pub trait SetSigner: Send + Sync + fmt::Debug {
    /// The stored signatures that may be returned to polls through this version of the API: those with the version's `typ`, made
    /// with a key that is published now. TPPs cannot verify other signatures. Source: SET-003, SET-005.
    fn reusable_signatures(&self, version: Version) -> ReusableSignatures;

    /// Signs an event with the active key, for a poll through this version of the API.
    ///
    /// # Errors
    /// [`SetError`].
    async fn sign_event(&self, event: &Event, version: Version) -> Result<StoredSignature, SetError>;
}
