//! The rule that a request is answered only once.

use super::claims::RequestObjectClaims;
use crate::claims::NumericDate;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::backchannel::{BackchannelRequest, BackchannelState};
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;
use lombard_domain::job::Job;
use lombard_ports::store::{BackchannelStore, GrantStore, JobQueue, ReplayPurpose, StoreError};
use lombard_service::Context;

/// The kind of job that notifies a client of an answered backchannel request; its subject is the request's id.
pub(crate) const NOTIFICATION_JOB_KIND: &str = "backchannel-notification";

/// The longest remaining lifetime of a request object: an hour that starts up to a minute ahead. Source: AS-073.
const LIFETIME_MAX: SignedDuration = SignedDuration::from_secs(3_660);

/// The record of use that lets a request be answered only once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OneTimeUse {
    /// A request object or a pushed request. A value is remembered until the request expires. Source: AS-080.
    Object {
        /// The value to remember: a digest.
        value: String,
        /// Until when the value must be remembered (wall clock).
        until: Timestamp,
    },
    /// A backchannel request, by the hash of its `auth_req_id`. Its row holds the state. Source: AS-162.
    Backchannel(Digest),
}

impl OneTimeUse {
    /// Makes the record from the `jti` of these claims, or else from the nonce. `None` if the object has neither or has expired: it can
    /// then never be answered with a code, so nothing need be remembered. A pushed object is remembered at least as long as its reference
    /// works.
    pub(crate) fn of(claims: &RequestObjectClaims, now: Timestamp, referable_until: Option<Timestamp>) -> Option<Self> {
        let (kind, text) = match claims.value("jti").and_then(|jti| jti.as_str()) {
            Some(jti) => ("jti", jti),
            None => ("nonce", claims.value("nonce")?.as_str()?),
        };
        let exp: NumericDate = serde_json::from_value(claims.value("exp")?.clone()).ok()?;
        let until = Timestamp::from_second(exp.0).ok()?.min(now.saturating_add(LIFETIME_MAX).ok()?);
        let until = referable_until.map_or(until, |referable| referable.max(until));
        // The value is hashed, because the client chooses its length.
        let digest = lombard_jose::sha256(format!("{kind}:{text}").as_bytes());
        (until > now).then(|| Self::Object { value: lombard_jose::base64url(&digest.0), until })
    }

    /// Makes the record from the reference of a pushed request that has neither `jti` nor nonce.
    pub(crate) fn of_reference(reference: &Digest, until: Timestamp) -> Self {
        let value = format!("reference:{}", lombard_jose::base64url(&reference.0));
        Self::Object { value: lombard_jose::base64url(&lombard_jose::sha256(value.as_bytes()).0), until }
    }

    /// The hash of the `auth_req_id`, if this is a backchannel request.
    pub(crate) const fn backchannel(&self) -> Option<&Digest> {
        match self {
            Self::Object { .. } => None,
            Self::Backchannel(hash) => Some(hash),
        }
    }

    /// Marks the request as answered. A backchannel request is thereby denied, unless the same transaction approves it, and its client is
    /// notified if it registered for that. Returns `false` if the request was answered before or has expired.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn spend<S: GrantStore + BackchannelStore + JobQueue + ?Sized>(
        &self,
        store: &mut S,
        client: &ClientId,
        context: &Context,
    ) -> Result<bool, StoreError> {
        let hash = match self {
            Self::Object { value, until } => {
                return store.one_time_value_claim(client, ReplayPurpose::RequestObject, value, *until);
            }
            Self::Backchannel(hash) => hash,
        };
        let now = context.clocks.wall_now();
        let Some(request) = deny_backchannel_in(store, hash, client, now)? else { return Ok(false) };
        if request.notification.is_some() {
            store.job_enqueue(&Job::new(context.ids.ordered(), NOTIFICATION_JOB_KIND, request.id.as_str(), now))?;
        }
        Ok(true)
    }

    /// Whether the request was answered.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn is_spent<S: GrantStore + ?Sized>(
        &self,
        store: &mut S,
        client: &ClientId,
    ) -> Result<bool, StoreError> {
        match self {
            Self::Object { value, .. } => store.one_time_value_is_claimed(client, ReplayPurpose::RequestObject, value),
            // The row of the request is locked and checked with the answer.
            Self::Backchannel(_) => Ok(false),
        }
    }
}

/// Denies a pending backchannel request, without a notification of its client. `None` if it was answered before or has expired.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn deny_backchannel_in<S: BackchannelStore + ?Sized>(
    store: &mut S,
    hash: &Digest,
    client: &ClientId,
    now: Timestamp,
) -> Result<Option<BackchannelRequest>, StoreError> {
    let found = store.backchannel_for_update(hash)?;
    let Some(mut request) = found.filter(|request| request.client == *client && request.is_live(now)) else {
        return Ok(None);
    };
    request.state = BackchannelState::Denied;
    store.backchannel_update(&request)?;
    Ok(Some(request))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn as_080_as_152_an_object_is_remembered_as_long_as_it_can_be_answered() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let of = |claims: Value, referable: Option<i64>| {
            let claims = RequestObjectClaims(claims.as_object().unwrap().clone());
            OneTimeUse::of(&claims, at(1_000), referable.map(at)).map(|request_use| match request_use {
                OneTimeUse::Object { value, until } => (value, until),
                OneTimeUse::Backchannel(_) => panic!("a request object is no backchannel request"),
            })
        };
        for (exp, referable, until) in [
            (999, None, None),
            (1_000, None, None),
            (1_001, None, Some(1_001)),
            (9_999_999, None, Some(4_660)),
            (1_001, Some(1_060), Some(1_060)),
            (1_100, Some(1_060), Some(1_100)),
            (1_000, Some(1_000), None),
        ] {
            let found = of(json!({"jti": "j", "nonce": "n", "exp": exp}), referable);
            assert_eq!(found.map(|(_, until)| until), until.map(at), "{exp} {referable:?}");
        }
        let (jti, nonce) = (of(json!({"jti": "x", "exp": 1_001}), None), of(json!({"nonce": "x", "exp": 1_001}), None));
        assert_ne!(jti.unwrap().0, nonce.unwrap().0, "a jti is no nonce");
        assert_eq!((of(json!({"exp": 1_001}), None), of(json!({"jti": "j"}), None)), (None, None));
    }
}
