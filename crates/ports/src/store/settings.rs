//! Facts about the installation that all nodes share: the bank's clock, seeds, secrets' check values.

use super::{Source, StoreError};

/// Settings in storage.
pub trait SettingStore {
    /// The setting with this name.
    ///
    /// # Errors
    /// [`StoreError`].
    fn setting(&mut self, name: &str) -> Result<Option<String>, StoreError>;

    /// Sets it.
    ///
    /// # Errors
    /// [`StoreError`].
    fn setting_put(&mut self, name: &str, value: &str) -> Result<(), StoreError>;

    /// The error for a setting whose value cannot be used: [`StoreError::Corrupt`], which names the table of these settings.
    fn setting_corrupt(&self, name: &str, source: Source) -> StoreError;
}
