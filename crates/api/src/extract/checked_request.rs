//! A request whose headers are checked and whose body has not been read yet.

use super::body_stream::BodyStream;
use super::media_type::ContentType;
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::request::Parts;
use lombard_auth::callers::Caller;
use lombard_edge::App;
use lombard_edge::error::ApiError;
use lombard_edge::listener::CallerQuota;
use lombard_edge::signing::ClaimedSignature;
use lombard_ports::store::IdempotencyKey;
use std::sync::Arc;

/// Seconds after which a client whose bodies take too much memory may try again.
const RETRY_AFTER_SECS: i64 = 1;

/// A request that has passed every check that precedes its body.
#[derive(Debug)]
pub struct CheckedHttpRequest<'a> {
    pub(super) app: &'a App,
    pub(super) caller: &'a Caller,
    pub(super) parts: &'a Parts,
    pub(super) body: Body,
    /// The content type of the body, if one is expected.
    pub(super) content: Option<ContentType>,
    /// The idempotency key, if the request is idempotent.
    pub(super) key: Option<IdempotencyKey>,
    /// The signature, if the request is signed.
    pub(super) signature: Option<ClaimedSignature>,
}

/// A body whose signature, if required, has been verified.
#[derive(Debug)]
pub(super) struct VerifiedBody {
    pub(super) bytes: Bytes,
    pub(super) key: Option<IdempotencyKey>,
}

impl CheckedHttpRequest<'_> {
    /// Reads a body of at most `bytes_max` bytes and verifies its signature. The body must not be parsed before (RW-218).
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`]; [`ApiError::TooManyRequests`] if too many bytes of this client's bodies are in memory; 400 if the body
    /// is incomplete or does not match its signature.
    pub(super) async fn read_verified_body(self, bytes_max: usize) -> Result<VerifiedBody, ApiError> {
        let mut pieces = BodyStream::of(self.parts, self.body, bytes_max as u64)?;
        let mut gathered = BytesMut::new();
        let mut held = self.parts.extensions.get::<Arc<CallerQuota>>().map(CallerQuota::gather);
        while let Some(piece) = pieces.next().await? {
            if held.as_mut().is_some_and(|held| held.add(piece.len()).is_err()) {
                tracing::info!(limit.refusal = "TLS-016", "too much of a client's bodies has not arrived completely");
                return Err(ApiError::TooManyRequests { retry_after_secs: RETRY_AFTER_SECS });
            }
            gathered.extend_from_slice(&piece);
        }
        let bytes = gathered.freeze();
        if let Some(signature) = self.signature {
            signature.verify(self.app, self.caller, &bytes).await?;
        }
        Ok(VerifiedBody { bytes, key: self.key })
    }

    /// Ignores the body, and checks the signature of an empty one if the request is signed.
    ///
    /// # Errors
    /// 400 if the signature is not that of an empty body.
    pub(super) async fn verify_empty_body(self) -> Result<(), ApiError> {
        match self.signature {
            Some(signature) => signature.verify(self.app, self.caller, b"").await,
            None => Ok(()),
        }
    }
}

/// The idempotency key of an idempotent request.
///
/// # Errors
/// [`ApiError::Internal`] if the row of the endpoint is not marked as idempotent.
pub(super) fn require_key(key: Option<IdempotencyKey>) -> Result<IdempotencyKey, ApiError> {
    key.ok_or_else(|| ApiError::Internal("the row of a request that is carried out once asks for no key".into()))
}
