//! The recipient of a signed response. Signatures are limited for each recipient, because they cost CPU time.

use crate::layers::ClientForLog;
use crate::limits::RateLimitKey;
use http::Extensions;
use lombard_auth::certificates::ClientCertificate;
use lombard_domain::grant::Digest;
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// The sender of a request, which receives the response.
#[derive(Debug, Clone)]
pub struct Recipient {
    certificate: Option<Digest>,
    client: Option<ClientForLog>,
}

impl Recipient {
    /// The sender of the request with these extensions. Its client may be authenticated later.
    pub fn of(extensions: &Extensions) -> Self {
        let certificate = extensions.get::<Arc<ClientCertificate>>();
        Self {
            certificate: certificate.map(|certificate| certificate.thumbprint()),
            client: extensions.get::<ClientForLog>().cloned(),
        }
    }

    /// The key against which refusals count; `None` without a client certificate, without which no TPP calls (TLS-004).
    pub(super) fn limited(&self) -> Option<RateLimitKey> {
        let certificate = self.certificate.map(RateLimitKey::Certificate)?;
        Some(self.client.as_ref().and_then(ClientForLog::client).map_or(certificate, RateLimitKey::from))
    }

    /// The client name under which a signature is queued.
    pub(super) fn name(&self) -> Cow<'_, str> {
        let known = self.client.as_ref().and_then(ClientForLog::client);
        match (known, self.certificate) {
            (Some(client), _) => Cow::Borrowed(client.as_str()),
            (None, Some(Digest(bytes))) => {
                Cow::Owned(bytes.iter().fold("certificate ".to_owned(), |mut name, byte| {
                    // Writing to a string never fails.
                    let _written = write!(name, "{byte:02x}");
                    name
                }))
            }
            (None, None) => Cow::Borrowed("anonymous"),
        }
    }
}
