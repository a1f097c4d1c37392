//! Client assertions, `private_key_jwt`. Source: AS-023 to AS-027.

use super::error::{ClientAuthenticationError, MissingProof};
use crate::AuthSettings;
use crate::claims::{NumericDate, TokenAudience, is_from_future, read_claims};
use crate::client_keys::ClientKeys;
use crate::endpoints::OAuthEndpoint;
use jiff::Timestamp;
use lombard_domain::security_profile::SecurityProfile;
use lombard_jose::{CompactJws, KeySet, PublicKey, VerifyError};
use serde::Deserialize;
use std::sync::{Arc, LazyLock};

/// The only supported value of `client_assertion_type`.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// How long after its `exp` an assertion is still accepted. Source: AS-025.
const GRACE_SECS: i64 = 5;

/// How far in the future `exp` may be. Source: AS-025.
const LIFETIME_SECS_MAX: i64 = 3600;

/// An assertion as it arrived, and the client that it names. Not `Debug`, because it is a credential (TLS-018).
pub(super) struct ParsedAssertion {
    jws: Arc<CompactJws>,
    client: String,
    claims: AssertionClaims,
}

/// The claims of an assertion. Other claims are ignored. Source: AS-027.
#[derive(Deserialize)]
struct AssertionClaims {
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<TokenAudience>,
    exp: Option<NumericDate>,
    nbf: Option<NumericDate>,
    iat: Option<NumericDate>,
    jti: Option<String>,
}

impl ParsedAssertion {
    /// Parses an assertion without verifying it, to find out whose keys to try.
    pub(super) fn read(assertion: &str) -> Result<Self, ClientAuthenticationError> {
        let jws = CompactJws::parse(assertion).map_err(|_| ClientAuthenticationError::AssertionMalformed)?;
        let claims: AssertionClaims = read_claims(&jws).map_err(|sentence| {
            sentence.map_or(ClientAuthenticationError::AssertionMalformed, ClientAuthenticationError::WrongClaim)
        })?;
        match (&claims.iss, &claims.sub) {
            (Some(iss), Some(sub)) if iss.is_empty() || sub.is_empty() => {
                Err(ClientAuthenticationError::AssertionMalformed)
            }
            (Some(iss), Some(sub)) if iss != sub => Err(ClientAuthenticationError::IdsDiffer),
            (Some(iss), Some(_)) => Ok(Self { client: iss.clone(), jws: Arc::new(jws), claims }),
            _ => Err(ClientAuthenticationError::AssertionMalformed),
        }
    }

    pub(super) fn client(&self) -> &str {
        &self.client
    }

    /// The `kid` of the key that the assertion names.
    pub(super) fn kid(&self) -> Option<&str> {
        self.jws.header().kid.as_deref()
    }

    /// Checks that a registered key signed the assertion. If no key fits, a decoy key is tried, so that the duration does not disclose who
    /// is registered (AS-030).
    pub(super) async fn verify(&self, client_keys: &ClientKeys, keys: Option<Arc<KeySet>>) -> Result<(), MissingProof> {
        let jws = Arc::clone(&self.jws);
        let work = move || {
            let kid = jws.header().kid.as_deref();
            match keys.filter(|keys| keys.candidates(kid).next().is_some()) {
                Some(keys) => jws.verify(&keys),
                // The result of the decoy is ignored: no registered key has signed.
                None => match std::hint::black_box(DECOY.as_ref().map(|key| jws.verify_key(key))) {
                    Some(Err(VerifyError::Algorithm)) => Err(VerifyError::Algorithm),
                    _ => Err(VerifyError::KeyUnknown),
                },
            }
        };
        let verified = client_keys.run_key_work(work).await.unwrap_or(Err(VerifyError::Signature));
        verified.map_err(|error| match error {
            VerifyError::Algorithm => MissingProof::Algorithm,
            VerifyError::KeyUnknown => MissingProof::UnknownKey,
            VerifyError::Critical | VerifyError::Signature => MissingProof::Signature,
        })
    }

    /// Checks the claims of an assertion whose signature is valid. Under a profile of FAPI 2.0 the audience must be the issuer, as one
    /// text. Source: AS-024, AS-154.
    pub(super) fn check(
        &self,
        settings: &AuthSettings,
        endpoint: OAuthEndpoint,
        profile: SecurityProfile,
        now: Timestamp,
    ) -> Result<AssertionUse, ClientAuthenticationError> {
        let AssertionClaims { aud: Some(aud), exp: Some(exp), jti: Some(jti), nbf, iat, .. } = &self.claims else {
            return Err(ClientAuthenticationError::ClaimMissing);
        };
        if jti.is_empty() {
            return Err(ClientAuthenticationError::ClaimMissing);
        }
        let (token, here) = (OAuthEndpoint::Token.url(settings), endpoint.url(settings));
        if profile.is_fapi2() {
            if !matches!(aud, TokenAudience::One(audience) if *audience == settings.issuer) {
                return Err(ClientAuthenticationError::AudienceOfFapi2);
            }
        } else if !aud.contains_any(&[&settings.issuer, &token, &here]) {
            return Err(ClientAuthenticationError::Audience);
        }
        let end = exp.0.saturating_add(GRACE_SECS);
        if end <= now.as_second() {
            return Err(ClientAuthenticationError::Expired);
        }
        if exp.0 > now.as_second().saturating_add(LIFETIME_SECS_MAX) {
            return Err(ClientAuthenticationError::TooLong);
        }
        if [nbf, iat].into_iter().flatten().any(|start| is_from_future(start.0, now)) {
            return Err(ClientAuthenticationError::NotYet);
        }
        let until = Timestamp::from_second(end).map_err(|_| ClientAuthenticationError::TooLong)?;
        Ok(AssertionUse { jti: lombard_jose::base64url(&lombard_jose::sha256(jti.as_bytes()).0), until })
    }
}

/// A parsed public key whose private key is unknown to everybody.
static DECOY: LazyLock<Option<PublicKey>> = LazyLock::new(|| {
    let key = serde_json::json!({"kty": "RSA", "use": "sig", "alg": "PS256", "e": "AQAB", "n": DECOY_MODULUS});
    let keys = KeySet::parse(&serde_json::json!({ "keys": [key] }).to_string()).ok()?;
    keys.iter().next().cloned()
});

/// The record that makes an assertion usable only once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AssertionUse {
    /// A digest of the `jti`, so that its length is fixed.
    pub(super) jti: String,
    pub(super) until: Timestamp,
}

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
