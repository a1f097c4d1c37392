//! Facts about the installation that all nodes share.

use crate::rows::Rows;
use lombard_ports::store::{SettingStore, StoreError};

lombard_database::settings_table! { "settings" }

impl SettingStore for Rows<'_, '_> {
    fn setting(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        SETTINGS.by_name(self, name)
    }

    fn setting_put(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        SETTINGS.put(self, name, value)
    }
}
