//! The bank's storage: one trait for each group of tables, and one synchronous transaction that implements all of them.
//!
//! The rules of `lombard_ports::store` apply: a transaction is a closure that may run more than once.

mod account_changes;
mod arrangements;
mod bank_orders;
mod ledger;
mod personal_data;
mod schedule;
mod scheduled_routine;

pub use account_changes::AccountChangeStore;
pub use arrangements::{Arrangement, ArrangementKind, ArrangementStore, ArrangementVariant};
pub use bank_orders::{BankOrderStore, OrderAtBank};
pub use ledger::{
    AccountAvailability, AccountSums, BankAccountRecord, BankSize, Customer, EntryList, LedgerStore, PostResult,
};
pub use personal_data::PersonalDataStore;
pub use schedule::{ScheduleStore, StepRows, StepRowsRead};
pub use scheduled_routine::ScheduledRoutine;

use lombard_ports::store::{QuarantineStore, SettingStore, Store, StoreError, Tables};

/// All operations of a transaction on the bank's tables.
pub trait BankTransaction:
    AccountChangeStore
    + ArrangementStore
    + BankOrderStore
    + BankResetStore
    + ScheduleStore
    + LedgerStore
    + PersonalDataStore
    + QuarantineStore
    + SettingStore
{
}

/// Marker type for the bank's tables.
#[derive(Debug)]
pub struct BankTables;

impl Tables for BankTables {
    type Transaction<'t> = dyn BankTransaction + 't;
}

/// The store of the bank.
pub type BankStore = Store<BankTables>;

/// Resets and copies of the bank's data. Only the controls of a sandbox use them.
pub trait BankResetStore {
    /// Removes customers, accounts, ledger and orders. Settings and the counters of entries and of account changes are kept. A concurrent
    /// write commits entirely before or after the removal.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is removed then.
    fn bank_reset(&mut self) -> Result<(), StoreError>;

    /// Copies all rows that [`bank_reset`](Self::bank_reset) removes, under this number. A concurrent write commits entirely before or
    /// after the copy.
    ///
    /// # Errors
    /// [`StoreError`].
    fn copy_bank(&mut self, number: u32) -> Result<(), StoreError>;

    /// Replaces customers, accounts, ledger and orders by the copy with this number.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is replaced then.
    fn restore_bank(&mut self, number: u32) -> Result<(), StoreError>;

    /// Removes the copy with this number, if there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    fn remove_bank_copy(&mut self, number: u32) -> Result<(), StoreError>;
}
