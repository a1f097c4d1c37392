//! Client assertions, `private_key_jwt`. Source: AS-023 to AS-027.

use super::OneTime;
use super::refused::Refused;
use crate::Settings;
use crate::claims::{Audience, NumericDate};
use crate::endpoints::Endpoint;
use jiff::Timestamp;
use lombard_jose::{Compact, KeySet, PublicKey};
use serde::Deserialize;
use std::sync::LazyLock;

/// The one assertion type there is.
pub(super) const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// How long past its `exp` an assertion is still taken. Source: AS-025.
const GRACE_SECS: i64 = 5;
/// How far ahead `exp` may lie. Source: AS-025.
const LIFETIME_SECS_MAX: i64 = 3600;
/// How far ahead `nbf` and `iat` may lie. Source: AS-025.
const FUTURE_SECS_MAX: i64 = 60;

/// An assertion as it came, and whom it claims to come from. Not `Debug`: it is a credential (TLS-018).
pub(super) struct Claimed {
    jws: Compact,
    client: String,
    claims: Claims,
}

/// What an assertion must or may say. Other claims are ignored. Source: AS-027.
#[derive(Deserialize)]
struct Claims {
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<Audience>,
    exp: Option<NumericDate>,
    nbf: Option<NumericDate>,
    iat: Option<NumericDate>,
    jti: Option<String>,
}

impl Claimed {
    /// Reads an assertion; nothing is believed yet but whose keys to try.
    pub(super) fn read(assertion: &str) -> Result<Self, Refused> {
        let jws = Compact::parse(assertion).map_err(|_| Refused::AssertionMalformed)?;
        let claims: Claims = jws.claims().map_err(|_| Refused::AssertionMalformed)?;
        match (&claims.iss, &claims.sub) {
            (Some(iss), Some(sub)) if iss.is_empty() || sub.is_empty() => Err(Refused::AssertionMalformed),
            (Some(iss), Some(sub)) if iss != sub => Err(Refused::IdsDiffer),
            (Some(iss), Some(_)) => Ok(Self { client: iss.clone(), jws, claims }),
            _ => Err(Refused::AssertionMalformed),
        }
    }

    pub(super) fn client(&self) -> &str {
        &self.client
    }

    /// Which key it says it was signed with.
    pub(super) fn kid(&self) -> Option<&str> {
        self.jws.header().kid.as_deref()
    }

    /// Whether one of the registered keys signed it. Without any that fits, a decoy is tried, so that the time tells
    /// nothing about who is registered (AS-030).
    pub(super) fn is_signed_by(&self, keys: Option<&KeySet>) -> bool {
        let kid = self.kid();
        match keys.filter(|keys| keys.candidates(kid).next().is_some()) {
            Some(keys) => self.jws.verify(keys).is_ok(),
            None => {
                // Whatever the decoy says, nobody has signed.
                let _ = std::hint::black_box(DECOY.as_ref().map(|key| self.jws.verify_key(key)));
                false
            }
        }
    }

    /// Judges the claims of an assertion whose signature holds.
    pub(super) fn judge(&self, settings: &Settings, endpoint: Endpoint, now: Timestamp) -> Result<OneTime, Refused> {
        let Claims { aud: Some(aud), exp: Some(exp), jti: Some(jti), nbf, iat, .. } = &self.claims else {
            return Err(Refused::ClaimMissing);
        };
        if jti.is_empty() {
            return Err(Refused::ClaimMissing);
        }
        let (token, here) = (Endpoint::Token.url(settings), endpoint.url(settings));
        if !aud.contains_any(&[&settings.issuer, &token, &here]) {
            return Err(Refused::Audience);
        }
        let now = now.as_second();
        let end = exp.0.saturating_add(GRACE_SECS);
        if end <= now {
            return Err(Refused::Expired);
        }
        if exp.0 > now.saturating_add(LIFETIME_SECS_MAX) {
            return Err(Refused::TooLong);
        }
        let latest = now.saturating_add(FUTURE_SECS_MAX);
        if [nbf, iat].into_iter().flatten().any(|start| start.0 > latest) {
            return Err(Refused::NotYet);
        }
        let until = Timestamp::from_second(end).map_err(|_| Refused::TooLong)?;
        Ok(OneTime { jti: lombard_jose::base64url(&lombard_jose::sha256(jti.as_bytes()).0), until })
    }
}

/// A key whose private half nobody has, ready like a client's own.
static DECOY: LazyLock<Option<PublicKey>> = LazyLock::new(|| {
    let key = serde_json::json!({"kty": "RSA", "use": "sig", "alg": "PS256", "e": "AQAB", "n": DECOY_MODULUS});
    let keys = KeySet::parse(&serde_json::json!({ "keys": [key] }).to_string()).ok()?;
    keys.iter().next().cloned()
});

const DECOY_MODULUS: &str = "mXVjOlc5D5ozoxmp7Qdm4vVnKTmb5dZjOzTUojDl2ekPjJ6SeMvFrPlT6iDTdWWoFleL5sUOxYRhr_kwvWS1Di3i4qt1MrVvg\
     jwsLTlQsY_jPsTE7ia8SFOYy9hhQrnCbdDWBmcstF2DEnaENK9g9mjp8jr8cpMRzZN_WqCW2NTC1M0OgpW86ZCUjNP1qp55LNEXSSRoXUBBzvU55yMocMMmSst\
     lpFpHw5k54pVby5eAQ9vY-hYq6eKAkbnc2ufzhimdUvlE3FzyY3iZad8Nr9_DBRtRdzTHiZOKFnmTt-6MGuG3GDr4kSXRFTl-ARAzCEFS9DWVMUOiStGKIHLX\
     yQ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_030_the_decoy_is_a_usable_key() {
        assert!(DECOY.is_some());
    }
}
