//! Idempotency: a request with the same key and body is executed once. Source: section 2.6.

use crate::Failure;
use crate::payments::PaymentSettings;
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_ports::store::{IdempotencyClaim, IdempotencyKey, KeyClaim, Owned, ServerTransaction};

/// The idempotency key and the body digest by which a repeated request is recognised. Source: PIS-062, PIS-065.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// Client, operation and the key the client chose.
    pub key: IdempotencyKey,
    /// The digest of the canonical body, or of the raw file.
    pub body_digest: Digest,
}

impl IdempotentRequest {
    /// Returns the id of the resource that an earlier request with this key and body created or changed. Otherwise claims the key for
    /// this resource, which must be created or changed in the same transaction; a concurrent caller waits for that transaction. Source: PIS-061,
    /// PIS-064, PIS-069.
    ///
    /// # Errors
    /// [`Failure::Refused`] when the key came with another body (PIS-066).
    pub(super) fn claim_key(
        &self,
        tx: &mut dyn ServerTransaction,
        settings: &PaymentSettings,
        now: Timestamp,
        resource: &str,
    ) -> Result<Option<String>, Failure> {
        let claim = self.claim(settings, now, resource);
        if tx.idempotency_assume(&claim, None)? {
            return Ok(None);
        }
        earlier_resource(tx.idempotency_claim(&claim)?)
    }

    /// As [`Self::claim_key`], with the consent that the request acts under and updates, of which all is of one moment: as it is known, if
    /// the transaction may assume it.
    ///
    /// # Errors
    /// As [`Self::claim_key`].
    pub(super) fn claim_key_updating(
        &self,
        tx: &mut dyn ServerTransaction,
        settings: &PaymentSettings,
        now: Timestamp,
        resource: &str,
        known: &Consent,
    ) -> Result<(Option<String>, Owned<Consent>), Failure> {
        if tx.idempotency_assume(&self.claim(settings, now, resource), Some(known))? {
            return Ok((None, Owned::Mine(known.clone())));
        }
        self.claim_key_under(tx, settings, now, resource, (&known.client, &known.id))
    }

    /// As [`Self::claim_key`], and locks the consent that the request acts under, in the same round trip.
    ///
    /// # Errors
    /// As [`Self::claim_key`].
    pub(super) fn claim_key_under(
        &self,
        tx: &mut dyn ServerTransaction,
        settings: &PaymentSettings,
        now: Timestamp,
        resource: &str,
        (client, consent): (&ClientId, &ConsentId),
    ) -> Result<(Option<String>, Owned<Consent>), Failure> {
        let (claimed, consent) = tx.idempotency_claim_under(&self.claim(settings, now, resource), client, consent)?;
        Ok((earlier_resource(claimed)?, consent))
    }

    fn claim<'a>(&'a self, settings: &PaymentSettings, now: Timestamp, resource: &'a str) -> KeyClaim<'a> {
        let window_start = now.saturating_sub(settings.idempotency_window).unwrap_or(Timestamp::MIN);
        KeyClaim { key: &self.key, body: &self.body_digest, resource, now, window_start }
    }
}

/// The resource that an earlier request with this key and body created.
fn earlier_resource(claimed: IdempotencyClaim) -> Result<Option<String>, Failure> {
    match claimed {
        IdempotencyClaim::New => Ok(None),
        IdempotencyClaim::Replay { resource } => Ok(Some(resource)),
        IdempotencyClaim::Mismatch => Err(Refusal::from_kind(RefusalKind::IdempotencyKeyReused).into()),
    }
}
