//! Tables of settings: texts by name. Each crate that stores facts about the installation declares one.

use crate::session::SqlTransaction;
use crate::statement::SqlStatement;
use lombard_ports::store::StoreError;

/// The statements of a table of settings.
#[derive(Debug)]
pub struct SettingsTable {
    /// Reads the value of a name.
    pub by_name: &'static SqlStatement,
    /// Sets the value of a name.
    pub put: &'static SqlStatement,
}

/// Declares a table of settings: its statements, for the test that prepares them, and the port's implementation for the rows
/// of a transaction, a type that dereferences to a [`SqlTransaction`].
#[macro_export]
macro_rules! settings_table {
    ($table:literal, $rows:ty) => {
        $crate::statements! { $table =>
            BY_NAME = $crate::statement::both(concat!("SELECT value FROM ", $table, " WHERE name = $1"));
            PUT = $crate::statement::both(concat!(
                "INSERT INTO ", $table, " (name, value) VALUES ($1, $2) \
ON CONFLICT (name) DO UPDATE SET value = excluded.value"));
        }

        const SETTINGS: $crate::settings::SettingsTable =
            $crate::settings::SettingsTable { by_name: &BY_NAME, put: &PUT };

        impl $crate::ports::SettingStore for $rows {
            fn setting(&mut self, name: &str) -> Result<Option<String>, $crate::ports::StoreError> {
                SETTINGS.by_name(self, name)
            }

            fn setting_put(&mut self, name: &str, value: &str) -> Result<(), $crate::ports::StoreError> {
                SETTINGS.put(self, name, value)
            }

            fn setting_corrupt(&self, name: &str, source: $crate::ports::Source) -> $crate::ports::StoreError {
                $crate::ports::StoreError::Corrupt { table: $table, id: name.to_owned(), source }
            }
        }
    };
}

impl SettingsTable {
    /// Implements `SettingStore::setting`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn by_name(&self, session: &mut SqlTransaction<'_>, name: &str) -> Result<Option<String>, StoreError> {
        session.one(self.by_name, &[name.into()], |row| row.id())
    }

    /// Implements `SettingStore::setting_put`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn put(&self, session: &mut SqlTransaction<'_>, name: &str, value: &str) -> Result<(), StoreError> {
        session.execute_later(self.put, &[name.into(), value.into()])
    }
}
