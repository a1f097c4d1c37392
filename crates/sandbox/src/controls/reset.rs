//! Resets the sandbox: removes the old data and stores the new data.

use super::clock;
use crate::joint::JointStore;
use crate::seed::SeedStart;
use jiff::Timestamp;
use lombard_corebank::storage::BankTransaction;
use lombard_ports::controls::{BankControls, ControlError, ResetContents};
use lombard_ports::store::{ServerTransaction, Store, StoreError};

/// Generates the contents of a reset bank on a separate thread.
pub(super) async fn generate_contents(
    wall: Timestamp,
    to: ResetContents,
    seed: u64,
) -> Result<SeedStart, ControlError> {
    let inventing = tokio::task::spawn_blocking(move || match to {
        ResetContents::Seeded => SeedStart::default_customers(wall, seed),
        ResetContents::Empty => SeedStart::empty(),
    });
    inventing.await.map_err(|error| ControlError::Broken(error.into()))
}

/// Replaces everything in the bank's tables and resets its clock.
pub(super) fn reset_bank_in(
    bank: &mut dyn BankTransaction,
    wall: Timestamp,
    start: &SeedStart,
) -> Result<(), StoreError> {
    // The clock is locked first, so that no due work runs during the reset.
    clock::lock_clock(bank, wall)?;
    bank.bank_reset()?;
    clock::store_bank_offset(bank, 0)?;
    start.put(bank)
}

/// Removes all data of customers and TPPs from the server's tables, and resets the server's copy of the clock's offset.
fn reset_server_in(server: &mut dyn ServerTransaction) -> Result<(), StoreError> {
    server.server_tables_clear()?;
    clock::store_server_offset(server, 0)
}

/// Resets bank and server in one transaction.
pub(super) async fn reset_jointly(joint: &JointStore, wall: Timestamp, start: SeedStart) -> Result<(), ControlError> {
    joint
        .write(move |tx| {
            // The bank is reset first, because its reset locks the clock.
            reset_bank_in(&mut *tx.bank(), wall, &start)?;
            reset_server_in(&mut *tx.server())
        })
        .await
        .map_err(|error: StoreError| error.into())
}

/// Resets the server, then the bank in its own process. If the server submits an order meanwhile, the order is removed with the bank's
/// data. If the reset of the bank fails, a repeated call completes the reset.
pub(super) async fn reset_both(store: &Store, bank: &dyn BankControls, to: ResetContents) -> Result<(), ControlError> {
    // If the bank does not answer, nothing is changed.
    bank.clock_offset().await?;
    store.write(|tx| reset_server_in(tx)).await?;
    bank.reset(to).await
}
