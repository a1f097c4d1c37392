//! Idempotency keys.

use crate::consents::{self, FoundConsent};
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::both;
use lombard_database::value::SqlValue;
use lombard_database::{Query, assumed, statements};
use lombard_domain::consent::Consent;
use lombard_domain::grant::Digest;
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
        "SELECT resource, body FROM idempotency_keys WHERE client_id = $1 AND operation = $2 AND key = $3 AND first_used_at > $4");
    RELEASE = both("DELETE FROM idempotency_keys WHERE client_id = $1 AND operation = $2 AND key = $3");
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
        let (mut is_new, mut other, mut found) = (false, None, FoundConsent::default());
        let own = Query::new(&CLAIM, claim.parameters());
        let [row, accounts] = FoundConsent::queries(consents::LOCKED, consent);
        // Transactions that assume both claim the key before they lock the consent. Where the key of another operation counts, nothing is
        // assumed, and the consent is locked first.
        let (queries, consent_at) = match claim.other_operation {
            None => (vec![own, row, accounts], 1_usize),
            Some(operation) => {
                let earlier = Query::new(&BY_KEY, claim.use_of(operation));
                (vec![row, accounts, earlier, own], 0)
            }
        };
        self.change_together(&queries, |number, row| match number.checked_sub(consent_at) {
            Some(number @ 0..=1) => found.take(number, row),
            Some(2) => {
                other = Some((row.id()?, row.digest()?));
                Ok(())
            }
            _ => {
                is_new = true;
                Ok(())
            }
        })?;
        let consent = self.hold(owner, found.consent());
        let claimed = match (is_new, other) {
            (true, None) => IdempotencyClaim::New,
            (true, Some(earlier)) => {
                let key = claim.key;
                self.execute(&RELEASE, &[(&key.client).into(), (&key.operation).into(), (&key.key).into()])?;
                claim.judge(earlier)
            }
            (false, _) => self.earlier_use(claim)?,
        };
        Ok((claimed, consent))
    }

    fn idempotency_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.execute(&PURGE, &[before.into(), i64::from(limit).into()])
    }
}

impl Rows<'_, '_> {
    /// What a key is in use for that could not be claimed.
    fn earlier_use(&mut self, claim: &KeyClaim<'_>) -> Result<IdempotencyClaim, StoreError> {
        let operation = &claim.key.operation;
        let found = self.one(&BY_KEY, &claim.use_of(operation), |row| Ok((row.id()?, row.digest()?)))?;
        found.map(|earlier| claim.judge(earlier)).ok_or_else(|| self.no_row(&BY_KEY, operation))
    }
}

/// What a claim asks of storage.
trait ClaimParameters {
    /// The parameters of `CLAIM`.
    fn parameters(&self) -> [SqlValue<'_>; 7];
    /// The parameters of `BY_KEY`, of the key under an operation.
    fn use_of<'a>(&'a self, operation: &'a str) -> [SqlValue<'a>; 4];
    /// What the claim comes to if the key is in use for a resource, by a request with this body.
    fn judge(&self, earlier: (String, Digest)) -> IdempotencyClaim;
}

impl ClaimParameters for KeyClaim<'_> {
    fn use_of<'a>(&'a self, operation: &'a str) -> [SqlValue<'a>; 4] {
        [(&self.key.client).into(), operation.into(), (&self.key.key).into(), self.window_start.into()]
    }

    fn judge(&self, (resource, body): (String, Digest)) -> IdempotencyClaim {
        if body == *self.body { IdempotencyClaim::Replay { resource } } else { IdempotencyClaim::Mismatch }
    }

    fn parameters(&self) -> [SqlValue<'_>; 7] {
        let Self { key, body, resource, now, window_start, .. } = *self;
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
