//! The forms of a request: a signed request object by value, or a reference to a pushed one.

use super::context::RuleContext;
use super::faults::{invalid, invalid_object};
use super::findings::RuleFindings;
use super::request::{IdentifiedRequest, RequestSource, UnverifiedRequestError};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use lombard_domain::client::Client;

const NO_REFERENCE: OAuthError =
    OAuthError::new(OAuthErrorCode::RequestUriNotSupported, "Only references to pushed requests are supported.");

/// The prefix of every reference to a pushed request. Source: AS-151, RFC 9126 section 2.2.
pub(crate) const REFERENCE_PREFIX: &str = "urn:ietf:params:oauth:request_uri:";

/// The place of the request object.
pub(super) enum RequestForm<'a> {
    /// The request object itself (`request`).
    Object(&'a str),
    /// The request was pushed before, under this reference.
    Reference(&'a str),
}

/// Finds the request object. Without one there is no verified address, so a refusal is shown on a page of this server.
///
/// Source: AS-061, AS-063, AS-152.
pub(super) fn find_request_object(parameters: &Form) -> Result<RequestForm<'_>, UnverifiedRequestError> {
    match (parameters.value("request"), parameters.value("request_uri")) {
        (Some(object), _) => Ok(RequestForm::Object(object)),
        (None, Some(reference)) if reference.starts_with(REFERENCE_PREFIX) => Ok(RequestForm::Reference(reference)),
        (None, Some(_)) => Err(UnverifiedRequestError::new("AS-063", NO_REFERENCE)),
        (None, None) => Err(UnverifiedRequestError::new("AS-061", OBJECT_MISSING)),
    }
}

const OBJECT_MISSING: OAuthError = invalid("The parameter request, a signed request object, is required.");

/// The form of a request that a client pushes.
pub(super) enum PushedForm<'a> {
    /// A request object.
    Object(&'a str),
    /// The parameters themselves.
    Parameters,
}

/// Determines what a client pushes: a request object, or the parameters themselves if the client need not sign its requests. A reference to
/// another request is refused.
///
/// Source: AS-061, AS-151, AS-154.
pub(super) fn pushed<'a>(form: &'a Form, client: &Client) -> Result<PushedForm<'a>, UnverifiedRequestError> {
    match (form.value("request"), form.value("request_uri")) {
        (_, Some(_)) => Err(UnverifiedRequestError::new("AS-151", invalid("A request_uri cannot be pushed."))),
        (Some(object), None) => Ok(PushedForm::Object(object)),
        (None, None) if !client.must_sign_requests() => Ok(PushedForm::Parameters),
        (None, None) => Err(UnverifiedRequestError::new("AS-061", OBJECT_MISSING)),
    }
}

/// Requires that the request arrived as the client's profile demands, which may have changed since the push. A request of FAPI 2.0 must be
/// pushed. Every request must be signed, unless the client's registration allows unsigned requests.
///
/// Source: AS-061, AS-154, AS-182.
pub(super) fn check_profile_form(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    if located.client.profile.is_fapi2() && located.source == RequestSource::ByValue {
        return Err(invalid("The bank holds this client to FAPI 2.0: its authorisation requests must be pushed."));
    }
    if located.client.must_sign_requests() && !located.object.is_signed { Err(OBJECT_MISSING) } else { Ok(()) }
}

/// Refuses parameters beside the object that belong to another form of request.
///
/// Source: AS-063.
pub(super) fn check_single_form(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    if located.source == RequestSource::ByValue && located.outer_parameters.value("request_uri").is_some() {
        return Err(invalid("A request comes by value or by reference, not both."));
    }
    if located.outer_parameters.value("registration").is_some() || located.object.claims.value("registration").is_some()
    {
        let description = "Registration in an authorisation request is not supported.";
        return Err(OAuthError::new(OAuthErrorCode::RegistrationNotSupported, description));
    }
    let nested = ["request", "request_uri"].iter().any(|name| located.object.claims.0.contains_key(*name));
    if nested { Err(invalid_object("A request object must not hold another one.")) } else { Ok(()) }
}

/// Requires that client and response type outside the object equal those inside; other parameters outside are ignored. Beside a reference
/// to a pushed request only the client is required.
///
/// Source: AS-062, RFC 9126 section 4.
pub(super) fn check_outer_parameters(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let inside = |name| located.object.claims.text(name);
    // The client was found by the outer `client_id`, so it need not be compared again.
    if inside("client_id")?.is_some_and(|id| id != located.client.id.as_str()) {
        return Err(invalid("The client_id inside and outside the request object differ."));
    }
    let inner = inside("response_type")?.ok_or_else(|| invalid("The request object must hold response_type."))?;
    let outer = match (located.outer_parameters.value("response_type"), located.source) {
        (Some(outer), _) => outer,
        (None, RequestSource::Pushed { .. }) => return Ok(()),
        (None, RequestSource::ByValue) => {
            return Err(invalid("The parameter response_type is required beside the request object."));
        }
    };
    if words(inner) == words(outer) {
        Ok(())
    } else {
        Err(invalid("The response_type inside and outside the request object differ."))
    }
}

/// The words of a space-separated list, sorted: their order means nothing. Source: OAuth Multiple Response Types, 3.
pub(super) fn words(list: &str) -> Vec<&str> {
    let mut words: Vec<_> = list.split(' ').filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words
}
