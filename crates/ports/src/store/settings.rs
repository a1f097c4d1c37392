//! Settings of the installation, shared by all nodes: the bank's clock, seeds, check values of secrets.

use super::{Source, StoreError};

/// Settings in storage.
pub trait SettingStore {
    /// The setting with this name.
    ///
    /// # Errors
    /// [`StoreError`].
    fn setting(&mut self, name: &str) -> Result<Option<String>, StoreError>;

    /// Goes on as if the setting had this value, where one that is absent has the default: `true`. If it has another one, the transaction is
    /// run again, and may not assume it then. `false` if it may not now.
    ///
    /// # Errors
    /// [`StoreError`].
    fn setting_assume(&mut self, name: &str, default: &str, value: &str) -> Result<bool, StoreError>;

    /// Stores a setting.
    ///
    /// # Errors
    /// [`StoreError`].
    fn setting_put(&mut self, name: &str, value: &str) -> Result<(), StoreError>;

    /// The error of a setting with an unusable value: [`StoreError::Corrupt`] with the name of the settings table.
    fn setting_corrupt(&self, name: &str, source: Source) -> StoreError;
}
