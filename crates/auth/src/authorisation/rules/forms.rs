//! The one form a request may take: a request object by value.

use super::findings::Findings;
use super::request::{LocalProblem, Located, invalid, invalid_object};
use super::table::Setting;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;

const NO_REFERENCE: OAuthError =
    OAuthError::new(OAuthErrorCode::RequestUriNotSupported, "Request objects by reference are not supported.");

/// The request object. Without one there is no verified address, so this stays here.
///
/// Source: AS-061, AS-063.
pub(super) fn by_value(parameters: &Form) -> Result<&str, LocalProblem> {
    match (parameters.value("request"), parameters.value("request_uri")) {
        (Some(object), _) => Ok(object),
        (None, Some(_)) => Err(LocalProblem::new("AS-063", NO_REFERENCE)),
        (None, None) => {
            Err(LocalProblem::new("AS-061", invalid("The parameter request, a signed request object, is required.")))
        }
    }
}

/// Nothing beside the object that stands for another form of request.
///
/// Source: AS-063.
pub(super) fn one_form_only(located: &Located, _: &Setting<'_>, _: &mut Findings) -> Result<(), OAuthError> {
    if located.outside.value("request_uri").is_some() {
        return Err(invalid("A request comes by value or by reference, not both."));
    }
    if located.outside.value("registration").is_some() || located.object.claims.value("registration").is_some() {
        let description = "Registration in an authorisation request is not supported.";
        return Err(OAuthError::new(OAuthErrorCode::RegistrationNotSupported, description));
    }
    let nested = ["request", "request_uri"].iter().any(|name| located.object.claims.0.contains_key(*name));
    if nested { Err(invalid_object("A request object must not hold another one.")) } else { Ok(()) }
}

/// The client and response type outside are those inside; whatever else stands outside is ignored.
///
/// Source: AS-062.
pub(super) fn same_outside(located: &Located, _: &Setting<'_>, _: &mut Findings) -> Result<(), OAuthError> {
    let inside = |name| located.object.claims.text(name);
    // The outer client_id found the client, so it is there.
    if inside("client_id")?.is_some_and(|id| id != located.client.id.as_str()) {
        return Err(invalid("The client_id inside and outside the request object differ."));
    }
    let inner = inside("response_type")?.ok_or_else(|| invalid("The request object must hold response_type."))?;
    let outer = located
        .outside
        .value("response_type")
        .ok_or_else(|| invalid("The parameter response_type is required beside the request object."))?;
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
