//! Idempotency: a request with the same key and body is executed once. Source: section 2.6.

use crate::Failure;
use crate::context::PaymentSettings;
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::{IdempotencyClaim, IdempotencyKey, KeyClaim, ServerTransaction};

/// The idempotency key and the body digest by which a repeated request is recognised. Source: PIS-062, PIS-065.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The client, the operation, and the key that the client chose.
    pub key: IdempotencyKey,
    /// The digest of the canonical body, or of the raw file.
    pub body_digest: Digest,
}

impl IdempotentRequest {
    /// Returns the id of the resource that an earlier request with this key and body created or changed. Otherwise claims the key
    /// for this resource, which must be created or changed in the same transaction; a concurrent caller waits for that
    /// transaction. Source: PIS-061, PIS-064, PIS-069.
    ///
    /// # Errors
    /// [`Failure::Refused`] if the key was used with another body (PIS-066).
    pub(super) fn claim_key(
        &self,
        tx: &mut dyn ServerTransaction,
        settings: &PaymentSettings,
        now: Timestamp,
        resource: &str,
    ) -> Result<Option<String>, Failure> {
        earlier_resource(tx.idempotency_claim(&self.claim(settings, now, resource))?)
    }

    /// Like [`Self::claim_key`], for a VRP payment whose consent is locked. The key also counts as used if a payment was created
    /// with it through another version. A VRP consent allows many payments, so nothing else would prevent the second one. Source:
    /// RW-185, V4-025.
    ///
    /// # Errors
    /// As [`Self::claim_key`].
    pub(super) fn claim_vrp_key(
        &self,
        tx: &mut dyn ServerTransaction,
        settings: &PaymentSettings,
        now: Timestamp,
        resource: &str,
        version: Version,
    ) -> Result<Option<String>, Failure> {
        let other = in_other_version(&self.key.operation, version);
        let claim = KeyClaim { other_operation: other.as_deref(), ..self.claim(settings, now, resource) };
        earlier_resource(tx.idempotency_claim(&claim)?)
    }

    /// The claim of the key for this resource.
    pub(super) fn claim<'a>(&'a self, settings: &PaymentSettings, now: Timestamp, resource: &'a str) -> KeyClaim<'a> {
        let window_start = now.saturating_sub(settings.idempotency_window).unwrap_or(Timestamp::MIN);
        KeyClaim { key: &self.key, body: &self.body_digest, resource, now, window_start, other_operation: None }
    }
}

/// The name in the other version of an operation of one version.
fn in_other_version(operation: &str, version: Version) -> Option<String> {
    let other = Version::ALL.into_iter().find(|known| *known != version)?;
    let [from, to] = [version, other].map(|version| format!("/{}/", version.segment()));
    Some(operation.replacen(&from, &to, 1))
}

/// The resource that an earlier request with this key and body created.
fn earlier_resource(claimed: IdempotencyClaim) -> Result<Option<String>, Failure> {
    match claimed {
        IdempotencyClaim::New => Ok(None),
        IdempotencyClaim::Replay { resource } => Ok(Some(resource)),
        IdempotencyClaim::Mismatch => Err(Refusal::from_kind(RefusalKind::IdempotencyKeyReused).into()),
    }
}
