//! Checks the token of a push: signature, issuer, audience and times.

use jiff::Timestamp;
use lombard_core_api::ErrorCode;
use lombard_core_api::calls::{PUSH_LIFETIME_SECS_MAX, PUSH_TYPE, PushedUpdates, read_message};
use lombard_core_api::form::faults::FormFault;
use lombard_jose::{CompactJws, KeySet};

/// How far the clocks of core and server may differ, in seconds.
const SKEW_SECS: i64 = 5;

/// Why a push is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PushRefusal {
    /// The request has another media type.
    MediaType,
    /// The body is not a compact JWS.
    Malformed,
    /// The `typ` of the header is wrong.
    Type,
    /// The signature is not one of a known key, or uses another algorithm.
    Signature,
    /// A known key signed the push, but its claims cannot be parsed.
    Unreadable(Vec<FormFault>),
    /// The push is for another server.
    Audience,
    /// The push has expired.
    Expired,
    /// The expiry of the push is too far in the future.
    TooLong,
    /// The push is not valid yet.
    NotYet,
    /// The id of the push was used before.
    Replayed,
}

impl PushRefusal {
    /// Whether a known key has signed the refused push.
    pub(super) const fn is_of_a_signed_push(&self) -> bool {
        match self {
            Self::MediaType | Self::Malformed | Self::Type | Self::Signature => false,
            Self::Unreadable(_) | Self::Audience | Self::Expired | Self::TooLong | Self::NotYet | Self::Replayed => {
                true
            }
        }
    }

    /// The error code and message for the caller.
    pub(super) const fn code_and_message(&self) -> (ErrorCode, &'static str) {
        match self {
            Self::MediaType => (ErrorCode::Invalid, "The body must be application/jose."),
            Self::Malformed => (ErrorCode::Invalid, "The body is not a compact JWS."),
            Self::Unreadable(_) => (ErrorCode::Invalid, "The claims cannot be read."),
            Self::Type => (ErrorCode::Untrusted, "The header's typ must be status-updates+jwt."),
            Self::Signature => (ErrorCode::Untrusted, "No known key has signed this with PS256 or ES256."),
            Self::Audience => (ErrorCode::Untrusted, "The token is for another server: aud must be this one's issuer."),
            Self::Expired => (ErrorCode::Untrusted, "The token has expired."),
            Self::TooLong => (ErrorCode::Untrusted, "The token expires more than 300 seconds after its issue."),
            Self::NotYet => (ErrorCode::Untrusted, "The token was issued in the future."),
            Self::Replayed => (ErrorCode::Untrusted, "The id of this token was used before."),
        }
    }
}

/// Parses a push and checks that one of these keys signed it for this issuer and that it is valid now (wall clock).
pub(super) fn read_push(
    body: &[u8],
    keys: &KeySet,
    issuer: &str,
    now: Timestamp,
) -> Result<PushedUpdates, PushRefusal> {
    let text = std::str::from_utf8(body).map_err(|_| PushRefusal::Malformed)?;
    let jws = CompactJws::parse(text.trim_ascii()).map_err(|_| PushRefusal::Malformed)?;
    if jws.header().typ.as_deref() != Some(PUSH_TYPE) {
        return Err(PushRefusal::Type);
    }
    jws.verify_ps256_or_es256(keys).map_err(|_| PushRefusal::Signature)?;
    let push: PushedUpdates = read_message(jws.payload()).map_err(PushRefusal::Unreadable)?;
    let now = now.as_second();
    if push.audience != issuer {
        return Err(PushRefusal::Audience);
    }
    if push.expires_at.saturating_add(SKEW_SECS) <= now {
        return Err(PushRefusal::Expired);
    }
    if push.issued_at > now.saturating_add(SKEW_SECS) {
        return Err(PushRefusal::NotYet);
    }
    if push.expires_at > push.issued_at.saturating_add(PUSH_LIFETIME_SECS_MAX) {
        return Err(PushRefusal::TooLong);
    }
    Ok(push)
}

