//! Settings of the installation, shared by all nodes: the bank's clock, seeds, check values of secrets.

use super::{Source, StoreError};

/// Settings in storage.
pub trait SettingStore {
    /// The setting with this name.
    ///
    /// # Errors
    /// [`StoreError`].
    fn setting(&mut self, name: &str) -> Result<Option<String>, StoreError>;

    /// Stores a setting.
    ///
    /// # Errors
    /// [`StoreError`].
    fn setting_put(&mut self, name: &str, value: &str) -> Result<(), StoreError>;

    /// The error of a setting with an unusable value: [`StoreError::Corrupt`] with the name of the settings table.
    fn setting_corrupt(&self, name: &str, source: Source) -> StoreError;
}
