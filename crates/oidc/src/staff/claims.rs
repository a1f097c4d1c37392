//! The checks of the tokens of staff. Source: OpenID Connect Core 1.0 section 3.1.3.7, RFC 9068 section 4.

use super::settings::StaffOidcSettings;
use crate::id_token::{AGE_SECS_MAX, SKEW_SECS, is_only_audience};
use jiff::Timestamp;
use lombard_domain::staff::{StaffMember, StaffName, StaffRole};
use lombard_jose::{CompactJws, KeySet, VerifyError, secrets_are_equal};
use serde_json::{Map, Value};

/// The media types of an access token. An ID token has another one, and is none. Source: RFC 9068 section 4.
const ACCESS_TOKEN_TYPES: [&str; 2] = ["at+jwt", "application/at+jwt"];

/// What the claims of a token are compared with.
pub(super) struct StaffClaims<'a> {
    pub(super) settings: &'a StaffOidcSettings,
    pub(super) now: Timestamp,
}

/// Verifies the signature of a token.
pub(super) fn verify(token: &CompactJws, keys: &KeySet) -> Result<(), &'static str> {
    token.verify_ps256_or_es256(keys).map_err(|error| match error {
        VerifyError::Algorithm => "the token's algorithm is neither PS256 nor ES256",
        VerifyError::Critical => "the token has a critical header that is not understood",
        VerifyError::KeyUnknown => "the token's key is unknown",
        VerifyError::Signature => "the token's signature is wrong",
    })
}

/// The member whom a verified ID token names. It must be for this server alone, and for the login with this nonce.
pub(super) fn read_id_token(
    token: &CompactJws,
    expected: &StaffClaims<'_>,
    nonce: &str,
) -> Result<StaffMember, &'static str> {
    let claims = timely_claims(token, expected)?;
    let settings = expected.settings;
    if is_access_token(token) {
        return Err("the provider sent an access token for an ID token");
    }
    if !is_only_audience(claims.get("aud"), &settings.client_id) {
        return Err("the token is for another audience");
    }
    if claims.get("azp").is_some_and(|azp| azp != settings.client_id.as_str()) {
        return Err("the token was issued to another client");
    }
    let oldest = expected.now.as_second().saturating_sub(AGE_SECS_MAX);
    if claims.get("iat").and_then(Value::as_i64).is_none_or(|iat| iat < oldest) {
        return Err("the token was not issued now");
    }
    let named = claims.get("nonce").and_then(Value::as_str);
    if !named.is_some_and(|named| secrets_are_equal(named.as_bytes(), nonce.as_bytes())) {
        return Err("the token belongs to another login");
    }
    member(&claims, settings)
}

/// The member for whom a verified access token was issued. The audience must be this server, perhaps among others.
pub(super) fn read_access_token(token: &CompactJws, expected: &StaffClaims<'_>) -> Result<StaffMember, &'static str> {
    let claims = timely_claims(token, expected)?;
    if !is_access_token(token) {
        return Err("the token is no access token: its header has no typ at+jwt");
    }
    let audience = expected.settings.audience.as_str();
    let is_meant = match claims.get("aud") {
        Some(Value::String(only)) => only == audience,
        Some(Value::Array(all)) => all.iter().any(|one| one == audience),
        _ => false,
    };
    if !is_meant {
        return Err("the token is for another audience");
    }
    member(&claims, expected.settings)
}

fn is_access_token(token: &CompactJws) -> bool {
    let typ = token.header().typ.as_deref().unwrap_or_default();
    ACCESS_TOKEN_TYPES.iter().any(|known| typ.eq_ignore_ascii_case(known))
}

/// The claims of a token of this issuer that is valid now.
fn timely_claims(token: &CompactJws, expected: &StaffClaims<'_>) -> Result<Map<String, Value>, &'static str> {
    let claims: Map<String, Value> = token.claims().map_err(|_| "the token's claims cannot be read")?;
    let seconds = |name: &str| claims.get(name).and_then(Value::as_i64);
    let now = expected.now.as_second();
    let soon = now.saturating_add(SKEW_SECS);
    if claims.get("iss").and_then(Value::as_str) != Some(&expected.settings.issuer) {
        return Err("the token is of another issuer");
    }
    if seconds("exp").is_none_or(|exp| exp.saturating_add(SKEW_SECS) <= now) {
        return Err("the token has expired");
    }
    if seconds("iat").is_none_or(|iat| iat > soon) {
        return Err("the token was not issued yet");
    }
    if claims.get("nbf").is_some_and(|nbf| nbf.as_i64().is_none_or(|nbf| nbf > soon)) {
        return Err("the token is not valid yet");
    }
    Ok(claims)
}

/// The member whom the claims name. Exactly one of the roles in the claim must be known here: of several, none can be chosen.
fn member(claims: &Map<String, Value>, settings: &StaffOidcSettings) -> Result<StaffMember, &'static str> {
    let name = find(claims, &settings.name_claim).and_then(Value::as_str).and_then(StaffName::parse);
    let name = name.ok_or("the token does not name the member (ops.name_claim)")?;
    let roles: Vec<StaffRole> = match find(claims, &settings.role_claim) {
        Some(Value::String(one)) => StaffRole::parse(one).into_iter().collect(),
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).filter_map(StaffRole::parse).collect(),
        _ => Vec::new(),
    };
    match roles.as_slice() {
        [role] => Ok(StaffMember { name, role: *role }),
        [] => Err("the token names no role of these operations (ops.role_claim): view, support, security or admin"),
        _ => Err("the token names several roles of these operations (ops.role_claim); a member has one"),
    }
}

