//! Pushed requests without a request object: the parameters of the form itself. Source: AS-154, RFC 9126 section 2.1.

use super::claims::RequestObjectClaims;
use super::faults::invalid;
use super::request::{RuleRefusal, VerifiedRequest};
use crate::claims::parse_whole_number;
use crate::form::Form;
use lombard_domain::client::Client;
use serde_json::{Map, Value};

/// Parameters that authenticate the client and are not part of the request.
const OF_AUTHENTICATION: [&str; 3] = ["client_assertion", "client_assertion_type", "client_secret"];

/// Reads the parameters as the claims that a request object would have. The client is the authenticated one.
///
/// # Errors
/// `invalid_request` if `claims` is not one JSON object without repeated names.
pub(super) fn read(form: &Form, client: &Client) -> Result<VerifiedRequest, RuleRefusal> {
    let mut claims = Map::new();
    for (name, text) in form.fields().filter(|(name, _)| !OF_AUTHENTICATION.contains(name)) {
        let value = match name {
            // Repeated names are refused, as in the claims of a request object.
            "claims" => lombard_jose::from_json(text.as_bytes()).map(Value::Object).map_err(|_| {
                let error = invalid("The parameter claims must be one JSON object without repeated names.");
                RuleRefusal { rule: "AS-154", error }
            })?,
            // This claim is a number in a request object; the rule of the parameter refuses other texts.
            "max_age" => parse_whole_number(text).map_or_else(|| text.into(), Value::from),
            _ => text.into(),
        };
        claims.insert(name.to_owned(), value);
    }
    claims.insert("client_id".to_owned(), client.id.as_str().into());
    Ok(VerifiedRequest { typ: None, claims: RequestObjectClaims(claims), is_signed: false })
}
