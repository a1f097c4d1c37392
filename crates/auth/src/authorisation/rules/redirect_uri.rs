//! The rule of `redirect_uri`: a response is sent only to an address that the client has registered.

use super::request::{IdentifiedRequest, RequestSource, UnverifiedRequestError, VerifiedRequest};
use super::response;
use crate::form::Form;
use lombard_domain::client::Client;

/// Returns the redirect URI of the signed object if it is, byte for byte, a registered one.
///
/// A redirect URI outside the object is never used, not even for errors.
///
/// Source: AS-064, AS-074.
pub(super) fn find_redirect_uri(
    client: Client,
    object: VerifiedRequest,
    arrival: RequestSource,
    outside: Form,
) -> Result<IdentifiedRequest, UnverifiedRequestError> {
    let unidentified = || UnverifiedRequestError::unidentified("AS-064");
    let asked = object.claims.text("redirect_uri").ok().flatten().filter(|asked| client.has_redirect_uri(asked));
    let redirect_uri = asked.ok_or_else(unidentified)?.to_owned();
    let state = object.claims.text("state").ok().flatten().map(str::to_owned);
    let mode = response::mode(&object.claims, &client);
    Ok(IdentifiedRequest { client, redirect_uri, state, mode, object, source: arrival, outer_parameters: outside })
}
