//! Answers a pending backchannel request when a tester of a sandbox has decided its consent.

use crate::authorisation::approval::approve_backchannel_in;
use crate::authorisation::journey::StoredRequest;
use crate::authorisation::rules::OneTimeUse;
use lombard_domain::consent::Consent;
use lombard_domain::grant::{Grant, GrantSubject};
use lombard_domain::ids::PsuId;
use lombard_domain::scope::Scopes;
use lombard_ports::store::{ServerTransaction, StoreError};
use lombard_service::Context;

/// Answers the backchannel request that waits for this consent, if there is one, as the customer's decision would: the client can fetch
/// tokens, or learns that access was denied. The caller must have locked the consent and calls this in the transaction that decides it.
/// Returns `false`, and stores nothing, if the client asks another customer.
///
/// Source: AS-160 to AS-162.
///
/// # Errors
/// [`StoreError`]; [`StoreError::Corrupt`] also if the stored request cannot be read.
pub fn answer_waiting_request_in(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    consent: &Consent,
    psu: &PsuId,
    is_approved: bool,
) -> Result<bool, StoreError> {
    let now = context.clocks.wall_now();
    let Some(waiting) = tx.backchannel_live_of_consent(&consent.id, now)? else { return Ok(true) };
    let Some(mut request) = tx.backchannel_for_update(&waiting.hash)? else { return Ok(true) };
    if request.psu.as_ref().is_some_and(|asked| asked != psu) {
        return Ok(false);
    }
    request.psu = Some(psu.clone());
    tx.backchannel_update(&request)?;
    // This denies the request and notifies its client; the approval below replaces the denial.
    if !OneTimeUse::Backchannel(request.hash).spend(tx, &request.client, context)? || !is_approved {
        return Ok(true);
    }
    let id = request.id;
    let unreadable = |source| StoreError::Corrupt { table: "backchannel_requests", id: id.as_str().to_owned(), source };
    let stored = StoredRequest::read(&request.request).map_err(|error| unreadable(error.into()))?;
    let grant = Grant {
        id: context.ids.ordered(),
        client: request.client,
        subject: GrantSubject::Psu { psu: psu.clone(), consent: consent.id.clone() },
        scopes: Scopes::parse(&stored.scope).map_err(|error| unreadable(error.into()))?,
        auth_time: Some(now),
        acr: Some(stored.acr),
        nonce: stored.nonce,
        created_at: now,
        revoked_at: None,
        epoch: 0,
    };
    tx.grant_insert(&grant)?;
    approve_backchannel_in(tx, &request.hash, &grant.id, context)?;
    Ok(true)
}
