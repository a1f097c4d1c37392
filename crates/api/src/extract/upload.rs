//! Uploads of payment files: the body is processed as it arrives, and accepted once the signature over the whole body is verified. Source:
//! FILE-005, FILE-007, FILE-018, PIS-065, PIS-074.

use super::body::RequestBody;
use super::body_stream::BodyStream;
use super::checked_request::{CheckedHttpRequest, require_key};
use super::media_type::ContentType;
use bytes::Bytes;
use lombard_auth::callers::Caller;
use lombard_domain::grant::Digest;
use lombard_domain::refusal::{Fault, FaultCode, Refusal};
use lombard_edge::App;
use lombard_edge::error::ApiError;
use lombard_edge::signing::StreamedSignature;
use lombard_jose::Sha256;
use lombard_ports::store::IdempotencyKey;
use lombard_service::payments::IdempotentRequest;

/// The accepted media types of payment files of any type. Source: FILE-007.
const FILES: &[&str] = &["text/xml", "application/xml", "application/json"];

/// A file that is being uploaded, by `POST /file-payment-consents/{ConsentId}/file` only.
///
/// The pipeline has checked everything that precedes the body: token, scope, media type, headers, key, and the claims of the signature. The
/// handler stores the pieces where they can still be removed, because their sender is verified only at the end.
///
/// ```text
/// let (mut call, mut upload) = call.split();
/// let id: ConsentId = call.path_id("ConsentId")?;
/// while let Some(piece) = upload.next().await? {
///     keeping.keep(piece).await?;
/// }
/// let finished = upload.finish(&call.app, &call.caller).await?;
/// ```
///
/// Only [`finish`](Self::finish) returns the hash and the key, so no handler can act on a file whose signature was not verified. A handler
/// that fails half-way drops the upload; the listener then discards the rest of the body, so that the refusal arrives.
#[derive(Debug)]
pub struct FileUploadRequest {
    content: ContentType,
    pieces: BodyStream,
    hash: Sha256,
    signature: StreamedSignature,
    key: IdempotencyKey,
}

/// A complete file with a verified signature.
#[derive(Debug)]
pub struct SignedUpload {
    /// The idempotent request, by which a repeated upload is recognised; its body is the hash of the file. Source: PIS-062, PIS-065.
    pub idempotent_request: IdempotentRequest,
    /// The SHA-256 of exactly the received bytes. Source: FILE-005.
    pub digest: Digest,
    /// The number of received bytes, at least one.
    pub bytes: u64,
}

impl RequestBody for FileUploadRequest {
    const READ: &'static [&'static str] = FILES;
    const IS_IDEMPOTENT: bool = true;

    async fn receive(arrived: CheckedHttpRequest<'_>) -> Result<Self, ApiError> {
        let broken = |cause: &'static str| ApiError::Internal(cause.into());
        let key = require_key(arrived.key)?;
        let signature = arrived.signature.ok_or_else(|| broken("the row of an upload asks for no signature"))?;
        let content = arrived.content.ok_or_else(|| broken("a file of no media type"))?;
        let pieces = BodyStream::of(arrived.parts, arrived.body, arrived.app.settings.file_bytes_max)?;
        Ok(Self { content, pieces, hash: Sha256::new(), signature: signature.begin(), key })
    }
}

impl FileUploadRequest {
    /// The type and subtype of the file, in lower case: one of the media types of payment files. The handler must check that the consent's
    /// file type permits it. Source: FILE-007.
    pub fn media_type(&self) -> &'static str {
        self.content.name()
    }

    /// The `Content-Type` as it was sent, for downloads of the file. Source: FILE-020.
    pub fn content_type(&self) -> &str {
        self.content.sent()
    }

    /// The most bytes of the file: the announced length, or the limit of all files.
    pub(crate) fn bytes_max(&self) -> u64 {
        self.pieces.bytes_max()
    }

    /// The next piece of the file, of any size; `None` after the last. The call waits for a slow caller; a caller that sends too slowly is
    /// cut off by the listener's limits.
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`] (FILE-018); 400 for an incomplete file. The upload has then failed, and [`finish`](Self::finish) returns
    /// an error too.
    pub async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let piece = self.pieces.next().await?;
        if let Some(piece) = &piece {
            self.hash.update(piece);
            self.signature.update(piece);
        }
        Ok(piece)
    }

    /// Reads the remaining bytes, and verifies the signature of `caller` over the whole file. Source: RW-217, RW-218, PIS-074.
    ///
    /// # Errors
    /// As [`next`](Self::next); 400 if the caller has not signed exactly these bytes, or if there are none (FILE-018).
    pub async fn finish(mut self, app: &App, caller: &Caller) -> Result<SignedUpload, ApiError> {
        while self.next().await?.is_some() {}
        self.signature.verify(app, caller).await?;
        let bytes = self.pieces.taken();
        if bytes == 0 {
            let fault = Fault::new(FaultCode::InvalidFormat, "The file is empty.");
            return Err(ApiError::Refused(Refusal::invalid(vec![fault])));
        }
        let digest = self.hash.finish();
        Ok(SignedUpload { idempotent_request: IdempotentRequest { key: self.key, body_digest: digest }, digest, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::payment::file::FileType;
    use lombard_wire::payments::file::file_media_types;
    use std::collections::BTreeSet;

    #[test]
    fn file_007_whatever_type_of_file_there_is_its_media_types_are_read() {
        let known: BTreeSet<_> = FileType::ALL.into_iter().flat_map(file_media_types).copied().collect();
        assert_eq!(FILES.iter().copied().collect::<BTreeSet<_>>(), known);
    }
}
