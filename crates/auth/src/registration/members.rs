//! Members of a registration that this server does not support, or supports with one value only. Any other value is refused
//! instead of ignored. Source: DCR-015.

use super::error::refused;
use crate::error::OAuthError;
use lombard_domain::security_profile::SecurityProfile;
use serde_json::{Map, Value};

/// The value of a member that is accepted.
#[derive(Debug, Clone, Copy)]
enum AcceptedValue {
    /// No value, because the member is not supported.
    Nothing,
    /// This text, which is what the server does in any case.
    Text(&'static str),
    /// This boolean, which is what the server does in any case.
    Flag(bool),
    /// The boolean that states whether the client's security profile makes it push its requests.
    Pushes,
    /// The boolean that states whether the client signs its requests: `false` only if its security profile does not make it sign them.
    Signs,
}

/// A member, its accepted value, and the error for any other value.
struct Member {
    name: &'static str,
    honoured: AcceptedValue,
    refusal: &'static str,
}

/// Generates the table of members: name, accepted value, and text of the error.
macro_rules! members {
    ($($name:literal: $honoured:expr, $says:literal;)*) => {
        const MEMBERS: &[Member] = &[$(Member {
            name: $name,
            honoured: $honoured,
            refusal: concat!($name, " ", $says),
        }),*];
    };
}

members! {
    // OpenID Connect Dynamic Client Registration 1.0 section 2.
    "subject_type": AcceptedValue::Text("public"), "must be public.";
    "sector_identifier_uri": AcceptedValue::Nothing, "is not supported: subjects are public.";
    "id_token_encrypted_response_alg": AcceptedValue::Nothing, "is not supported: identity tokens are signed and not encrypted.";
    "id_token_encrypted_response_enc": AcceptedValue::Nothing, "is not supported: identity tokens are signed and not encrypted.";
    "userinfo_encrypted_response_alg": AcceptedValue::Nothing, "is not supported: answers of userinfo are not encrypted.";
    "userinfo_encrypted_response_enc": AcceptedValue::Nothing, "is not supported: answers of userinfo are not encrypted.";
    "userinfo_signed_response_alg": AcceptedValue::Nothing, "is not supported: answers of userinfo are JSON.";
    "request_object_encryption_alg": AcceptedValue::Nothing, "is not supported: request objects are signed and not encrypted.";
    "request_object_encryption_enc": AcceptedValue::Nothing, "is not supported: request objects are signed and not encrypted.";
    "default_max_age": AcceptedValue::Nothing, "is not supported: name max_age in each request.";
    "default_acr_values": AcceptedValue::Nothing, "is not supported: name acr in each request.";
    "require_auth_time": AcceptedValue::Flag(false), "must be false.";
    "request_uris": AcceptedValue::Nothing, "is not supported: push requests, or send them by value.";
    // RFC 7591 section 2: keys are those that the directory publishes.
    "jwks": AcceptedValue::Nothing, "is not supported: keys are those at software_jwks_endpoint of the software statement.";
    // OpenID Connect logout.
    "post_logout_redirect_uris": AcceptedValue::Nothing, "is not supported: there is no logout at the bank.";
    "frontchannel_logout_uri": AcceptedValue::Nothing, "is not supported: there is no logout at the bank.";
    "backchannel_logout_uri": AcceptedValue::Nothing, "is not supported: there is no logout at the bank.";
    // RFC 8705 sections 2.1.2 and 3.4.
    "tls_client_auth_san_dns": AcceptedValue::Nothing, "is not supported: name tls_client_auth_subject_dn.";
    "tls_client_auth_san_uri": AcceptedValue::Nothing, "is not supported: name tls_client_auth_subject_dn.";
    "tls_client_auth_san_ip": AcceptedValue::Nothing, "is not supported: name tls_client_auth_subject_dn.";
    "tls_client_auth_san_email": AcceptedValue::Nothing, "is not supported: name tls_client_auth_subject_dn.";
    "tls_client_certificate_bound_access_tokens": AcceptedValue::Flag(true), "must be true.";
    // RFC 9449 section 5.2, RFC 9396 section 10.
    "dpop_bound_access_tokens": AcceptedValue::Flag(false), "must be false: tokens are bound to the client certificate.";
    "authorization_details_types": AcceptedValue::Nothing, "is not supported.";
    // RFC 9126 section 6, RFC 9101 section 10.5: the bank sets the security profile.
    "require_pushed_authorization_requests": AcceptedValue::Pushes, "must be what the security profile of the client says: true with FAPI 2.0.";
    "require_signed_request_object": AcceptedValue::Signs, "must be true or false, and true where the security profile of the client demands it.";
    // JARM section 3.
    "authorization_signed_response_alg": AcceptedValue::Text("PS256"), "must be PS256.";
    "authorization_encrypted_response_alg": AcceptedValue::Nothing, "is not supported: responses are not encrypted.";
    "authorization_encrypted_response_enc": AcceptedValue::Nothing, "is not supported: responses are not encrypted.";
    // RFC 9701 section 6.
    "introspection_encrypted_response_alg": AcceptedValue::Nothing, "is not supported: answers of introspection are not encrypted.";
    "introspection_encrypted_response_enc": AcceptedValue::Nothing, "is not supported: answers of introspection are not encrypted.";
}

/// Refuses the first member whose value is not accepted for a client with this profile.
pub(super) fn check_members(members: &Map<String, Value>, profile: SecurityProfile) -> Result<(), OAuthError> {
    let is_refused = |member: &&Member| {
        let asked = members.get(member.name).filter(|value| !is_nothing(value));
        asked.is_some_and(|value| !is_honoured(member.honoured, value, profile))
    };
    match MEMBERS.iter().find(is_refused) {
        Some(member) => Err(refused(member.refusal, "member")),
        None => Ok(()),
    }
}

/// Whether a value requests nothing: null or an empty list.
fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn is_honoured(honoured: AcceptedValue, value: &Value, profile: SecurityProfile) -> bool {
    match honoured {
        AcceptedValue::Nothing => false,
        AcceptedValue::Text(text) => value == text,
        AcceptedValue::Flag(flag) => *value == flag,
        AcceptedValue::Pushes => *value == profile.is_fapi2(),
        AcceptedValue::Signs => *value == true || (*value == false && !profile.signs_requests()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(name: &str, value: Value, profile: SecurityProfile) -> bool {
        check_members(&Map::from_iter([(name.to_owned(), value)]), profile).is_ok()
    }

    #[test]
    fn dcr_015_every_member_is_honoured_or_refused_by_its_name() {
        let profile = SecurityProfile::default();
        for member in MEMBERS {
            assert!(member.refusal.starts_with(member.name), "{}", member.name);
            assert!(judged(member.name, Value::Null, profile), "{}", member.name);
            assert!(!judged(member.name, json!({"odd": 1}), profile), "{}", member.name);
            match member.honoured {
                AcceptedValue::Nothing => {
                    assert!(!judged(member.name, json!("RSA-OAEP-256"), profile), "{}", member.name)
                }
                AcceptedValue::Text(text) => {
                    assert!(judged(member.name, json!(text), profile), "{}", member.name);
                    assert!(!judged(member.name, json!("pairwise"), profile), "{}", member.name);
                }
                AcceptedValue::Flag(flag) => {
                    assert!(judged(member.name, json!(flag), profile), "{}", member.name);
                    assert!(!judged(member.name, json!(!flag), profile), "{}", member.name);
                    assert!(!judged(member.name, json!(flag.to_string()), profile), "{}", member.name);
                }
                AcceptedValue::Pushes => {
                    for profile in [SecurityProfile::Fapi1Advanced, SecurityProfile::Fapi2Security] {
                        assert_eq!(judged(member.name, json!(true), profile), profile.is_fapi2(), "{profile:?}");
                        assert_eq!(judged(member.name, json!(false), profile), !profile.is_fapi2(), "{profile:?}");
                    }
                }
                AcceptedValue::Signs => {
                    for profile in SecurityProfile::ALL {
                        assert!(judged(member.name, json!(true), profile), "{profile:?}: it is a switch of the client");
                        assert_eq!(
                            judged(member.name, json!(false), profile),
                            !profile.signs_requests(),
                            "{profile:?}"
                        );
                    }
                }
            }
        }
        assert!(judged("unheard_of", json!(1), profile), "other members are ignored");
    }
}
