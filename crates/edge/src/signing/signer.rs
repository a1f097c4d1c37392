//! Finds the key that signs a response, and makes the header of its signature.

use crate::App;
use http::HeaderValue;
use lombard_auth::keys::KeysError;
use lombard_jose::{DetachedDigest, JoseHeader, SignedPayload, SigningKey, message_header};
use std::sync::Arc;

/// The digest of a response's body, so that the body is not read to be signed. A response extension.
#[derive(Debug, Clone)]
pub(super) struct BodyDigest {
    pub(super) key: Arc<SigningKey>,
    pub(super) digest: DetachedDigest,
}

/// The key that signs now, and the signature header for a response of this media type.
pub(super) fn signer(app: &App, media: Option<&HeaderValue>) -> Result<(Arc<SigningKey>, JoseHeader), KeysError> {
    let key = app.auth.keys.active_key()?;
    let settings = &app.settings.signing;
    let now = app.context.clocks.wall_now().as_second();
    let organisation = &settings.organisation;
    let anchor = &settings.trust_anchor;
    let header = message_header(key.key.id(), organisation, anchor, payload(media), now);
    Ok((key.key.clone(), header))
}

/// The kind of payload, from the media type without its parameters. Source: PIS-074.
fn payload(media: Option<&HeaderValue>) -> SignedPayload<'_> {
    let name = media.and_then(|media| media.to_str().ok()).and_then(|media| media.split(';').next()).map(str::trim);
    match name {
        None | Some("application/json") => SignedPayload::Json,
        Some(other) => SignedPayload::Other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pis_074_a_signature_names_what_is_not_json() {
        let named = |media: &'static str| payload(Some(Box::leak(Box::new(HeaderValue::from_static(media)))));
        assert_eq!(named("application/json; charset=utf-8"), SignedPayload::Json);
        assert_eq!(named("text/xml; charset=utf-8"), SignedPayload::Other("text/xml"));
        assert_eq!(payload(None), SignedPayload::Json);
    }
}
