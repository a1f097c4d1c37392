//! Ends consents, orders or uploads, each in a separate transaction.

use super::quarantine::{is_permanent, quarantine_work};
use crate::{Context, Failure};
use lombard_ports::store::{FailedWork, ServerTransaction, StoreError, WorkKind};

/// Ends each of these in a separate transaction; `end` returns whether there was anything to end. Work that fails permanently is
/// quarantined; other failures are logged and counted, and the next activation finds the same rows. Returns the number that were
/// ended or quarantined.
///
/// # Errors
/// [`StoreError`] when the quarantine cannot be written.
pub(crate) async fn end_each<I: Clone + Send + AsRef<str> + 'static>(
    context: &Context,
    kind: WorkKind,
    ids: Vec<I>,
    end: fn(&mut dyn ServerTransaction, &Context, &I) -> Result<bool, Failure>,
) -> Result<usize, StoreError> {
    let (mut ended, mut failed) = (0_usize, Vec::new());
    for id in ids {
        let (inside, it) = (context.clone(), id.clone());
        match context.store.write(move |tx| end(tx, &inside, &it)).await {
            Ok(done) => ended = ended.saturating_add(usize::from(done)),
            Err(failure) if is_permanent(&failure) => failed.push(FailedWork::new(kind, id.as_ref(), &failure)),
            Err(failure) => {
                tracing::warn!(
                    work.kind = kind.name(),
                    work.subject = id.as_ref(),
                    error = &failure as &dyn std::error::Error,
                    "a row whose time had run out was not ended"
                );
                metrics::counter!("lombard_payment_upkeep_failures_total").increment(1);
            }
        }
    }
    Ok(ended.saturating_add(quarantine_work(&context.store, &context.clocks, failed).await?))
}
