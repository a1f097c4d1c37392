//! Resets the sandbox: the old data is removed and the new data stored, in one transaction.

use super::{BankClock, clock};
use crate::joint::JointStore;
use crate::seed::SeedStart;
use jiff::Timestamp;
use lombard_ports::controls::{ControlError, ResetContents};
use lombard_service::Context;

/// Removes all data, resets the clock, and stores the customers of this seed.
pub(super) async fn reset_sandbox(
    context: &Context,
    joint: &JointStore,
    shown: &BankClock,
    to: ResetContents,
    seed: u64,
) -> Result<Timestamp, ControlError> {
    let wall = context.clocks.wall_now();
    let inventing = tokio::task::spawn_blocking(move || match to {
        ResetContents::Seeded => SeedStart::usual(wall, seed),
        ResetContents::Empty => SeedStart::empty(),
    });
    let start = inventing.await.map_err(|error| ControlError::Broken(error.into()))?;
    joint
        .write(move |tx| {
            // The clock is locked first, so that no due work runs during the reset.
            clock::take(tx, wall)?;
            tx.server().forget_server()?;
            tx.bank().forget_bank()?;
            clock::set_right(tx)?;
            start.put(&mut *tx.bank())
        })
        .await?;
    shown.adopt_stored_offset().await?;
    Ok(shown.now())
}
