//! The JWTs of a TPP. Every header member and claim can be changed before signing.

use crate::TppError;
use lombard_jose::{SigningKey, base64url};
use serde_json::{Map, Value};

/// An unsigned JWT.
#[derive(Debug, Clone)]
pub struct Jwt {
    header: Map<String, Value>,
    claims: Map<String, Value>,
}

impl Jwt {
    /// Creates an unsigned PS256 JWT with these claims and this key id.
    pub fn ps256(kid: &str, claims: Map<String, Value>) -> Self {
        let mut header = Map::new();
        header.insert("alg".to_owned(), "PS256".into());
        header.insert("kid".to_owned(), kid.into());
        Self { header, claims }
    }

    /// Sets a header member; `null` removes it.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<Value>) -> Self {
        set(&mut self.header, name, value.into());
        self
    }

    /// Sets a claim; `null` removes it.
    #[must_use]
    pub fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        set(&mut self.claims, name, value.into());
        self
    }

    /// The claims as they are now.
    pub fn claims(&self) -> &Map<String, Value> {
        &self.claims
    }

    /// Signs the JWT and returns the compact form. The signature is RSA-PSS with SHA-256, even if the header names another algorithm.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn sign(&self, key: &SigningKey) -> Result<String, TppError> {
        let message = self.signing_input();
        let signature = key.sign_ps256(message.as_bytes()).map_err(|error| TppError::Signing(error.to_string()))?;
        Ok(format!("{message}.{}", base64url(&signature)))
    }

    /// Returns the compact form with a signature that the caller computes.
    pub fn sign_with(&self, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
        let message = self.signing_input();
        let signature = sign(message.as_bytes());
        format!("{message}.{}", base64url(&signature))
    }

    fn signing_input(&self) -> String {
        let part = |map: &Map<String, Value>| base64url(Value::Object(map.clone()).to_string().as_bytes());
        format!("{}.{}", part(&self.header), part(&self.claims))
    }
}

fn set(map: &mut Map<String, Value>, name: &str, value: Value) {
    if value.is_null() {
        map.remove(name);
    } else {
        map.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_can_be_changed_and_taken_out_before_signing() {
        let jwt = Jwt::ps256("k", Map::new()).claim("iss", "me").claim("aud", "you").claim("iss", Value::Null);
        let compact = jwt.header("alg", "none").sign_with(|_| Vec::new());
        let parts: Vec<_> = compact.split('.').collect();
        let read =
            |part: &str| -> Value { serde_json::from_slice(&lombard_jose::from_base64url(part).unwrap()).unwrap() };
        assert_eq!(read(parts[0]), serde_json::json!({"alg": "none", "kid": "k"}));
        assert_eq!(read(parts[1]), serde_json::json!({"aud": "you"}));
        assert_eq!(parts[2], "");
    }
}
