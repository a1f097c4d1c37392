//! Facts about the bank that all nodes share.

use super::BankRows;
use lombard_ports::store::{SettingStore, StoreError};

lombard_database::settings_table! { "bank_settings" }

impl SettingStore for BankRows<'_, '_> {
    fn setting(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        SETTINGS.by_name(self, name)
    }

    fn setting_put(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        SETTINGS.put(self, name, value)
    }
}
