//! The reset of the server's tables, used by the sandbox's controls only.

use super::StoreError;

/// Resets the server's tables, or returns them to what they were. Only a sandbox does that.
pub trait ResetStore {
    /// Deletes what TPPs and customers did at this server: consents, grants, tokens, sessions, orders, files, events.
    /// Clients, signing keys, settings and used one-time values stay; those values must not become usable again. The
    /// tables of the bank's core are not affected. Concurrent writes take effect either before or after.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is deleted then.
    fn forget_server(&mut self) -> Result<(), StoreError>;

    /// Copies everything that [`forget_server`](Self::forget_server) deletes, under this number. Concurrent writes take effect either
    /// before or after.
    ///
    /// # Errors
    /// [`StoreError`].
    fn copy_server(&mut self, number: u32) -> Result<(), StoreError>;

    /// Replaces what TPPs and customers did since by the copy with this number, and moves the epoch of every client: what was cached
    /// of a caller is not used any more.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is replaced then.
    fn restore_server(&mut self, number: u32) -> Result<(), StoreError>;

    /// Removes the copy with this number, if there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    fn remove_server_copy(&mut self, number: u32) -> Result<(), StoreError>;
}
