//! Idempotency keys.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::SqlValue;
use lombard_domain::grant::Digest;
use lombard_ports::store::{IdempotencyClaim, IdempotencyStore, KeyClaim, StoreError};

statements! { "idempotency_keys" =>
    // Claims a free key, or one whose window has passed. A key in use is not changed, but the attempt locks its row, so a second claimant
    // waits until the first transaction ends and then reads its result.
    CLAIM = both(
        "INSERT INTO idempotency_keys (client_id, operation, key, body, resource, first_used_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_id, operation, key) DO UPDATE \
         SET body = excluded.body, resource = excluded.resource, first_used_at = excluded.first_used_at \
         WHERE idempotency_keys.first_used_at <= $7 RETURNING key");
    BY_KEY = both(
        "SELECT resource, body FROM idempotency_keys WHERE client_id = $1 AND operation = $2 AND key = $3 AND first_used_at > $4");
    // The condition on time is repeated in the delete: a key that is claimed again after it was selected must be kept.
    PURGE = both(
        "DELETE FROM idempotency_keys WHERE first_used_at < $1 AND (client_id, operation, key) IN \
         (SELECT client_id, operation, key FROM idempotency_keys WHERE first_used_at < $1 LIMIT $2)");
}

impl IdempotencyStore for Rows<'_, '_> {
    fn idempotency_claim(&mut self, claim: &KeyClaim<'_>) -> Result<IdempotencyClaim, StoreError> {
        if let Some(operation) = claim.other_operation
            && let Some(earlier) = self.use_of(claim, operation)?
        {
            return Ok(judge(claim, earlier));
        }
        if !self.all_changed(&CLAIM, &claim_parameters(claim), |_| Ok(()))?.is_empty() {
            return Ok(IdempotencyClaim::New);
        }
        let operation = &claim.key.operation;
        let earlier = self.use_of(claim, operation)?;
        earlier.map(|earlier| judge(claim, earlier)).ok_or_else(|| self.no_row(&BY_KEY, operation))
    }

    fn idempotency_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.execute(&PURGE, &[before.into(), i64::from(limit).into()])
    }
}

impl Rows<'_, '_> {
    /// The use of a key for an operation within its window: the resource and the digest of the body.
    fn use_of(&mut self, claim: &KeyClaim<'_>, operation: &str) -> Result<Option<(String, Digest)>, StoreError> {
        let KeyClaim { key, window_start, .. } = claim;
        let parameters = [(&key.client).into(), operation.into(), (&key.key).into(), (*window_start).into()];
        self.one(&BY_KEY, &parameters, |row| Ok((row.id()?, row.digest()?)))
    }
}

/// The result of a claim if the key was used for a resource by a request with this body.
fn judge(claim: &KeyClaim<'_>, (resource, body): (String, Digest)) -> IdempotencyClaim {
    if body == *claim.body { IdempotencyClaim::Replay { resource } } else { IdempotencyClaim::Mismatch }
}

/// The columns of a claimed key, and the start of the window.
pub(crate) fn claim_parameters<'a>(claim: &KeyClaim<'a>) -> [SqlValue<'a>; 7] {
    let KeyClaim { key, body, resource, now, window_start, .. } = *claim;
    [
        (&key.client).into(),
        (&key.operation).into(),
        (&key.key).into(),
        (*body).into(),
        resource.into(),
        now.into(),
        window_start.into(),
    ]
}
