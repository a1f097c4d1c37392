//! The rule that the request object is signed by a registered key of this client.

use super::claims::RequestObjectClaims;

use super::faults::{invalid, invalid_object};
use super::request::{RuleRefusal, UnverifiedRequestError, VerifiedRequest};
use crate::AuthorisationServer;
use crate::error::OAuthError;
use lombard_domain::client::Client;
use lombard_jose::CompactJws;
use std::sync::Arc;

/// The most bytes of a request object. Source: AS-066.
const OBJECT_BYTES_MAX: usize = 12 * 1024;

/// Why a request object could not be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestObjectError {
    /// The object is too long.
    TooLong,
    /// The object is not a signed JWT.
    Malformed,
    /// The signature is not one of PS256 by a registered key of the client.
    Unverified,
    /// The payload is not one JSON object without repeated names.
    Claims,
}

impl RequestObjectError {
    /// The rule that was broken, for the log.
    pub(super) const fn rule(self) -> &'static str {
        match self {
            Self::TooLong => "AS-066",
            Self::Malformed => "AS-064",
            Self::Unverified => "AS-070",
            Self::Claims => "AS-081",
        }
    }

    /// The problem to show in a browser. It does not disclose what failed, which would help only an impostor.
    ///
    /// Source: AS-064.
    pub(super) fn unidentified(self) -> UnverifiedRequestError {
        match self {
            Self::TooLong => UnverifiedRequestError::new(self.rule(), TOO_LONG),
            Self::Malformed | Self::Unverified | Self::Claims => UnverifiedRequestError::unidentified(self.rule()),
        }
    }

    /// The error for an authenticated client.
    pub(super) fn signature_error(self) -> RuleRefusal {
        let error = match self {
            Self::TooLong => TOO_LONG,
            Self::Malformed => invalid_object("The request object must be a signed JWT."),
            Self::Unverified => invalid_object("The request object must be signed with PS256 by a registered key."),
            Self::Claims => invalid_object("The request object must be one JSON object without repeated names."),
        };
        RuleRefusal { rule: self.rule(), error }
    }
}

const TOO_LONG: OAuthError = invalid("The request object is longer than 12288 bytes.");

/// Refuses an object that is too long. The limit is the same for known and unknown clients.
///
/// Source: AS-066.
pub(super) const fn fits(object: &str) -> Result<(), RequestObjectError> {
    if object.len() > OBJECT_BYTES_MAX { Err(RequestObjectError::TooLong) } else { Ok(()) }
}

/// Verifies the object: it must be signed with PS256 by a key of the client, and be one JSON object without repeated names.
///
/// Source: AS-010, AS-064, AS-066, AS-070, AS-081.
pub(super) async fn open(
    auth: &AuthorisationServer,
    client: &Client,
    object: &str,
) -> Result<VerifiedRequest, RequestObjectError> {
    fits(object)?;
    let compact = Arc::new(CompactJws::parse(object).map_err(|_| RequestObjectError::Malformed)?);
    let kid = compact.header().kid.as_deref();
    let keys = auth.client_keys.keys_of_client(client, kid).await.ok_or(RequestObjectError::Unverified)?;
    let verified = auth.client_keys.verify_compact(Arc::clone(&compact), keys).await;
    verified.map_err(|_| RequestObjectError::Unverified)?;
    let claims = compact.claims().map_err(|_| RequestObjectError::Claims)?;
    Ok(VerifiedRequest { typ: compact.header().typ.clone(), claims: RequestObjectClaims(claims), is_signed: true })
}
