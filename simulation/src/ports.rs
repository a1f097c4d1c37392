//! Storage and bank ports with injected faults.

use crate::fault_injection::{CallOutcome, FaultGate, block_on};
use async_trait::async_trait;
use lombard_corebank::BuiltInBank;
use lombard_ports::bank::BankError;
use lombard_ports::forward_bank;
use lombard_ports::store::{Engine, Store, StoreError, Tables, TransactionVerdict, TransactionWork};
use std::sync::Arc;

/// A store whose calls may fail.
#[derive(Debug)]
struct FaultyStore<T: Tables> {
    store: Store<T>,
    gate: FaultGate,
}

/// Puts a store behind a gate.
pub(crate) fn gated<T: Tables + std::fmt::Debug>(store: Store<T>, gate: FaultGate) -> Store<T> {
    Store::new(Arc::new(FaultyStore { store, gate }))
}

/// How a caller's closure ended.
enum ClosureEnd {
    RolledBack,
    Failed(StoreError),
}

impl From<StoreError> for ClosureEnd {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

fn ended(outcome: Result<(), ClosureEnd>) -> Result<(), StoreError> {
    match outcome {
        Ok(()) | Err(ClosureEnd::RolledBack) => Ok(()),
        Err(ClosureEnd::Failed(error)) => Err(error),
    }
}

fn forward<T: Tables>(
    mut work: TransactionWork<T>,
    lies: bool,
) -> impl for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<(), ClosureEnd> + Send + 'static {
    move |tx| match work(tx) {
        TransactionVerdict::Commit if !lies => Ok(()),
        TransactionVerdict::Commit | TransactionVerdict::RollBack => Err(ClosureEnd::RolledBack),
    }
}

fn storage_is_out() -> StoreError {
    StoreError::Unavailable("the simulation says so".into())
}

#[async_trait]
impl<T: Tables + std::fmt::Debug> Engine<T> for FaultyStore<T> {
    async fn write(&self, work: TransactionWork<T>) -> Result<(), StoreError> {
        let fate = self.gate.pass().await;
        if fate == CallOutcome::FailsBefore {
            return Err(storage_is_out());
        }
        let outcome = ended(block_on(self.store.write(forward::<T>(work, self.gate.lies()))));
        self.gate.wrote();
        self.gate.end(fate).await;
        if fate == CallOutcome::FailsAfter { Err(storage_is_out()) } else { outcome }
    }

    async fn read(&self, work: TransactionWork<T>) -> Result<(), StoreError> {
        let fate = self.gate.pass().await;
        if fate != CallOutcome::Well {
            self.gate.end(fate).await;
            return Err(storage_is_out());
        }
        ended(block_on(self.store.read(forward::<T>(work, false))))
    }
}

/// A bank whose calls may fail.
#[derive(Debug)]
pub(crate) struct FaultyBank {
    bank: BuiltInBank,
    gate: FaultGate,
}

impl FaultyBank {
    /// Puts a bank behind a gate.
    pub(crate) const fn new(bank: BuiltInBank, gate: FaultGate) -> Self {
        Self { bank, gate }
    }

    async fn call<T: Send>(&self, call: impl Future<Output = Result<T, BankError>> + Send) -> Result<T, BankError> {
        let out = || BankError::Unavailable("the simulation says so".into());
        let fate = self.gate.pass().await;
        if fate == CallOutcome::FailsBefore {
            return Err(out());
        }
        let answer = call.await;
        self.gate.end(fate).await;
        if fate == CallOutcome::FailsAfter { Err(out()) } else { answer }
    }
}

forward_bank!(FaultyBank, |this, _method, _context, call| this.call(call).await);
