//! The type of each claim of a client's JWT, and the error description for a claim of another type, which names the claim, the type found
//! and the types allowed. Source: AS-081, RFC 7519 section 4.

use serde_json::Value;

/// The error descriptions of a claim whose value has a wrong type.
struct ClaimType {
    name: &'static str,
    /// The descriptions for a boolean, a number, a string, a list and an object, in this order.
    sentences: [&'static str; 5],
}

macro_rules! allowed {
    (Text) => {
        "a string"
    };
    (Texts) => {
        "a list of strings"
    };
    (TextOrTexts) => {
        "a string or a list of strings"
    };
    (Date) => {
        "a number of seconds from 1970 to the year 9999"
    };
    (Seconds) => {
        "a whole number of seconds, 0 or more"
    };
    (Flag) => {
        "true or false"
    };
    (Object) => {
        "an object"
    };
    (ObjectOrObjects) => {
        "an object or a list of objects, with strings"
    };
}

macro_rules! sentence {
    ($name:literal, $found:literal, $type:ident) => {
        concat!("The claim ", $name, " is ", $found, "; it must be ", allowed!($type), ".")
    };
}

macro_rules! claim_types {
    ($($name:literal: $type:ident;)*) => {
        const CLAIM_TYPES: &[ClaimType] = &[$(ClaimType {
            name: $name,
            sentences: [
                sentence!($name, "a boolean", $type),
                sentence!($name, "a number", $type),
                sentence!($name, "a string", $type),
                sentence!($name, "a list", $type),
                sentence!($name, "an object", $type),
            ],
        }),*];
    };
}

claim_types! {
    // Every JWT. Source: RFC 7519 section 4.1.
    "iss": Text;
    "sub": Text;
    "aud": TextOrTexts;
    "exp": Date;
    "nbf": Date;
    "iat": Date;
    "jti": Text;
    // Request objects.
    "client_id": Text;
    "response_type": Text;
    "response_mode": Text;
    "redirect_uri": Text;
    "scope": Text;
    "state": Text;
    "nonce": Text;
    "prompt": Text;
    "max_age": Seconds;
    "claims": Object;
    "code_challenge": Text;
    "code_challenge_method": Text;
    "id_token_hint": Text;
    // Request objects of the backchannel.
    "openbanking-intent-id": Text;
    "openbanking_intent_id": Text;
    "acr_values": Text;
    "binding_message": Text;
    "login_hint_token": Text;
    "requested_expiry": Seconds;
    "client_notification_token": Text;
    // Hints about a customer.
    "email": Text;
    "phone_number": Text;
    "ephemeral_sub": Text;
    // Requests for registration.
    "software_statement": Text;
    "software_id": Text;
    "redirect_uris": Texts;
    "token_endpoint_auth_method": Text;
    "token_endpoint_auth_signing_alg": Text;
    "tls_client_auth_subject_dn": Text;
    "grant_types": Texts;
    "response_types": Texts;
    "application_type": Text;
    "subject_type": Text;
    "id_token_signed_response_alg": Text;
    "id_token_encrypted_response_alg": Text;
    "id_token_encrypted_response_enc": Text;
    "request_object_signing_alg": Text;
    "require_signed_request_object": Flag;
    "require_pushed_authorization_requests": Flag;
    "authorization_signed_response_alg": Text;
    "introspection_signed_response_alg": Text;
    "backchannel_token_delivery_mode": Text;
    "backchannel_client_notification_endpoint": Text;
    "backchannel_authentication_request_signing_alg": Text;
    "backchannel_user_code_parameter": Flag;
    "backchannel_user_code_parameter_supported": Flag;
    // Software statements.
    "software_client_name": Text;
    "software_roles": Texts;
    "software_redirect_uris": Texts;
    "software_jwks_endpoint": Text;
    "software_jwks_revoked_endpoint": Text;
    "software_logo_uri": Text;
    "software_mode": Text;
    "software_on_behalf_of_org": Text;
    "org_id": Text;
    "org_name": Text;
    "org_status": Text;
    "organisation_competent_authority_claims": ObjectOrObjects;
}

/// The error description for a claim whose value has a wrong type. `None` if the value is null or the claim is unknown.
pub(crate) fn wrong_type(name: &str, value: &Value) -> Option<&'static str> {
    let claim = CLAIM_TYPES.iter().find(|claim| claim.name == name)?;
    let [boolean, number, string, list, object] = claim.sentences;
    match value {
        Value::Null => None,
        Value::Bool(_) => Some(boolean),
        Value::Number(_) => Some(number),
        Value::String(_) => Some(string),
        Value::Array(_) => Some(list),
        Value::Object(_) => Some(object),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn as_081_the_sentence_names_claim_found_and_allowed() {
        let exp = wrong_type("exp", &json!("soon"));
        assert_eq!(exp, Some("The claim exp is a string; it must be a number of seconds from 1970 to the year 9999."));
        for claim in CLAIM_TYPES {
            for (value, found) in [
                (json!(true), "a boolean"),
                (json!(1), "a number"),
                (json!("x"), "a string"),
                (json!([1]), "a list"),
                (json!({}), "an object"),
            ] {
                let sentence = wrong_type(claim.name, &value).unwrap();
                assert!(
                    sentence.starts_with(&format!("The claim {} is {found}; it must be ", claim.name)),
                    "{sentence}"
                );
                // Source: AS-037.
                assert!(sentence.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{sentence}");
            }
            assert_eq!(CLAIM_TYPES.iter().filter(|other| other.name == claim.name).count(), 1, "{}", claim.name);
        }
        assert_eq!((wrong_type("exp", &Value::Null), wrong_type("other", &json!(1))), (None, None));
    }
}
