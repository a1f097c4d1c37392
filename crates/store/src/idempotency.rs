//! Idempotency keys.

use crate::consents::{self, FoundConsent};
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::both;
use lombard_database::value::SqlValue;
use lombard_database::{Query, assumed, statements};
use lombard_domain::consent::Consent;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_ports::store::{IdempotencyClaim, IdempotencyStore, KeyClaim, Owned, StoreError};

/// Claims a free key, or one whose window has passed. A key in use is not changed, but the attempt locks its row, so a second claimant
/// waits until the first transaction ends and then reads its result.
macro_rules! claim {
    () => {
        "INSERT INTO idempotency_keys (client_id, operation, key, body, resource, first_used_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_id, operation, key) DO UPDATE \
         SET body = excluded.body, resource = excluded.resource, first_used_at = excluded.first_used_at \
         WHERE idempotency_keys.first_used_at <= $7 RETURNING key"
    };
}

statements! { "idempotency_keys" =>
    CLAIM = both(claim!());
    CLAIM_ASSUMED = assumed!(claim!());
    BY_KEY = both(
        "SELECT resource, body FROM idempotency_keys WHERE client_id = $1 AND operation = $2 AND key = $3");
    // The condition on time is repeated in the delete: a key that is claimed again after it was selected must be kept.
    PURGE = both(
        "DELETE FROM idempotency_keys WHERE first_used_at < $1 AND (client_id, operation, key) IN \
         (SELECT client_id, operation, key FROM idempotency_keys WHERE first_used_at < $1 LIMIT $2)");
}

impl IdempotencyStore for Rows<'_, '_> {
    fn idempotency_claim(&mut self, claim: &KeyClaim<'_>) -> Result<IdempotencyClaim, StoreError> {
        if !self.all_changed(&CLAIM, &claim.parameters(), |_| Ok(()))?.is_empty() {
            return Ok(IdempotencyClaim::New);
        }
        self.earlier_use(claim)
    }

    fn idempotency_assume(&mut self, claim: &KeyClaim<'_>, known: Option<&Consent>) -> Result<bool, StoreError> {
        if !self.may_assume() {
            return Ok(false);
        }
        self.owned_by(claim.key.client.as_str());
        self.assume(&CLAIM_ASSUMED, &claim.parameters())?;
        if let Some(known) = known {
            self.hold_assumed(known)?;
        }
        Ok(true)
    }

    fn idempotency_claim_under(
        &mut self,
        claim: &KeyClaim<'_>,
        owner: &ClientId,
        consent: &ConsentId,
    ) -> Result<(IdempotencyClaim, Owned<Consent>), StoreError> {
        let (mut is_new, mut found) = (false, FoundConsent::default());
        let mut queries = vec![Query::new(&CLAIM, claim.parameters())];
        queries.extend(FoundConsent::queries(consents::LOCKED, consent));
        self.change_together(&queries, |number, row| match number.checked_sub(1) {
            None => {
                is_new = true;
                Ok(())
            }
            Some(number) => found.take(number, row),
        })?;
        let consent = self.hold(owner, found.consent());
        Ok((if is_new { IdempotencyClaim::New } else { self.earlier_use(claim)? }, consent))
    }

    fn idempotency_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.execute(&PURGE, &[before.into(), i64::from(limit).into()])
    }
}

impl Rows<'_, '_> {
    /// What a key is in use for that could not be claimed.
    fn earlier_use(&mut self, claim: &KeyClaim<'_>) -> Result<IdempotencyClaim, StoreError> {
        let KeyClaim { key, body, .. } = claim;
        let name = [(&key.client).into(), (&key.operation).into(), (&key.key).into()];
        match self.one(&BY_KEY, &name, |row| Ok((row.id::<String>()?, row.digest()?)))? {
            Some((_, earlier)) if earlier != **body => Ok(IdempotencyClaim::Mismatch),
            Some((resource, _)) => Ok(IdempotencyClaim::Replay { resource }),
            None => Err(self.no_row(&BY_KEY, &key.operation)),
        }
    }
}

/// The parameters of `CLAIM`.
trait ClaimParameters {
    fn parameters(&self) -> [SqlValue<'_>; 7];
}

impl ClaimParameters for KeyClaim<'_> {
    fn parameters(&self) -> [SqlValue<'_>; 7] {
        let Self { key, body, resource, now, window_start } = *self;
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
}
