//! Forgetting what happened. Only the controls of a sandbox ask for this part.

use super::StoreError;

/// Resets the server's tables.
pub trait ResetStore {
    /// Forgets what TPPs and customers did at this server: consents, grants, tokens, sessions, orders, files, events. What
    /// stays are clients, signing keys, settings, and one-time values that were used (they must not work again). What the
    /// bank's core keeps is not the server's to forget. Whoever writes meanwhile comes before or after.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is forgotten then.
    fn forget_server(&mut self) -> Result<(), StoreError>;
}
