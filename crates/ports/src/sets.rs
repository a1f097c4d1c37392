//! Security event tokens (SETs): an event's claims signed by the server.

use crate::store::StoredSignature;
use async_trait::async_trait;
use lombard_domain::event::Event;
use lombard_domain::ids::KeyId;
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
    /// The keys that are published at present. TPPs cannot verify signatures by other keys. Source: SET-005.
    fn published_keys(&self) -> Vec<KeyId>;

    /// Signs an event with the active key.
    ///
    /// # Errors
    /// [`SetError`].
    async fn sign_event(&self, event: &Event) -> Result<StoredSignature, SetError>;
}
