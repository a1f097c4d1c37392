//! Unsupported parameters that would change what is authorised or what tokens are bound to. They are refused instead of ignored: a client
//! that sends one expects less access, or a stricter binding, than it would get.

/// The names of the parameters, each with its error description. Hints, which a server may ignore, are not included.
///
/// Source: RFC 9396 section 2, RFC 9449 section 10, RFC 8707 section 2, Grant Management for OAuth 2.0 section 5.
pub(crate) const UNSUPPORTED_PARAMETERS: [(&str, &str); 5] = [
    ("authorization_details", "The parameter authorization_details is not supported: name the consent in claims."),
    ("dpop_jkt", "The parameter dpop_jkt is not supported: tokens are bound to the client certificate."),
    ("resource", "The parameter resource is not supported: the scope and the consent say what a token opens."),
    ("grant_id", "The parameter grant_id is not supported: name the consent in claims."),
    ("grant_management_action", "The parameter grant_management_action is not supported: name the consent in claims."),
];
