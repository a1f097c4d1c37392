//! Message signatures (`x-jws-signature`): creates them, with every claim changeable, and verifies them.

use crate::{HttpExchange, TppError};
use jiff::Timestamp;
use lombard_jose::{DetachedJws, KeySet, SigningKey, base64url};
use serde_json::{Map, Value, json};

/// The header member for the time of signing.
pub(crate) const IAT: &str = "http://openbanking.org.uk/iat";
/// The header member for the signer.
pub(crate) const ISS: &str = "http://openbanking.org.uk/iss";
/// The header member for the trust anchor that publishes the key.
pub(crate) const TAN: &str = "http://openbanking.org.uk/tan";

/// The HTTP header of a message signature.
pub const SIGNATURE: &str = "x-jws-signature";

/// The number of seconds by which the signer's clock may be ahead.
const SKEW_SECS: i64 = 60;

/// An unsigned message signature. Source: T5.
#[derive(Debug, Clone)]
pub struct MessageJws {
    header: Map<String, Value>,
}

impl MessageJws {
    /// Creates a signature in the form of the standard, for this key id, issuer and trust anchor.
    pub fn new(kid: &str, issuer: &str, trust_anchor: &str, now: Timestamp) -> Self {
        let header = json!({
            "alg": "PS256",
            "kid": kid,
            "typ": "JOSE",
            "cty": "application/json",
            IAT: now.as_second(),
            ISS: issuer,
            TAN: trust_anchor,
            "crit": [IAT, ISS, TAN],
        });
        Self { header: header.as_object().cloned().unwrap_or_default() }
    }

    /// Sets a claim; `null` removes it.
    #[must_use]
    pub fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        match value.into() {
            Value::Null => drop(self.header.remove(name)),
            value => drop(self.header.insert(name.to_owned(), value)),
        }
        self
    }

    /// Signs a body and returns the value of the header.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn sign(&self, key: &SigningKey, body: &[u8]) -> Result<String, TppError> {
        let signed = self.signing_input(body);
        let signature = key.sign_ps256(signed.as_bytes()).map_err(|error| TppError::Signing(error.to_string()))?;
        Ok(self.around(&signature))
    }

    /// Returns the value of the header for this body, with a signature that the caller computes.
    pub fn sign_with(&self, body: &[u8], sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
        let signature = sign(self.signing_input(body).as_bytes());
        self.around(&signature)
    }

    fn signing_input(&self, body: &[u8]) -> String {
        format!("{}.{}", self.header_part(), base64url(body))
    }

    fn around(&self, signature: &[u8]) -> String {
        format!("{}..{}", self.header_part(), base64url(signature))
    }

    fn header_part(&self) -> String {
        base64url(Value::Object(self.header.clone()).to_string().as_bytes())
    }
}

/// The key id that the signature of a response names.
pub(crate) fn kid(exchange: &HttpExchange) -> Option<String> {
    DetachedJws::parse(exchange.header(SIGNATURE)?).ok()?.header().kid.clone()
}

/// Checks the signature of a response: its key, its time and the body it covers. Source: RW-203, RW-223, T5.
///
/// # Errors
/// [`TppError::Answer`] with a description of the fault.
pub(crate) fn check(exchange: &HttpExchange, keys: &KeySet, now: Timestamp) -> Result<(), TppError> {
    let wrong = |what: &str| TppError::Answer(format!("{} {}: {what}", exchange.method, exchange.url.path()));
    let value = exchange.header(SIGNATURE).ok_or_else(|| wrong("the answer is not signed"))?;
    let jws = DetachedJws::parse(value).map_err(|error| wrong(&format!("the signature cannot be read: {error}")))?;
    let header = jws.header();
    let media = exchange.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
    let text = |name: &str| header.extra.get(name).and_then(Value::as_str).unwrap_or_default();
    let signed_at = header.extra.get(IAT).and_then(Value::as_i64);
    let mut critical = header.crit.clone().unwrap_or_default();
    critical.sort_unstable();
    let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let checks = [
        (header.alg == "PS256", "its alg is not PS256"),
        (header.typ.as_deref().is_none_or(|typ| typ == "JOSE"), "its typ is not JOSE"),
        (header.cty.as_deref().is_none_or(|cty| cty == media), "its cty is not the body's media type"),
        (signed_at.is_some_and(|at| at <= now.as_second().saturating_add(SKEW_SECS)), "its iat is in the future"),
        (is_id(text(ISS)), "its iss is no organisation"),
        (!text(TAN).is_empty(), "its tan is no domain"),
        (critical == [IAT, ISS, TAN], "its crit is not iat, iss, tan"),
        (header.extra.keys().all(|name| [IAT, ISS, TAN].contains(&name.as_str())), "it says more than it may"),
    ];
    if let Some((_, what)) = checks.into_iter().find(|(holds, _)| !holds) {
        return Err(wrong(what));
    }
    let verified = jws.verify(&exchange.body, keys, &[IAT, ISS, TAN]);
    verified.map_err(|error| wrong(&format!("the signature does not hold: {error}")))
}