/// Until when the id of a push is remembered, which is as long as the push is accepted.
pub(super) fn end_of(push: &PushedUpdates) -> Timestamp {
    Timestamp::from_second(push.expires_at.saturating_add(SKEW_SECS)).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_core_api::calls::write_message;
    use lombard_domain::ids::KeyId;
    use lombard_jose::{JoseHeader, SigningKey, sign_compact};
    use lombard_ports::bank::{OrderUpdate, StatusUpdate};

    const ISSUER: &str = "https://bank.example";
    const NOW: i64 = 1_800_000_000;

    fn now() -> Timestamp {
        Timestamp::from_second(NOW).unwrap()
    }

    fn push() -> PushedUpdates {
        let update =
            StatusUpdate { order: "o".into(), number: 1, at: Timestamp::UNIX_EPOCH, change: OrderUpdate::Warehoused };
        PushedUpdates {
            issuer: "core".to_owned(),
            audience: ISSUER.to_owned(),
            issued_at: NOW,
            expires_at: NOW + PUSH_LIFETIME_SECS_MAX,
            id: "1".to_owned(),
            updates: vec![update],
        }
    }

    struct Signer(SigningKey);

    impl Signer {
        fn new() -> Self {
            Self(SigningKey::generate().unwrap().with_id(KeyId::from("k")))
        }

        fn keys(&self) -> KeySet {
            let jwk = self.0.public().to_jwk(&[]);
            KeySet::parse(&serde_json::json!({ "keys": [jwk] }).to_string()).unwrap()
        }

        fn sign(&self, typ: &str, payload: &[u8]) -> Vec<u8> {
            let header = JoseHeader::ps256(self.0.id()).typ(typ);
            sign_compact(&self.0, &header, payload).unwrap().into_bytes()
        }
    }

    #[test]
    fn only_what_a_known_key_signed_for_this_server_and_now_is_taken() {
        let core = Signer::new();
        let other = Signer::new();
        let keys = core.keys();
        let read = |body: &[u8]| read_push(body, &keys, ISSUER, now());
        let judged = |push: &PushedUpdates| read(&core.sign(PUSH_TYPE, &write_message(push)));
        assert_eq!(judged(&push()), Ok(push()));
        let payload = write_message(&push());
        assert_eq!(read(&other.sign(PUSH_TYPE, &payload)), Err(PushRefusal::Signature), "another key");
        assert_eq!(read(&core.sign("JWT", &payload)), Err(PushRefusal::Type));
        let mut changed = core.sign(PUSH_TYPE, &payload);
        let last = changed.len() - 3;
        changed[last] ^= 1;
        assert!(matches!(read(&changed), Err(PushRefusal::Signature | PushRefusal::Malformed)));
        let header = lombard_jose::base64url(format!(r#"{{"alg":"none","typ":"{PUSH_TYPE}"}}"#).as_bytes());
        let unsigned = format!("{header}.{}.", lombard_jose::base64url(&payload));
        assert_eq!(read(unsigned.as_bytes()), Err(PushRefusal::Signature), "alg none");
        assert_eq!(read(b"{}"), Err(PushRefusal::Malformed));
        assert_eq!(read(b"\xff.a.b"), Err(PushRefusal::Malformed));
        assert!(
            matches!(read(&core.sign(PUSH_TYPE, b"{\"iss\":\"core\"}")), Err(PushRefusal::Unreadable(faults)) if !faults.is_empty())
        );

        let with = |change: fn(&mut PushedUpdates)| {
            let mut push = push();
            change(&mut push);
            judged(&push).map(drop)
        };
        assert_eq!(with(|it| it.audience = "https://other.example".to_owned()), Err(PushRefusal::Audience));
        assert_eq!(with(|it| it.expires_at = NOW + PUSH_LIFETIME_SECS_MAX + 1), Err(PushRefusal::TooLong));
        assert_eq!(with(|it| it.issued_at = NOW + SKEW_SECS), Ok(()));
        assert_eq!(with(|it| it.issued_at = NOW + SKEW_SECS + 1), Err(PushRefusal::NotYet));
        let aged = |secs: i64| {
            let mut push = push();
            push.issued_at = NOW - PUSH_LIFETIME_SECS_MAX - secs;
            push.expires_at = NOW - secs;
            judged(&push).map(drop)
        };
        assert_eq!(aged(SKEW_SECS - 1), Ok(()));
        assert_eq!(aged(SKEW_SECS), Err(PushRefusal::Expired));
        assert_eq!(with(|it| (it.issued_at, it.expires_at) = (i64::MIN, i64::MIN)), Err(PushRefusal::Expired));
        assert_eq!(with(|it| it.issued_at = i64::MIN), Err(PushRefusal::TooLong));
    }
}
