//! Checks new consents against the quota of their client. Source: RW-279.

use crate::context::{COUNTED_FOR, RETRY_SECS};
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::ids::ClientId;
use lombard_domain::refusal::{Refusal, RefusalKind};

/// Counts one more consent of a client against the client's quota.
///
/// # Errors
/// [`RefusalKind::LimitReached`] if the client has reached its quota; otherwise storage's failure.
pub(crate) async fn admit_consent(context: &Context, client: &ClientId) -> Result<(), Failure> {
    let (quota, now) = (&context.payments.consent_quota, context.clocks.wall_now());
    let admitted = match quota.judge_known(client, now) {
        Some(admitted) => admitted,
        None => {
            let since = context.clocks.bank_now().saturating_sub(COUNTED_FOR).unwrap_or(Timestamp::MIN);
            let (counted_client, most) = (client.clone(), quota.max());
            let count = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
                tx.consents_undecided_count(&counted_client, since, most)
            };
            quota.judge_counted(client, context.store.read(count).await?, now)
        }
    };
    if admitted {
        return Ok(());
    }
    metrics::counter!("lombard_consents_refused_total").increment(1);
    Err(Refusal::from_kind(RefusalKind::LimitReached { retry_after_secs: RETRY_SECS }).into())
}
