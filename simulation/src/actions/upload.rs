//! A TPP uploads a file, and sometimes breaks off.

use crate::intents::{FileSent, reader};
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::version::Version;
use lombard_service::payments::IdempotentRequest;
use lombard_service::payments::files::{ReceivedFile, find_upload_consent};
use lombard_service::{Context, Failure};

/// The number of bytes in one part of the upload.
const PART: usize = 100_000;

/// Uploads a file part by part.
///
/// # Errors
/// The errors of the service.
pub(super) async fn send(
    context: &Context,
    client: &ClientId,
    (consent, version): (&ConsentId, Version),
    file: &FileSent,
    once: IdempotentRequest,
) -> Result<(), Failure> {
    let bytes = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
    let mut sending =
        find_upload_consent(context, client, consent, version).await?.begin_upload(context, bytes).await?;
    for part in file.bytes.chunks(PART) {
        if let Err(failure) = sending.append_bytes(part).await {
            sending.discard_upload().await;
            return Err(failure);
        }
    }
    let sent = ReceivedFile {
        idempotent_request: once,
        digest: file.digest,
        bytes,
        media_type: "application/json".to_owned(),
    };
    sending.finish_upload(sent, reader()).await
}
