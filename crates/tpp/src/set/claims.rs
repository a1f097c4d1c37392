//! The claims of a security event token except the contents of `events`. Source: SET-010 to SET-016.

use super::values::{SKEW_SECS, is_address, is_id, time};
use super::{ExpectedSet, SetPart};
use serde_json::{Map, Value};

/// The claims that the standard allows. Source: SET-010.
const CLAIMS: [&str; 8] = ["iss", "iat", "jti", "aud", "sub", "txn", "toe", "events"];

/// Reads the claims in the order of the standard. Of `events`, this function reports only the absence.
pub(super) fn read(claims: &Map<String, Value>, expected: &ExpectedSet<'_>) -> Vec<SetPart> {
    let mut parts = Vec::new();
    for name in CLAIMS {
        match claims.get(name) {
            None => parts.push(SetPart::absent(name, "SET-010")),
            Some(value) => parts.extend(claim(name, value, claims, expected)),
        }
    }
    for (name, value) in claims.iter().filter(|(name, _)| !CLAIMS.contains(&name.as_str())) {
        let part = SetPart::new(name, value, "not a claim that the standard knows");
        parts.push(part.fault("it must not be there (SET-010)"));
    }
    parts
}

fn claim(name: &str, value: &Value, claims: &Map<String, Value>, expected: &ExpectedSet<'_>) -> Option<SetPart> {
    Some(match name {
        "iss" => issuer(value, expected.issuer),
        "iat" => {
            let latest = expected.now.as_second().saturating_add(SKEW_SECS);
            at("iat", value, "the bank wrote it down; every delivery of the event says the same")
                .fault_unless(value.as_i64().is_none_or(|it| it <= latest), "that is in the future")
        }
        "jti" => SetPart::new("jti", value, "the event's id, never used again: acknowledge it by this")
            .fault_unless(is_id(value), "it is not text of 1 to 128 characters (SET-013)"),
        "aud" => audience(value, expected.audience),
        "sub" => SetPart::new("sub", value, "the resource it is about: the consent or the order")
            .fault_unless(is_address(value), "it is no https address (SET-015)"),
        "txn" => {
            let own = Some(value) == claims.get("jti");
            let meaning = if own {
                "the same as jti: no call of the API caused it"
            } else {
                "the x-fapi-interaction-id of the call that caused it"
            };
            SetPart::new("txn", value, meaning)
                .fault_unless(is_id(value), "it is not text of 1 to 128 characters (SET-016)")
        }
        "toe" => {
            let written = claims.get("iat").and_then(Value::as_i64);
            let ordered = value.as_i64().zip(written).is_none_or(|(happened, written)| happened <= written);
            at("toe", value, "it happened").fault_unless(ordered, "it was written down before it happened (SET-012)")
        }
        _ => return None,
    })
}

fn issuer(value: &Value, expected: Option<&str>) -> SetPart {
    let meaning = match expected {
        Some(_) => "who says it: the bank's authorisation server, whose discovery document names the keys",
        None => "who says it; whether that is your bank was not checked: these keys came without an issuer",
    };
    let same = expected.is_none_or(|issuer| value.as_str() == Some(issuer));
    SetPart::new("iss", value, meaning)
        .fault_unless(is_address(value), "it is no https address (SET-011)")
        .fault_unless(same, "it is not the issuer of the bank's discovery document (SET-011)")
}

fn audience(value: &Value, expected: Option<&str>) -> SetPart {
    let same = expected.is_none_or(|client| value.as_str() == Some(client));
    SetPart::new("aud", value, "whom it is for: the client id that made the resource")
        .fault_unless(is_id(value), "it is not one text of 1 to 128 characters (SET-014)")
        .fault_unless(same, "it is for somebody else (SET-014)")
}

fn at(name: &str, value: &Value, what: &str) -> SetPart {
    match time(value) {
        Some((_, at)) => SetPart::new(name, value, format!("when {what}: {at}")),
        None => {
            SetPart::new(name, value, format!("when {what}")).fault("it is no integer of seconds since 1970 (SET-012)")
        }
    }
}
