//! The rule of PKCE: the proof that the client that exchanges the code made the request.

use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::request::{IdentifiedRequest, RequestSource};
use crate::error::OAuthError;

/// Bytes of a SHA-256 digest, which is what an S256 challenge encodes. Source: RFC 7636 section 4.2.
const DIGEST_BYTES: usize = 32;

/// Reads the S256 challenge, which is required in a pushed request and optional otherwise. The method `plain`, which an absent method
/// means, is refused because it protects nothing.
///
/// Source: AS-150, AS-151.
pub(super) fn challenge(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    findings: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let claims = &located.object.claims;
    match (claims.text("code_challenge")?, claims.text("code_challenge_method")?) {
        (None, None) if located.source == RequestSource::ByValue => Ok(()),
        (None, None) => Err(invalid("A pushed request must hold a code_challenge.")),
        (None, Some(_)) => Err(invalid("A code_challenge_method needs a code_challenge.")),
        (Some(challenge), Some("S256")) => {
            let digest = lombard_jose::from_base64url(challenge).filter(|digest| digest.len() == DIGEST_BYTES);
            digest.ok_or_else(|| invalid("The code_challenge is not a SHA-256 digest in base64url."))?;
            findings.code_challenge = Some(challenge.to_owned());
            Ok(())
        }
        (Some(_), _) => Err(invalid("The code_challenge_method must be S256.")),
    }
}
