//! What the bank needs of storage: one trait for each group of its tables, one synchronous transaction that is all of them.
//!
//! The rules of `lombard_ports::store` hold: a transaction is a closure that may run more than once.

mod arrangements;
mod bank_orders;
mod ledger;
mod schedule;
mod scheduled_routine;

pub use arrangements::{Arrangement, ArrangementKind, ArrangementStore, ArrangementVariant};
pub use bank_orders::{BankOrderStore, OrderAtBank};
pub use ledger::{AccountAvailability, AccountSums, BankAccountRecord, Customer, LedgerStore, PostResult};
pub use schedule::ScheduleStore;
pub use scheduled_routine::ScheduledRoutine;

use lombard_ports::store::{QuarantineStore, SettingStore, Store, StoreError, Tables};

/// Everything a transaction on the bank's tables can do.
pub trait BankTransaction:
    ArrangementStore + BankOrderStore + BankResetStore + ScheduleStore + LedgerStore + QuarantineStore + SettingStore
{
}

/// The bank's tables.
#[derive(Debug)]
pub struct BankTables;

impl Tables for BankTables {
    type Transaction<'t> = dyn BankTransaction + 't;
}

/// The store of the bank.
pub type BankStore = Store<BankTables>;

/// Forgetting what happened at the bank. Only the controls of a sandbox ask for this part.
pub trait BankResetStore {
    /// Forgets customers, accounts, their books and orders. What stays are settings, and the numbers that entries go on
    /// from. Whoever writes meanwhile comes before or after.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is forgotten then.
    fn forget_bank(&mut self) -> Result<(), StoreError>;
}
