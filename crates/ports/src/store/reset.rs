//! Forgetting what happened. Only the controls of a sandbox ask for this part.

use super::StoreError;

/// A new beginning in storage.
pub trait ResetStore {
    /// Forgets everything that customers and TPPs had and did: customers, accounts and their books, consents, grants,
    /// tokens, sessions, orders, events. What stays are clients, signing keys, settings, one-time values that were used
    /// (they must not work again), and the numbers that entries go on from. Whoever writes meanwhile comes before or after.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is forgotten then.
    fn delete_all(&mut self) -> Result<(), StoreError>;
}
