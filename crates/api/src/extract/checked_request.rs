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

/// After how many seconds a client may try again whose bodies take too much.
const RETRY_AFTER_SECS: i64 = 1;

/// A request that has passed every check that precedes its body.
#[derive(Debug)]
pub struct CheckedHttpRequest<'a> {
    pub(super) app: &'a App,
    pub(super) caller: &'a Caller,
    pub(super) parts: &'a Parts,
    pub(super) body: Body,
    /// What the body is said to be, if one is expected.
    pub(super) content: Option<ContentType>,
    /// Of a request that is carried out once.
    pub(super) key: Option<IdempotencyKey>,
    /// Of a request that is signed.
    pub(super) signature: Option<ClaimedSignature>,
}

/// A body whose signature, if required, has been verified.
#[derive(Debug)]
pub(super) struct VerifiedBody {
    pub(super) bytes: Bytes,
    pub(super) key: Option<IdempotencyKey>,
}

impl CheckedHttpRequest<'_> {
    /// Reads a body of at most so many bytes. It is not parsed before its signature is verified (RW-218).
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`]; [`ApiError::TooManyRequests`] if too much of this client's bodies is held; 400 if it broke off, or if it is not what was signed.
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

    /// Reads nothing.
    ///
    /// # Errors
    /// 400 if something was signed.
    pub(super) async fn verify_empty_body(self) -> Result<(), ApiError> {
        match self.signature {
            Some(signature) => signature.verify(self.app, self.caller, b"").await,
            None => Ok(()),
        }
    }
}

/// The key of a request that is carried out once.
///
/// # Errors
/// [`ApiError::Broken`]: its row does not say so.
pub(super) fn expected(key: Option<IdempotencyKey>) -> Result<IdempotencyKey, ApiError> {
    key.ok_or_else(|| ApiError::Broken("the row of a request that is carried out once asks for no key".into()))
}
