//! The header of a token, and its signature. Source: SET-001 to SET-005.

use super::SetPart;
use super::values::{SKEW_SECS, is_id, time};
use jiff::Timestamp;
use lombard_jose::{CompactJws, JoseHeader, KeySet, VerifyError};
use serde_json::Value;

const IAT: &str = "http://openbanking.org.uk/iat";
const ISS: &str = "http://openbanking.org.uk/iss";
const TAN: &str = "http://openbanking.org.uk/tan";

/// The header members that `crit` must name. Source: SET-002.
pub(super) const CRITICAL: [&str; 3] = [IAT, ISS, TAN];

/// Reads the header's members.
pub(super) fn read(header: &JoseHeader, now: Timestamp) -> Vec<SetPart> {
    let text = |text: &str| Value::String(text.to_owned());
    let mut parts = vec![SetPart::new(
        "header alg",
        &text(&header.alg),
        "how it is signed: RSA with PSS and SHA-256 is the standard's only way",
    )];
    parts.push(match &header.kid {
        Some(kid) => {
            SetPart::new("header kid", &text(kid), "the key it is signed with, by its id in the bank's key set")
        }
        None => SetPart::absent("header kid", "SET-002"),
    });
    if let Some(typ) = &header.typ {
        let known = ["JOSE", "secevent+jwt"].contains(&typ.as_str());
        let part = SetPart::new("header typ", &text(typ), "what the whole is; most banks leave it out");
        parts.push(part.fault_unless(known, "it is neither JOSE nor secevent+jwt (SET-003)"));
    }
    if let Some(crit) = &header.crit {
        let meaning = "members of this header that a reader must understand, or refuse the token";
        let whole = CRITICAL.iter().all(|name| crit.iter().any(|it| it == name));
        let part = SetPart::new("header crit", &Value::from(crit.as_slice()), meaning);
        parts.push(part.fault_unless(whole, "it must name iat, iss and tan of openbanking.org.uk (SET-002)"));
    }
    for (name, value) in &header.extra {
        let listed = header.crit.iter().flatten().any(|it| it == name);
        let part = member(name, value, now);
        let unlisted = CRITICAL.contains(&name.as_str()) && !listed;
        parts.push(part.fault_unless(!unlisted, "crit does not name it (SET-002)"));
    }
    parts
}

/// Reads a header member that JOSE does not define.
fn member(name: &str, value: &Value, now: Timestamp) -> SetPart {
    let label = format!("header {name}");
    match name {
        IAT => match time(value) {
            Some((seconds, at)) => {
                let early = seconds <= now.as_second().saturating_add(SKEW_SECS);
                let part = SetPart::new(label, value, format!("when it was signed: {at}"));
                part.fault_unless(early, "it was signed in the future")
            }
            None => SetPart::new(label, value, "when it was signed").fault("it is no integer of seconds (SET-002)"),
        },
        ISS => {
            let part = SetPart::new(label, value, "who signed it: the bank, by its organisation id in the directory");
            part.fault_unless(is_id(value), "it is no organisation id (SET-002)")
        }
        TAN => {
            let part = SetPart::new(label, value, "the trust anchor's domain: whose directory vouches for the signer");
            part.fault_unless(is_id(value), "it is no domain (SET-002)")
        }
        "b64" | "jku" | "jwk" | "x5u" | "x5c" => SetPart::new(label, value, "how to read or check it, said by itself")
            .fault("a token must not choose how it is checked (SET-002)"),
        _ => SetPart::new(label, value, "not a member that the standard knows").fault("it must not be there (SET-002)"),
    }
}

/// Verifies the signature.
pub(super) fn signature(token: &CompactJws, keys: &KeySet) -> SetPart {
    let known = keys.iter().filter_map(|key| key.id()).map(|id| id.as_str().to_owned()).collect::<Vec<_>>().join(", ");
    let said = |value: &str, meaning: String| SetPart::new("signature", &Value::String(value.to_owned()), meaning);
    match token.verify_understanding(keys, &CRITICAL) {
        Ok(()) => said("holds", "the bank wrote this, and nobody has changed it since".to_owned()),
        Err(VerifyError::Algorithm) => {
            said("refused", "nothing was checked".to_owned()).fault("alg must be PS256 (SET-001)")
        }
        Err(VerifyError::Critical) => said("refused", "nothing was checked".to_owned()).fault(
            "crit is empty, names something twice, or names what the standard does not know or the header lacks",
        ),
        Err(VerifyError::KeyUnknown) => said("cannot be checked", format!("the key set has {known}"))
            .fault("no key of the set has this kid: another bank's token, or a key that is not published any more"),
        Err(VerifyError::Signature) => said("does not hold", "somebody else signed it, or it was changed".to_owned())
            .fault("the signature does not hold: do not believe anything it says"),
    }
}
