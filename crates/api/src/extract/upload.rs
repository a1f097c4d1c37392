//! Uploads of payment files: the body is handed on as it arrives, and accepted once the signature over the whole body
//! is verified. Source: FILE-005, FILE-007, FILE-018, PIS-065, PIS-074.

use super::body::RequestBody;
use super::body_stream::BodyStream;
use super::checked_request::{CheckedHttpRequest, expected};
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

/// What files of payments are sent as, whatever their type. Source: FILE-007.
const FILES: &[&str] = &["text/xml", "application/xml", "application/json"];

/// A file on its way: `POST /file-payment-consents/{ConsentId}/file` and nothing else.
///
/// The pipeline has asked everything that can be asked before the body: token, scope, media type, headers, key, and the
/// claims of the signature. The handler takes the pieces and puts them somewhere from where they can still be taken back,
/// as nothing of them may be believed yet: what wrote them is known at the end.
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
/// [`finish`](Self::finish) alone gives the hash and the key, so there is no way to act on a file whose signature was not
/// verified. A handler that fails half-way drops the upload; the listener then takes the rest off the wire, so that the
/// refusal arrives.
#[derive(Debug)]
pub struct FileUploadRequest {
    content: ContentType,
    pieces: BodyStream,
    hash: Sha256,
    signature: StreamedSignature,
    key: IdempotencyKey,
}

/// A file that came whole and was signed by its sender.
#[derive(Debug)]
pub struct SignedUpload {
    /// By what the upload is known when it comes again; its body is the hash of the file. Source: PIS-062, PIS-065.
    pub idempotent_request: IdempotentRequest,
    /// The SHA-256 of exactly the bytes that came. Source: FILE-005.
    pub digest: Digest,
    /// How many those are; at least one.
    pub bytes: u64,
}

impl RequestBody for FileUploadRequest {
    const READ: &'static [&'static str] = FILES;
    const IS_IDEMPOTENT: bool = true;

    async fn receive(arrived: CheckedHttpRequest<'_>) -> Result<Self, ApiError> {
        let broken = |cause: &'static str| ApiError::Broken(cause.into());
        let key = expected(arrived.key)?;
        let signature = arrived.signature.ok_or_else(|| broken("the row of an upload asks for no signature"))?;
        let content = arrived.content.ok_or_else(|| broken("a file of no media type"))?;
        let pieces = BodyStream::of(arrived.parts, arrived.body, arrived.app.settings.file_bytes_max)?;
        Ok(Self { content, pieces, hash: Sha256::new(), signature: signature.begin(), key })
    }
}

impl FileUploadRequest {
    /// Type and subtype of what the file is said to be, in small letters: one of those that files of payments have.
    /// Whether the file announced may be of this one is for the handler to say. Source: FILE-007.
    pub fn media_type(&self) -> &'static str {
        self.content.name()
    }

    /// The `Content-Type` as it was sent, for whoever downloads the file. Source: FILE-020.
    pub fn content_type(&self) -> &str {
        self.content.sent()
    }

    /// How many bytes it has at most: as many as were announced, or as any file may have.
    pub(crate) fn bytes_max(&self) -> u64 {
        self.pieces.bytes_max()
    }

    /// The next piece of the file, of whatever size the connection gives; none after the last. A caller who sends more
    /// slowly than this is asked for waits, one who stands still for too long is given up.
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`] (FILE-018); 400 for a file that ended before its end. The upload is then of no use, and
    /// [`finish`](Self::finish) says so too.
    pub async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let piece = self.pieces.next().await?;
        if let Some(piece) = &piece {
            self.hash.update(piece);
            self.signature.update(piece);
        }
        Ok(piece)
    }

    /// Takes what has not been taken, and verifies the signature over all of it. `caller` is who called. Source: RW-217,
    /// RW-218, PIS-074.
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
