//! Copies of tables in the same database, for snapshots of a sandbox.

use crate::driver::Definition;
use crate::session::SqlTransaction;
use lombard_ports::store::StoreError;

/// Copies of these tables, distinguished from other copies by a number. The copy of `orders` with number 1 is the table
/// `copy_1_orders`. No migration changes copies, so a copy can be used only with the schema from which it was made.
#[derive(Debug, Clone, Copy)]
pub struct TableCopies<'n> {
    /// The tables; a referring table precedes the table to which it refers. Their names are part of statements and come from
    /// constants.
    pub tables: &'n [&'static str],
    /// The number of the copies.
    pub number: u32,
}

impl TableCopies<'_> {
    /// Copies all rows. The caller must have locked the tables.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn make(self, tx: &mut SqlTransaction<'_>) -> Result<(), StoreError> {
        self.tables.iter().try_for_each(|table| {
            tx.define(&both(format!("CREATE TABLE {} AS SELECT * FROM {table}", self.name_of(table))))
        })
    }

    /// Puts the rows back into the tables, which must be empty. The copies are kept.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn put_back(self, tx: &mut SqlTransaction<'_>) -> Result<(), StoreError> {
        self.tables.iter().rev().try_for_each(|table| {
            let copy = self.name_of(table);
            tx.define(&Definition {
                sqlite: format!("INSERT INTO {table} SELECT * FROM {copy}"),
                // The generated ids of the copied rows are inserted as they are.
                postgres: format!("INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM {copy}"),
            })
        })
    }

    /// Removes the copies.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn remove(self, tx: &mut SqlTransaction<'_>) -> Result<(), StoreError> {
        self.tables
            .iter()
            .try_for_each(|table| tx.define(&both(format!("DROP TABLE IF EXISTS {}", self.name_of(table)))))
    }

    fn name_of(self, table: &str) -> String {
        format!("copy_{}_{table}", self.number)
    }
}

fn both(text: String) -> Definition {
    Definition { sqlite: text.clone(), postgres: text }
}
