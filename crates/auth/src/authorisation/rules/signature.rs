//! The rule that the request object is signed by a registered key of this client.

use super::claims::RequestObjectClaims;

use super::faults::{invalid, invalid_object};
use super::request::{LocalProblem, RuleRefusal, VerifiedRequest};
use crate::AuthorisationServer;
use crate::error::OAuthError;
use lombard_domain::client::Client;
use lombard_jose::CompactJws;
use std::sync::Arc;

/// Most bytes of a request object. Source: AS-066.
const OBJECT_BYTES_MAX: usize = 12 * 1024;

/// Why a request object could not be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestObjectError {
    /// It is too long.
    TooLong,
    /// It is no signed JWT.
    Malformed,
    /// No registered key of the client made its signature, or not with PS256.
    Unverified,
    /// What is signed is not one JSON object without repeated names.
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

    /// For whoever sent a browser here. What failed is not told: it would help only somebody who is not the client.
    ///
    /// Source: AS-064.
    pub(super) fn unidentified(self) -> LocalProblem {
        match self {
            Self::TooLong => LocalProblem::new(self.rule(), TOO_LONG),
            Self::Malformed | Self::Unverified | Self::Claims => LocalProblem::unidentified(self.rule()),
        }
    }

    /// For a client that has proven who it is.
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

/// Refuses an object that is too long. The same for every client, known or not.
///
/// Source: AS-066.
pub(super) const fn fits(object: &str) -> Result<(), RequestObjectError> {
    if object.len() > OBJECT_BYTES_MAX { Err(RequestObjectError::TooLong) } else { Ok(()) }
}

/// Verifies the object: PS256 only, by a key the client registered, one JSON object without repeated names.
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
