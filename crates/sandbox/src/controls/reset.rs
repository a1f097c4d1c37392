//! A new beginning: what was is forgotten and what is to be there is stored, in one transaction.

use super::{BankClock, clock};
use crate::seed::Start;
use jiff::Timestamp;
use lombard_ports::controls::{Beginning, ControlError};
use lombard_service::Context;

/// Forgets everything and begins again at the real time, with customers that follow from this seed.
pub(super) async fn begin_anew(
    context: &Context,
    shown: &BankClock,
    to: Beginning,
    seed: u64,
) -> Result<Timestamp, ControlError> {
    let wall = context.clocks.wall();
    let inventing = tokio::task::spawn_blocking(move || match to {
        Beginning::Usual => Start::usual(wall, seed),
        Beginning::Empty => Start::empty(),
    });
    let start = inventing.await.map_err(|error| ControlError::Broken(error.into()))?;
    context
        .store
        .write(move |tx| {
            // Before anything else, so that nobody is in the middle of what is forgotten.
            clock::take(tx, wall)?;
            tx.forget_all()?;
            clock::set_right(tx)?;
            start.put(tx)
        })
        .await?;
    shown.follow().await?;
    Ok(shown.now())
}
