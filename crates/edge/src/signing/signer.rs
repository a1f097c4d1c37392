//! The key that signs a response, and the header of its signature.

use crate::App;
use http::HeaderValue;
use lombard_auth::keys::KeysError;
use lombard_jose::{DetachedDigest, JoseHeader, SignedPayload, SigningKey, message_header};
use std::sync::Arc;

/// What an answer's body comes to, for whoever signs it. A response extension: the body is then not read to be signed.
#[derive(Debug, Clone)]
pub(super) struct BodyDigest {
    pub(super) key: Arc<SigningKey>,
    pub(super) digest: DetachedDigest,
}

/// The key that signs an answer of this media type now, and what the signature's header says.
pub(super) fn signer(app: &App, media: Option<&HeaderValue>) -> Result<(Arc<SigningKey>, JoseHeader), KeysError> {
    let key = app.auth.keys.active_key()?;
    let settings = &app.settings.signing;
    let now = app.context.clocks.wall_now().as_second();
    let organisation = &settings.organisation;
    let anchor = &settings.trust_anchor;
    let header = message_header(key.key.id(), organisation, anchor, payload(media), now);
    Ok((key.key.clone(), header))
}

/// What the body is, without the parameters of its type. Source: PIS-074.
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
