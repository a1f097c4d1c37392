//! A request object is answered once.

use super::claims::RequestObjectClaims;
use crate::claims::NumericDate;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::ClientId;
use lombard_ports::store::{GrantStore, ReplayPurpose, StoreError};

/// The longest a request object can live from now: a window of an hour that starts up to a minute ahead. AS-073.
const LIFETIME_MAX: SignedDuration = SignedDuration::from_secs(3_660);

/// What an answered request object is remembered by, until it expires by itself. Source: AS-080.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestObjectUse {
    value: String,
    until: Timestamp,
}

impl RequestObjectUse {
    /// Of these claims: the `jti`, or else the nonce. `None` if the object has neither, or no time left: then it can
    /// never be answered with a code, and nothing needs remembering. A pushed object is remembered at least as long
    /// as it can be referred to.
    pub(super) fn of(claims: &RequestObjectClaims, now: Timestamp, referable_until: Option<Timestamp>) -> Option<Self> {
        let (kind, text) = match claims.value("jti").and_then(|jti| jti.as_str()) {
            Some(jti) => ("jti", jti),
            None => ("nonce", claims.value("nonce")?.as_str()?),
        };
        let exp: NumericDate = serde_json::from_value(claims.value("exp")?.clone()).ok()?;
        let until = Timestamp::from_second(exp.0).ok()?.min(now.saturating_add(LIFETIME_MAX).ok()?);
        let until = referable_until.map_or(until, |referable| referable.max(until));
        // Hashed, because the client chooses the length.
        let digest = lombard_jose::sha256(format!("{kind}:{text}").as_bytes());
        (until > now).then(|| Self { value: lombard_jose::base64url(&digest.0), until })
    }

    /// What was remembered of a journey's request.
    pub(crate) fn remembered(value: String, until: Timestamp) -> Self {
        Self { value, until }
    }

    /// The value it is remembered by, meaningless by itself.
    pub(crate) fn value(&self) -> &str {
        &self.value
    }

    /// Until when it must be remembered (wall clock).
    pub(crate) fn until(&self) -> Timestamp {
        self.until
    }

    /// Marks it as answered. `false` if it was answered before.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn spend<S: GrantStore + ?Sized>(&self, store: &mut S, client: &ClientId) -> Result<bool, StoreError> {
        store.replay_claim(client, ReplayPurpose::RequestObject, &self.value, self.until)
    }

    /// Whether it was answered.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn is_spent<S: GrantStore + ?Sized>(
        &self,
        store: &mut S,
        client: &ClientId,
    ) -> Result<bool, StoreError> {
        store.replay_claimed(client, ReplayPurpose::RequestObject, &self.value)
    }
}
