//! A TPP sends a file, and sometimes breaks off.

use super::VERSION;
use crate::wishes::FileSent;
use crate::wishes::file::reader;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_service::payments::Once;
use lombard_service::payments::files::{Sent, announced};
use lombard_service::{Context, Failure};

/// How many bytes come at once.
const PART: usize = 100_000;

/// Sends a file, part by part.
///
/// # Errors
/// As the service has them.
pub(super) async fn send(
    context: &Context,
    client: &ClientId,
    consent: &ConsentId,
    file: &FileSent,
    once: Once,
) -> Result<(), Failure> {
    let bytes = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
    let mut sending = announced(context, client, consent, VERSION).await?.begin(context, bytes).await?;
    for part in file.bytes.chunks(PART) {
        if let Err(failure) = sending.take(part).await {
            sending.discard().await;
            return Err(failure);
        }
    }
    let sent = Sent { once, digest: file.digest, bytes, media_type: "application/json".to_owned() };
    sending.finish(sent, reader()).await
}
