//! The reset of the server's tables, used by the sandbox's controls only.

use super::StoreError;

/// Resets the server's tables, or restores them from a copy. Only a sandbox does this.
pub trait ResetStore {
    /// Deletes the results of all actions of TPPs and customers at this server: consents, grants, tokens, sessions, orders,
    /// files, events. Clients, signing keys, settings and used one-time values stay; those values must not become usable again.
    /// The tables of the bank's core are not affected. Concurrent writes take effect either before or after.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is deleted then.
    fn server_tables_clear(&mut self) -> Result<(), StoreError>;

    /// Copies all rows that [`server_tables_clear`](Self::server_tables_clear) would delete, under this number. Concurrent writes take effect
    /// either before or after.
    ///
    /// # Errors
    /// [`StoreError`].
    fn server_tables_copy(&mut self, number: u32) -> Result<(), StoreError>;

    /// Replaces the rows that [`server_tables_clear`](Self::server_tables_clear) would delete by the copy with this number. Increments the
    /// epoch of every client, so that cached callers become invalid.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is replaced then.
    fn server_tables_restore(&mut self, number: u32) -> Result<(), StoreError>;

    /// Removes the copy with this number, if there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    fn server_tables_copy_remove(&mut self, number: u32) -> Result<(), StoreError>;
}