/// The claim of this name: the claim with the whole name, or the value to which its dots lead.
fn find<'c>(claims: &'c Map<String, Value>, name: &str) -> Option<&'c Value> {
    claims.get(name).or_else(|| {
        let mut parts = name.split('.');
        let first = claims.get(parts.next()?)?;
        parts.try_fold(first, |value, part| value.get(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_jose::{JoseHeader, SigningKey, sign_compact};
    use serde_json::json;
    use std::sync::LazyLock;
    use std::time::Duration;
    use zeroize::Zeroizing;

    const NOW: i64 = 1_800_000_000;

    static KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());

    fn settings() -> StaffOidcSettings {
        StaffOidcSettings {
            issuer: "https://login.test".to_owned(),
            client_id: "operations".to_owned(),
            client_secret: Zeroizing::new("secret".to_owned()),
            redirect_uri: "https://ops.test/login/callback".to_owned(),
            audience: "lombard-operations".to_owned(),
            scopes: vec!["openid".to_owned()],
            role_claim: "roles".to_owned(),
            name_claim: "sub".to_owned(),
            timeout: Duration::from_secs(1),
            plain_loopback: false,
            anchors: Vec::new(),
        }
    }

    fn token(typ: &str, claims: &Value) -> CompactJws {
        let header = JoseHeader::ps256(KEY.id()).typ(typ);
        CompactJws::parse(&sign_compact(&KEY, &header, claims.to_string().as_bytes()).unwrap()).unwrap()
    }

    fn id_claims() -> Value {
        json!({
            "iss": "https://login.test", "aud": "operations", "sub": "ada", "roles": ["support"], "nonce": "n", "iat": NOW,
            "exp": NOW + 60,
        })
    }

    fn access_claims() -> Value {
        json!({
            "iss": "https://login.test", "aud": ["lombard-operations", "other"], "sub": "ada", "roles": "security",
            "iat": NOW - 3_000, "exp": NOW + 60,
        })
    }

    fn read_id(typ: &str, claims: &Value) -> Result<StaffMember, &'static str> {
        let settings = settings();
        let expected = StaffClaims { settings: &settings, now: Timestamp::from_second(NOW).unwrap() };
        read_id_token(&token(typ, claims), &expected, "n")
    }

    fn read_access(typ: &str, claims: &Value) -> Result<StaffMember, &'static str> {
        let settings = settings();
        let expected = StaffClaims { settings: &settings, now: Timestamp::from_second(NOW).unwrap() };
        read_access_token(&token(typ, claims), &expected)
    }

    fn with(mut claims: Value, name: &str, value: Value) -> Value {
        claims[name] = value;
        claims
    }

    #[test]
    fn an_id_token_names_a_member_unless_one_claim_is_wrong() {
        let member = read_id("JWT", &id_claims()).unwrap();
        assert_eq!((member.name.as_str(), member.role), ("ada", StaffRole::Support));
        for (name, value, fault) in [
            ("iss", json!("https://login.test/"), "another issuer"),
            ("aud", json!("portal"), "another audience"),
            ("aud", json!(["operations", "portal"]), "another audience"),
            ("azp", json!("portal"), "another client"),
            ("nonce", json!("m"), "another login"),
            ("nonce", Value::Null, "another login"),
            ("exp", json!(NOW - 61), "expired"),
            ("iat", json!(NOW - 601), "not issued now"),
            ("iat", json!(NOW + 61), "not issued yet"),
            ("nbf", json!(NOW + 61), "not valid yet"),
            ("sub", json!(""), "does not name the member"),
            ("roles", json!(["owner"]), "no role"),
            ("roles", Value::Null, "no role"),
            ("roles", json!(["support", "admin"]), "several roles"),
        ] {
            let refused = read_id("JWT", &with(id_claims(), name, value.clone())).unwrap_err();
            assert!(refused.contains(fault), "{name} {value}: {refused}");
        }
        assert!(read_id("at+jwt", &id_claims()).is_err(), "an access token is no ID token");
    }

    #[test]
    fn rfc_9068_an_access_token_is_for_this_audience_and_no_id_token_is_one() {
        let member = read_access("at+jwt", &access_claims()).unwrap();
        assert_eq!((member.name.as_str(), member.role), ("ada", StaffRole::Security));
        assert!(read_access("application/AT+JWT", &access_claims()).is_ok());
        for typ in ["JWT", "", "at+jwt "] {
            assert!(read_access(typ, &access_claims()).is_err(), "{typ:?}");
        }
        for (name, value) in [
            ("iss", json!("https://other.test")),
            ("aud", json!("operations")),
            ("aud", Value::Null),
            ("exp", json!(NOW - 61)),
            ("exp", Value::Null),
            ("roles", json!([])),
        ] {
            assert!(read_access("at+jwt", &with(access_claims(), name, value.clone())).is_err(), "{name} {value}");
        }
    }

    #[test]
    fn a_key_of_another_provider_signs_nothing() {
        let other = SigningKey::generate().unwrap();
        let own: KeySet = [KEY.public().clone()].into_iter().collect();
        let foreign: KeySet = [other.public().clone()].into_iter().collect();
        let token = token("at+jwt", &access_claims());
        assert_eq!((verify(&token, &own).is_ok(), verify(&token, &foreign).is_err()), (true, true));
    }

    #[test]
    fn dots_in_the_name_of_a_claim_lead_into_objects() {
        let claims = json!({"realm_access": {"roles": ["admin"]}, "https://bank.test/roles": "view"});
        let claims = claims.as_object().unwrap();
        assert_eq!(find(claims, "realm_access.roles"), Some(&json!(["admin"])));
        assert_eq!(find(claims, "https://bank.test/roles"), Some(&json!("view")));
        assert_eq!(find(claims, "realm_access.none"), None);
    }
}
