//! Payments: requests signed and sent with a key, answers checked against the bank's keys.

use crate::signature::{self, MessageJws, SIGNATURE};
use crate::{HttpCall, HttpExchange, Tpp, TppError};
use lombard_jose::KeySet;
use serde_json::Value;

/// The trust anchor of the directory that TPPs and banks are in.
const TRUST_ANCHOR: &str = "openbanking.org.uk";

/// What announces a payment file: the Base64 of its SHA-256. Source: FILE-003.
pub fn file_hash(file: &[u8]) -> String {
    lombard_jose::base64(&lombard_jose::sha256(file).0)
}

impl Tpp {
    /// The signature of a message of this TPP, sent now, before it is made. Source: T5.
    pub fn message(&self) -> MessageJws {
        let card = &self.folder.card;
        let issuer = format!("{}/{}", card.org_id, card.software_id);
        MessageJws::new(&card.signing_kid, &issuer, TRUST_ANCHOR, self.now())
    }

    /// The call with this JSON body, signed.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn signed(&self, call: HttpCall, body: &Value) -> Result<HttpCall, TppError> {
        let bytes = body.to_string();
        let signature = self.message().sign(&self.folder.signing, bytes.as_bytes())?;
        Ok(call.with_header("content-type", "application/json").with_header(SIGNATURE, signature).with_body(bytes))
    }

    /// A signed request that is carried out as often as it is sent.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn signed_call(&self, token: &str, path: &str, body: &Value) -> Result<HttpCall, TppError> {
        let call = HttpCall::post(self.resource_url(path)).with_bearer(token);
        self.signed(call.with_header("x-fapi-interaction-id", self.fresh_interaction()), body)
    }

    /// Sends a payment file to this path, signed, under this key.
    ///
    /// # Errors
    /// [`TppError`] when it cannot be signed, or no answer came.
    pub async fn upload(
        &self,
        token: &str,
        path: &str,
        key: &str,
        media_type: &str,
        file: &str,
    ) -> Result<HttpExchange, TppError> {
        let signature = self.message().claim("cty", media_type).sign(&self.folder.signing, file.as_bytes())?;
        let call = HttpCall::post(self.resource_url(path)).with_bearer(token).with_header("x-idempotency-key", key);
        let call =
            call.with_header("x-fapi-interaction-id", self.fresh_interaction()).with_header("content-type", media_type);
        self.send(call.with_header(SIGNATURE, signature).with_body(file.to_owned())).await
    }

    /// An id for one request. Source: RW-050.
    pub fn fresh_interaction(&self) -> String {
        self.ids.random_id().to_string()
    }

    /// A payment request to this path, as `pisp/domestic-payments`: signed, and carried out once under this key.
    ///
    /// # Errors
    /// [`TppError::Signing`] if the key cannot sign.
    pub fn payment_call(&self, token: &str, path: &str, key: &str, body: &Value) -> Result<HttpCall, TppError> {
        let call = HttpCall::post(self.resource_url(path)).with_bearer(token).with_header("x-idempotency-key", key);
        self.signed(call.with_header("x-fapi-interaction-id", self.fresh_interaction()), body)
    }

    /// Sends a payment request under this key.
    ///
    /// # Errors
    /// [`TppError`] when no answer came.
    pub async fn payment_post(
        &self,
        token: &str,
        path: &str,
        key: &str,
        body: &Value,
    ) -> Result<HttpExchange, TppError> {
        self.send(self.payment_call(token, path, key, body)?).await
    }

    /// A key that was not used before.
    pub fn fresh_key(&self) -> String {
        self.ids.random_id().simple().to_string()
    }

    /// The exchange itself, if the bank signed its answer; one without a body needs no signature. The bank's keys are kept,
    /// and fetched again when a signature names one that is not among them. Source: RW-223, PIS-073.
    ///
    /// # Errors
    /// [`TppError`] when the keys cannot be had, or the signature does not hold.
    pub async fn verified(&self, exchange: HttpExchange) -> Result<HttpExchange, TppError> {
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
