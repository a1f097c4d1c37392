//! Payment requests are signed and sent with an idempotency key; responses are verified with the bank's keys.

use crate::signature::{self, MessageJws, SIGNATURE};
use crate::{HttpCall, HttpExchange, Tpp, TppError};
use http::Method;
use lombard_jose::KeySet;
use serde_json::Value;

/// The trust anchor of the directory.
const TRUST_ANCHOR: &str = "openbanking.org.uk";

/// The hash of a payment file for its consent request: the SHA-256 digest in Base64. Source: FILE-003.
pub fn file_hash(file: &[u8]) -> String {
    lombard_jose::base64(&lombard_jose::sha256(file).0)
}

impl Tpp {
    /// Creates an unsigned `x-jws-signature` for a message of this TPP at the current time. Source: T5.
    pub fn new_message_signature(&self) -> MessageJws {
        let card = &self.folder.details;
        let issuer = format!("{}/{}", card.org_id, card.software_id);
        MessageJws::new(&card.signing_kid, &issuer, TRUST_ANCHOR, self.now())
    }

    /// Adds a JSON body and its signature to a call.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn signed(&self, call: HttpCall, body: &Value) -> Result<HttpCall, TppError> {
        let bytes = body.to_string();
        let signature = self.new_message_signature().sign(&self.folder.signing, bytes.as_bytes())?;
        Ok(call.with_header("content-type", "application/json").with_header(SIGNATURE, signature).with_body(bytes))
    }

    /// Builds a signed request without an idempotency key.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn signed_call(&self, token: &str, path: &str, body: &Value) -> Result<HttpCall, TppError> {
        let call = HttpCall::post(self.resource_url(path)).with_bearer(token);
        self.signed(call.with_header("x-fapi-interaction-id", self.new_interaction_id()), body)
    }

    /// Sends a signed payment file to this path with this idempotency key.
    ///
    /// # Errors
    /// [`TppError`] if the file cannot be signed or no response was received.
    pub async fn upload(
        &self,
        token: &str,
        path: &str,
        key: &str,
        media_type: &str,
        file: &str,
    ) -> Result<HttpExchange, TppError> {
        self.send(self.media_call(Method::POST, token, path, key, media_type, file)?).await
    }

    /// Builds a signed request with this method, idempotency key and media type, which the signature covers. Source: PIS-074, V4-020.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn media_call(
        &self,
        method: Method,
        token: &str,
        path: &str,
        key: &str,
        media_type: &str,
        body: &str,
    ) -> Result<HttpCall, TppError> {
        let signature =
            self.new_message_signature().claim("cty", media_type).sign(&self.folder.signing, body.as_bytes())?;
        let call =
            HttpCall::new(method, self.resource_url(path)).with_bearer(token).with_header("x-idempotency-key", key);
        let call = call
            .with_header("x-fapi-interaction-id", self.new_interaction_id())
            .with_header("content-type", media_type);
        Ok(call.with_header(SIGNATURE, signature).with_body(body.to_owned()))
    }

    /// Generates an `x-fapi-interaction-id`. Source: RW-050.
    pub fn new_interaction_id(&self) -> String {
        self.ids.random_id().to_string()
    }

    /// Builds a signed payment request to this path, such as `pisp/domestic-payments`, with this idempotency key.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn payment_call(&self, token: &str, path: &str, key: &str, body: &Value) -> Result<HttpCall, TppError> {
        let call = HttpCall::post(self.resource_url(path)).with_bearer(token).with_header("x-idempotency-key", key);
        self.signed(call.with_header("x-fapi-interaction-id", self.new_interaction_id()), body)
    }

    /// Sends a payment request with this idempotency key.
    ///
    /// # Errors
    /// [`TppError`] if no response was received.
    pub async fn payment_post(
        &self,
        token: &str,
        path: &str,
        key: &str,
        body: &Value,
    ) -> Result<HttpExchange, TppError> {
        self.send(self.payment_call(token, path, key, body)?).await
    }

    /// Generates an idempotency key.
    pub fn new_idempotency_key(&self) -> String {
        self.ids.random_id().simple().to_string()
    }

    /// Returns the exchange if the bank's signature of the response is valid; a response without a body needs no signature. The bank's keys
    /// are cached, and fetched again if a signature names an unknown key. Source: RW-223, PIS-073.
    ///
    /// # Errors
    /// [`TppError`] if the keys cannot be fetched, or the signature is not valid.
    pub async fn verify_response(&self, exchange: HttpExchange) -> Result<HttpExchange, TppError> {
        if exchange.body.is_empty() {
            return Ok(exchange);
        }
        let kid = signature::kid(&exchange);
        let has = |keys: &KeySet| keys.candidates(kid.as_deref()).next().is_some();
        let mut known = self.known_keys.lock().await;
        if !known.as_ref().is_some_and(has) {
            *known = Some(self.bank_keys().await?);
        }
        let keys = known.as_ref().ok_or_else(|| TppError::Answer("the bank has no keys".to_owned()))?;
        signature::check(&exchange, keys, self.now())?;
        Ok(exchange)
    }
}
