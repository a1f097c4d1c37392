//! The `events` claim of a security event token, and its subject. Source: SET-017 to SET-041.

use super::SetPart;
use super::values::{is_address, is_id};
use serde_json::{Map, Value};

const UPDATE: &str = "urn:uk:org:openbanking:events:resource-update";
const REVOKED: &str = "urn:uk:org:openbanking:events:consent-authorization-revoked";

/// The event types and their meaning. Source: SET-030, SET-033.
const KINDS: [(&str, &str); 4] = [
    (UPDATE, "what a GET of the resource shows has changed: read it again"),
    (REVOKED, "the customer or the bank ended access: tokens on this consent work no more"),
    (
        "urn:uk:org:openbanking:events:account-access-consent-linked-account-update",
        "an account under the consent was closed, switched, barred, added or taken away: read the accounts again",
    ),
    (
        "urn:uk:org:openbanking:events:domestic-vrp-consent-linked-account-update",
        "the account that payments were to come from cannot be used any more",
    ),
];

const SUBJECT_TYPE: &str = "http://openbanking.org.uk/rid_http://openbanking.org.uk/rty";
const RID: &str = "http://openbanking.org.uk/rid";
const RTY: &str = "http://openbanking.org.uk/rty";
const RLK: &str = "http://openbanking.org.uk/rlk";

/// The largest number of characters of a version name. Source: SET-024.
const VERSION_CHARS_MAX: usize = 10;

/// Reads the members of `events`, if the claim is present.
pub(super) fn read(claims: &Map<String, Value>) -> Vec<SetPart> {
    let Some(value) = claims.get("events") else { return Vec::new() };
    let Some(events) = value.as_object().filter(|events| !events.is_empty()) else {
        return vec![SetPart::new("events", value, "what happened").fault("it names no event (SET-017)")];
    };
    let updated = events.contains_key(UPDATE);
    let mut parts = Vec::new();
    for (kind, event) in events {
        parts.extend(one(kind, event, updated));
    }
    parts
}

/// Reads one event. A revocation together with an update of the resource needs no subject (SET-031).
fn one(kind: &str, event: &Value, updated: bool) -> Vec<SetPart> {
    let short = kind.rsplit(':').next().unwrap_or(kind);
    let known = KINDS.iter().find(|(name, _)| *name == kind).map(|(_, meaning)| *meaning);
    let meaning = known.unwrap_or("not an event of the standard: the bank's documentation must say what it means");
    let mut parts = vec![SetPart::new("events", &Value::String(kind.to_owned()), meaning)];
    let Some(members) = event.as_object() else {
        return vec![SetPart::new("events", event, meaning).fault("it is not an object (SET-017)")];
    };
    for (name, value) in members {
        match name.as_str() {
            "subject" => parts.extend(subject(short, value)),
            "reason" => parts.push(reason(short, value)),
            _ => parts.push(SetPart::new(format!("{short} {name}"), value, "").fault("it must not be there (SET-020)")),
        }
    }
    if known.is_some() && !members.contains_key("subject") && !(updated && kind == REVOKED) {
        parts.push(SetPart::absent(&format!("{short} subject"), "SET-020, SET-031"));
    }
    parts
}

fn reason(short: &str, value: &Value) -> SetPart {
    let meaning = match value.as_str() {
        Some("UK.OBIE.AccountClosure") => "why: the account was closed",
        Some("UK.OBIE.CASS") => "why: the account moved to another bank by the Current Account Switch Service",
        _ => "why: a code of the bank's own",
    };
    let sound = value.as_str().is_some_and(|text| !text.is_empty());
    SetPart::new(format!("{short} reason"), value, meaning).fault_unless(sound, "it is not text (SET-040, SET-041)")
}

fn subject(short: &str, value: &Value) -> Vec<SetPart> {
    let Some(members) = value.as_object() else {
        return vec![SetPart::new(format!("{short} subject"), value, "").fault("it is not an object (SET-020)")];
    };
    let mut parts = Vec::new();
    for name in ["subject_type", RID, RTY, RLK] {
        let label = format!("{short} {}", name.trim_start_matches("http://openbanking.org.uk/"));
        match members.get(name) {
            None => parts.push(SetPart::absent(&label, "SET-020")),
            Some(value) => parts.extend(member(&label, name, value)),
        }
    }
    for (name, value) in members.iter().filter(|(name, _)| !["subject_type", RID, RTY, RLK].contains(&name.as_str())) {
        parts.push(SetPart::new(format!("{short} {name}"), value, "").fault("it must not be there (SET-020)"));
    }
    parts
}

fn member(label: &str, name: &str, value: &Value) -> Vec<SetPart> {
    let part = match name {
        RID => SetPart::new(label, value, "the resource's id, as in its address")
            .fault_unless(is_id(value), "it is not text of 1 to 128 characters (SET-022)"),
        RTY => SetPart::new(label, value, "what kind of resource it is; banks write it in several ways, follow rlk")
            .fault_unless(is_id(value), "it is not text (SET-023)"),
        RLK => return links(label, value),
        _ => SetPart::new(label, value, "how the subject is named: by rid and rty")
            .fault_unless(value.as_str() == Some(SUBJECT_TYPE), "it is not the standard's only value (SET-021)"),
    };
    vec![part]
}

fn links(label: &str, value: &Value) -> Vec<SetPart> {
    let Some(links) = value.as_array().filter(|links| !links.is_empty()) else {
        return vec![SetPart::new(label, value, "where to read it").fault("it names no address (SET-024)")];
    };
    let link = |link: &Value| {
        let version = &link["version"];
        let address = &link["link"];
        let named = version.as_str().is_some_and(|it| (1..=VERSION_CHARS_MAX).contains(&it.chars().count()));
        SetPart::new(label, address, format!("where to read it in {}", version.as_str().unwrap_or("no version")))
            .fault_unless(named, "it does not say in which version (SET-024)")
            .fault_unless(is_address(address), "it is no https address (SET-024)")
    };
    links.iter().map(link).collect()
}
