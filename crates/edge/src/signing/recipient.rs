//! The recipient of a signed response, by which signatures are limited: each costs CPU time.

use crate::layers::ClientForLog;
use crate::limits::RateLimitKey;
use http::Extensions;
use lombard_auth::certificates::ClientCertificate;
use lombard_domain::grant::Digest;
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// The sender of a request, as far as it is known.
#[derive(Debug, Clone)]
pub struct Recipient {
    certificate: Option<Digest>,
    client: Option<ClientForLog>,
}

impl Recipient {
    /// The sender of the request with these extensions. Its client may become known later.
    pub fn of(extensions: &Extensions) -> Self {
        let certificate = extensions.get::<Arc<ClientCertificate>>();
        Self {
            certificate: certificate.map(|certificate| certificate.thumbprint()),
            client: extensions.get::<ClientForLog>().cloned(),
        }
    }

    /// What its refusals count against; `None` without a client certificate: no TPP calls without one (TLS-004).
    pub(super) fn limited(&self) -> Option<RateLimitKey> {
        let certificate = self.certificate.map(RateLimitKey::Certificate)?;
        Some(self.client.as_ref().and_then(ClientForLog::client).map_or(certificate, RateLimitKey::from))
    }

    /// In whose name a signature waits.
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
