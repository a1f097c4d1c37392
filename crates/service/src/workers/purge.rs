//! Removing what has ended: tokens, codes, one-time values and journeys.

use crate::Context;
use jiff::SignedDuration;
use lombard_ports::store::StoreError;

/// How long the ended is kept, so that a question about it can be answered from the rows and not only from the logs.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Most rows of each kind one activation removes; the writer must not be held long.
const BATCH: u32 = 500;

/// Removes a batch of what ended a day ago or earlier. Returns how many rows went; none means nothing is left.
///
/// # Errors
/// [`StoreError`]; the next activation finds the same rows.
pub async fn purge(context: &Context) -> Result<u64, StoreError> {
    let before = context.clocks.wall().saturating_sub(KEPT).unwrap_or(jiff::Timestamp::MIN);
    let removed = context.store.write(move |tx| tx.ended_purge(before, BATCH)).await?;
    metrics::counter!("lombard_purged_rows_total").increment(removed);
    Ok(removed)
}
