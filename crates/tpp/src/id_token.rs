//! Validation of identity tokens. Source: AS-100 to AS-102.

use crate::tokens::seconds;
use crate::{Tpp, TppError};
use lombard_jose::{CompactJws, KeySet, half_hash};
use serde_json::{Map, Value};

/// The tolerated clock difference in seconds.
const SKEW_SECS: i64 = 10;

/// The maximum lifetime of an identity token in seconds. Source: AS-102.
const LIFE_SECS_MAX: i64 = 600;

/// The expected values of an identity token's claims.
#[derive(Debug, Clone, Default)]
pub struct ExpectedIdToken<'a> {
    /// The consent that was authorised; not checked if `None`.
    pub consent: Option<&'a str>,
    /// The nonce that was sent; not checked if `None`.
    pub nonce: Option<&'a str>,
    /// The code that came with the token in the authorisation response.
    pub code: Option<&'a str>,
    /// The state that came with the token in the authorisation response.
    pub state: Option<&'a str>,
    /// The access token that came with the identity token from the token endpoint.
    pub access_token: Option<&'a str>,
}

/// The claims of an identity token that passed every check.
#[derive(Debug, Clone)]
pub struct IdToken(pub Map<String, Value>);

impl IdToken {
    /// A claim as text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }
}

impl Tpp {
    /// Checks the signature, issuer, audience, times, nonce, intent and hashes of an identity token.
    ///
    /// # Errors
    /// [`TppError::IdToken`] naming the first failed check.
    pub async fn check_id_token(
        &self,
        compact: &str,
        keys: &KeySet,
        expected: &ExpectedIdToken<'_>,
    ) -> Result<IdToken, TppError> {
        let jws = CompactJws::parse(compact).map_err(|error| bad(&error.to_string()))?;
        jws.verify(keys).map_err(|error| bad(&error.to_string()))?;
        if jws.header().kid.is_none() {
            return Err(bad("its header has no kid"));
        }
        let claims: Map<String, Value> = jws.claims().map_err(|error| bad(&error.to_string()))?;
        check_texts(&claims, &self.discovery().await?.issuer, self.client_id().as_str(), expected)?;
        check_times(&claims, self.clocks.wall_now().as_second())?;
        Ok(IdToken(claims))
    }
}

fn check_texts(
    claims: &Map<String, Value>,
    issuer: &str,
    client: &str,
    expected: &ExpectedIdToken<'_>,
) -> Result<(), TppError> {
    let mut wanted = vec![("iss", issuer.to_owned()), ("aud", client.to_owned())];
    let named = [("nonce", expected.nonce), ("sub", expected.consent), ("openbanking_intent_id", expected.consent)];
    wanted.extend(named.into_iter().filter_map(|(name, value)| Some((name, value?.to_owned()))));
    let hashed = [("c_hash", expected.code), ("s_hash", expected.state), ("at_hash", expected.access_token)];
    wanted.extend(hashed.into_iter().filter_map(|(name, value)| Some((name, half_hash(value?)))));
    for (name, value) in wanted {
        if claims.get(name).and_then(Value::as_str) != Some(value.as_str()) {
            return Err(bad(&format!("its {name} is wrong")));
        }
    }
    match claims.get("acr").and_then(Value::as_str) {
        Some(_) => Ok(()),
        None => Err(bad("it has no acr")),
    }
}

fn check_times(claims: &Map<String, Value>, now: i64) -> Result<(), TppError> {
    let at = |name: &str| seconds(claims, name).ok_or_else(|| bad(&format!("its {name} is not a number of seconds")));
    let issued = at("iat")?;
    let expires = at("exp")?;
    let authenticated = at("auth_time")?;
    let latest = now.saturating_add(SKEW_SECS);
    let fresh = issued <= latest && authenticated <= latest && expires > now.saturating_sub(SKEW_SECS);
    if fresh && expires.saturating_sub(issued) <= LIFE_SECS_MAX { Ok(()) } else { Err(bad("its times do not fit")) }
}

fn bad(what: &str) -> TppError {
    TppError::IdToken(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claims() -> Map<String, Value> {
        let claims = json!({
            "iss": "https://bank.example", "aud": "client", "nonce": "n", "sub": "consent", "acr": "sca",
            "openbanking_intent_id": "consent", "c_hash": half_hash("code"), "s_hash": half_hash("state"),
            "iat": 1_000, "exp": 1_300, "auth_time": 990,
        });
        claims.as_object().unwrap().clone()
    }

    fn check(claims: &Map<String, Value>) -> Result<(), TppError> {
        let expected = ExpectedIdToken {
            consent: Some("consent"),
            nonce: Some("n"),
            code: Some("code"),
            state: Some("state"),
            access_token: None,
        };
        check_texts(claims, "https://bank.example", "client", &expected)?;
        check_times(claims, 1_010)
    }

    #[test]
    fn as_100_every_claim_is_checked() {
        assert!(check(&claims()).is_ok());
        for name in claims().keys() {
            let mut changed = claims();
            changed.insert(name.clone(), json!("other"));
            // The correct `acr` depends on the request; only its presence is checked here.
            assert_eq!(check(&changed).is_ok(), name == "acr", "{name} changed");
            changed.remove(name);
            assert!(check(&changed).is_err(), "{name} absent");
        }
    }

    #[test]
    fn as_102_a_token_lives_ten_minutes_at_most() {
        for (exp, sound) in [(1_600, true), (1_601, false), (1_000, false), (1_001, true)] {
            let mut changed = claims();
            changed.insert("exp".to_owned(), json!(exp));
            assert_eq!(check(&changed).is_ok(), sound, "exp {exp}");
        }
    }
}
