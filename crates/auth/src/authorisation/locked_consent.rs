//! Locks the consent of a request until the transaction ends. A consent whose deadline has passed is rejected.

use lombard_domain::consent::{Consent, NotAuthorisable};
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_ports::store::{Owned, ServerTransaction, StoreError};
use lombard_service::Context;
use lombard_service::consents::{end_authorisations_in, reject_late_consent_in};

/// Reads and locks the client's consent; `None` if the client has no such consent.
///
/// # Errors
/// [`StoreError`].
pub(super) fn lock_consent(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    consent: &ConsentId,
) -> Result<Option<Consent>, StoreError> {
    match tx.consent_for_update(client, consent)? {
        Owned::Mine(consent) => Ok(Some(consent)),
        Owned::Foreign | Owned::Absent => Ok(None),
    }
}

/// Rejects a consent whose deadline has passed, unless it was decided meanwhile, and ends its journeys. Source: PIS-037.
///
/// # Errors
/// [`StoreError`].
pub(super) fn reject_late_in(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    consent: &ConsentId,
    context: &Context,
) -> Result<(), StoreError> {
    let Some(locked) = lock_consent(tx, client, consent)? else { return Ok(()) };
    if locked.check_authorisable(context.clocks.read_bank_time(tx)?) == Err(NotAuthorisable::AfterCutOff) {
        end_authorisations_in(tx, consent, context.clocks.wall_now())?;
        reject_late_consent_in(tx, context, &locked)?;
    }
    Ok(())
}
