//! The reset of the server's tables, used by the sandbox's controls only.

use super::StoreError;

/// Resets the server's tables.
pub trait ResetStore {
    /// Deletes what TPPs and customers did at this server: consents, grants, tokens, sessions, orders, files, events.
    /// Clients, signing keys, settings and used one-time values stay; those values must not become usable again. The
    /// tables of the bank's core are not affected. Concurrent writes take effect either before or after.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is deleted then.
    fn forget_server(&mut self) -> Result<(), StoreError>;
}
