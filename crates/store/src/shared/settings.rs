//! Facts about the installation that all nodes share.

use super::session::{Session, Sql};
use super::statement::{both, statements};
use lombard_ports::store::{SettingStore, StoreError};

statements! { "settings" =>
    BY_NAME = both("SELECT value FROM settings WHERE name = $1");
    PUT = both(
        "INSERT INTO settings (name, value) VALUES ($1, $2) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value");
}

impl<S: Sql> SettingStore for Session<S> {
    fn setting(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        self.one(&BY_NAME, &[name.into()], |row| row.id())
    }

    fn setting_put(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        self.execute(&PUT, &[name.into(), value.into()]).map(drop)
    }
}
