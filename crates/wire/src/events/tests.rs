//! Valid and invalid polls, and the form of SETs.

use super::{write_poll_response, write_set_claims};
use crate::Parse;
use crate::v3_1::V3_1;
use lombard_domain::event::{AccountReason, Event, EventClaims, EventPoll, EventType, VersionedLink};
use lombard_domain::refusal::{FaultCode, FaultLocation};
use lombard_domain::scope::Scope;
use lombard_domain::version::Version;
use proptest::prelude::*;
use serde_json::{Value, json};

const DEPTH: usize = 16;

fn parse(text: &str) -> Result<EventPoll, Vec<(FaultCode, String)>> {
    <V3_1 as Parse<EventPoll>>::parse(text.as_bytes(), DEPTH).map_err(|faults| {
        let path = |place| match place {
            Some(FaultLocation::Path(path)) => path,
            None => String::new(),
            Some(other) => panic!("{other:?}"),
        };
        faults.into_iter().map(|fault| (fault.code, path(fault.at))).collect()
    })
}

#[test]
fn evt_021_an_empty_object_is_a_poll() {
    let poll = parse("{}").unwrap();
    assert_eq!((poll.max, poll.wait, poll.is_fetch_only()), (None, true, true));
    assert_eq!(
        parse(r#"{"maxEvents":null,"returnImmediately":null,"ack":null,"setErrs":null}"#).unwrap(),
        poll,
        "EVT-024"
    );
    assert_eq!(parse(r#"{"ack":[],"setErrs":{}}"#).unwrap(), poll, "EVT-030");
}

#[test]
fn evt_020_a_full_poll_is_read() {
    let poll = parse(
        r#"{"maxEvents":5,"returnImmediately":true,"ack":["a","b","a"],
            "setErrs":{"c":{"err":"jwtIss","description":"x","more":[1]},"a":{"err":"setData","description":"y"}}}"#,
    )
    .unwrap();
    assert_eq!((poll.max, poll.wait), (Some(5), false));
    assert_eq!(poll.acknowledged, ["a".into(), "b".into()], "EVT-041");
    assert_eq!(poll.reported.len(), 1);
    assert_eq!((poll.reported[0].err.as_str(), poll.reported[0].description.as_str()), ("jwtIss", "x"));
    assert_eq!(poll.superseded_reports.len(), 1, "EVT-041: the acknowledgement wins");
}

#[test]
fn evt_043_every_code_of_an_error_is_taken() {
    for err in ["invalid_request", "access_denied", "jwtIss", "setType", "dup", "of our own", "ü", &"e".repeat(40)] {
        let poll = parse(&json!({"setErrs": {"a": {"err": err, "description": "d"}}}).to_string()).unwrap();
        assert_eq!(poll.reported[0].err, err);
    }
}

#[test]
fn evt_022_to_029_faults_have_their_code_and_path() {
    // EVT-022 format, EVT-023 strangers, EVT-024 types and lengths, EVT-025 names twice, EVT-026 below zero, EVT-029 counts.
    use FaultCode::{FieldInvalid, FieldMissing, FieldUnexpected, InvalidFormat};
    let long = "x".repeat(129);
    let object = |members: &str| format!("{{{members}}}");
    for (text, code, path) in [
        (String::new(), InvalidFormat, ""),
        ("  ".into(), InvalidFormat, ""),
        ("null".into(), InvalidFormat, ""),
        ("[]".into(), InvalidFormat, ""),
        ("{".into(), InvalidFormat, ""),
        ("7".into(), InvalidFormat, ""),
        (object(r#""ack":[],"ack":[]"#), InvalidFormat, "ack"),
        (
            object(r#""setErrs":{"a":{"err":"e","description":"d"},"a":{"err":"e","description":"d"}}"#),
            InvalidFormat,
            "setErrs.a",
        ),
        (object(r#""foo":1"#), FieldUnexpected, "foo"),
        (object(r#""MaxEvents":1"#), FieldUnexpected, "MaxEvents"),
        (object(r#""maxEvents":-1"#), FieldInvalid, "maxEvents"),
        (object(r#""maxEvents":1.5"#), FieldInvalid, "maxEvents"),
        (object(r#""maxEvents":1e-2"#), FieldInvalid, "maxEvents"),
        (object(r#""maxEvents":"1""#), FieldInvalid, "maxEvents"),
        (object(r#""maxEvents":{}"#), FieldInvalid, "maxEvents"),
        (object(r#""returnImmediately":"true""#), FieldInvalid, "returnImmediately"),
        (object(r#""returnImmediately":1"#), FieldInvalid, "returnImmediately"),
        (object(r#""ack":"a""#), FieldInvalid, "ack"),
        (object(r#""ack":{}"#), FieldInvalid, "ack"),
        (object(r#""ack":["a",1]"#), FieldInvalid, "ack[1]"),
        (object(r#""ack":[null]"#), FieldInvalid, "ack[0]"),
        (object(r#""ack":[""]"#), FieldInvalid, "ack[0]"),
        (object(&format!(r#""ack":["{long}"]"#)), FieldInvalid, "ack[0]"),
        (object(r#""setErrs":[]"#), FieldInvalid, "setErrs"),
        (object(r#""setErrs":{"a":"e"}"#), FieldInvalid, "setErrs.a"),
        (object(r#""setErrs":{"a":null}"#), FieldInvalid, "setErrs.a"),
        (object(r#""setErrs":{"a":{"description":"d"}}"#), FieldMissing, "setErrs.a.err"),
        (object(r#""setErrs":{"a":{"err":"e"}}"#), FieldMissing, "setErrs.a.description"),
        (object(r#""setErrs":{"a":{"err":null,"description":"d"}}"#), FieldMissing, "setErrs.a.err"),
        (object(r#""setErrs":{"":{"err":"e","description":"d"}}"#), FieldInvalid, "setErrs."),
        (
            object(&format!(r#""setErrs":{{"a":{{"err":"{}","description":"d"}}}}"#, "e".repeat(41))),
            FieldInvalid,
            "setErrs.a.err",
        ),
        (
            object(&format!(r#""setErrs":{{"a":{{"err":"e","description":"{}"}}}}"#, "d".repeat(257))),
            FieldInvalid,
            "setErrs.a.description",
        ),
    ] {
        assert_eq!(parse(&text), Err(vec![(code, path.to_owned())]), "{text}");
    }
    let many = |count: usize| {
        let errs: Vec<_> = (0..count).map(|number| format!(r#""{number}":{{"err":"e","description":"d"}}"#)).collect();
        format!(r#"{{"setErrs":{{{}}}}}"#, errs.join(","))
    };
    assert_eq!(parse(&many(1_000)).unwrap().reported.len(), 1_000);
    assert_eq!(parse(&many(1_001)), Err(vec![(FieldInvalid, "setErrs".into())]));
}

#[test]
fn evt_029_acknowledgements_are_bounded_by_the_body_alone() {
    for count in [1_000, 1_001, 20_000] {
        let ids: Vec<_> = (0..count).map(|number| format!("\"{number}\"")).collect();
        let poll = parse(&format!(r#"{{"ack":[{}]}}"#, ids.join(","))).unwrap();
        assert_eq!(poll.acknowledged.len(), count);
    }
}

#[test]
fn evt_020_remarks_may_have_their_greatest_lengths() {
    let err = "ü".repeat(40);
    let description = "ü".repeat(256);
    let poll = parse(&json!({"setErrs": {"a": {"err": err, "description": description}}}).to_string()).unwrap();
    assert_eq!((&poll.reported[0].err, &poll.reported[0].description), (&err, &description));
}

#[test]
fn evt_024_an_empty_description_is_accepted() {
    for (err, description) in [("", "d"), ("e", ""), ("", "")] {
        let body = json!({"ack": ["a"], "setErrs": {"b": {"err": err, "description": description}}});
        let poll = parse(&body.to_string()).unwrap();
        assert_eq!(poll.acknowledged, ["a".into()]);
        let report = &poll.reported[0];
        assert_eq!((report.id.as_str(), &*report.err, &*report.description), ("b", err, description));
    }
}

#[test]
fn evt_024_every_fault_is_reported_at_once() {
    let found = parse(r#"{"maxEvents":-1,"ack":[1,""],"setErrs":{"a":{}},"foo":1}"#).unwrap_err();
    let paths: Vec<_> = found.iter().map(|(_, path)| path.as_str()).collect();
    assert_eq!(paths, ["maxEvents", "ack[0]", "ack[1]", "setErrs.a.err", "setErrs.a.description", "foo"]);
}

#[test]
fn evt_027_any_number_of_digits_is_a_number() {
    for (text, max) in [("0", 0), ("2.0", 2), ("1e2", 100), ("100000", 100_000), ("18446744073709551616", u64::MAX)] {
        assert_eq!(parse(&format!(r#"{{"maxEvents":{text}}}"#)).unwrap().max, Some(max));
    }
    assert_eq!(parse(&format!(r#"{{"maxEvents":{}}}"#, "9".repeat(400))).unwrap().max, Some(u64::MAX));
}

#[test]
fn evt_020_limits_count_characters() {
    let id = "ü".repeat(128);
    assert_eq!(parse(&format!(r#"{{"ack":["{id}"]}}"#)).unwrap().acknowledged, [id.as_str().into()]);
}

#[test]
fn evt_050_051_and_053_an_answer_has_exactly_two_members_always() {
    assert_eq!(write_poll_response(&[], false), br#"{"sets":{},"moreAvailable":false}"#);
    let sets = [("a".into(), "x.y.z".into()), ("b".into(), "u.v.w".into())];
    let read: Value = serde_json::from_slice(&write_poll_response(&sets, true)).unwrap();
    assert_eq!(read, json!({"sets": {"a": "x.y.z", "b": "u.v.w"}, "moreAvailable": true}));
}

fn event(types: &[EventType], reason: Option<AccountReason>) -> Event {
    let address = |version: Version| {
        format!("https://api.bank.example/open-banking/{}/cbpii/funds-confirmation-consents/fcc-42", version.segment())
    };
    let link = |version| VersionedLink { version, address: address(version) };
    Event {
        id: "0b0f6a58-5b1e-4b55-8f0e-3f6f2f1c9d10".into(),
        client: "c-7f31".into(),
        interaction_id: "93bac548-d2de-4546-b106-880a5018460d".into(),
        occurred_at: jiff::Timestamp::from_millisecond(1_767_225_599_900).unwrap(),
        recorded_at: jiff::Timestamp::from_second(1_767_225_600).unwrap(),
        claims: EventClaims {
            issuer: "https://as.bank.example".into(),
            about: address(Version::V3_1),
            resource_id: "fcc-42".into(),
            resource_type: "funds-confirmation-consents".into(),
            links: vec![link(Version::V3_1), link(Version::V4_0)],
            types: types.to_vec(),
            reason,
        },
        scope: Scope::FundsConfirmations,
    }
}

fn written(types: &[EventType], reason: Option<AccountReason>) -> Value {
    serde_json::from_slice(&write_set_claims(&event(types, reason))).unwrap()
}

#[test]
fn set_010_the_claims_are_those_of_the_standard_and_no_others() {
    let told = written(&[EventType::ResourceUpdate, EventType::ConsentAuthorizationRevoked], None);
    assert_eq!(
        told,
        json!({
            "iss": "https://as.bank.example", "iat": 1_767_225_600, "jti": "0b0f6a58-5b1e-4b55-8f0e-3f6f2f1c9d10",
            "aud": "c-7f31",
            "sub": "https://api.bank.example/open-banking/v3.1/cbpii/funds-confirmation-consents/fcc-42",
            "txn": "93bac548-d2de-4546-b106-880a5018460d", "toe": 1_767_225_599,
            "events": {
                "urn:uk:org:openbanking:events:resource-update": {"subject": {
                    "subject_type": "http://openbanking.org.uk/rid_http://openbanking.org.uk/rty",
                    "http://openbanking.org.uk/rid": "fcc-42",
                    "http://openbanking.org.uk/rty": "funds-confirmation-consents",
                    "http://openbanking.org.uk/rlk": [
                        {"version": "v3.1",
                         "link": "https://api.bank.example/open-banking/v3.1/cbpii/funds-confirmation-consents/fcc-42"},
                        {"version": "v4.0",
                         "link": "https://api.bank.example/open-banking/v4.0/cbpii/funds-confirmation-consents/fcc-42"},
                    ],
                }},
                "urn:uk:org:openbanking:events:consent-authorization-revoked": {},
            },
        })
    );
    assert!(told["iat"].is_i64() && told["toe"].is_i64(), "SET-012");
}

#[test]
fn set_031_a_revocation_alone_has_its_subject() {
    let told = written(&[EventType::ConsentAuthorizationRevoked], None);
    let member = &told["events"]["urn:uk:org:openbanking:events:consent-authorization-revoked"];
    assert_eq!(member["subject"]["http://openbanking.org.uk/rid"], "fcc-42");
    assert!(member.get("reason").is_none(), "SET-040");
}

#[test]
fn set_017_021_022_033_and_042_members_have_standard_names_one_subject() {
    for (kind, name) in [
        (EventType::ResourceUpdate, "resource-update"),
        (EventType::ConsentAuthorizationRevoked, "consent-authorization-revoked"),
        (EventType::LinkedAccountUpdate, "account-access-consent-linked-account-update"),
        (EventType::VrpLinkedAccountUpdate, "domestic-vrp-consent-linked-account-update"),
    ] {
        let told = written(&[kind], None);
        let members = told["events"].as_object().unwrap();
        assert_eq!(members.keys().collect::<Vec<_>>(), [&format!("urn:uk:org:openbanking:events:{name}")]);
        let subject = members.values().next().unwrap()["subject"].as_object().unwrap();
        assert_eq!(subject.len(), 4, "SET-020");
        assert_eq!(subject["subject_type"], "http://openbanking.org.uk/rid_http://openbanking.org.uk/rty");
        assert!(subject["http://openbanking.org.uk/rid"].as_str().unwrap().len() <= 128);
    }
}

#[test]
fn set_040_and_041_reasons_stand_where_they_are_known() {
    let name = "urn:uk:org:openbanking:events:account-access-consent-linked-account-update";
    for (reason, code) in [(AccountReason::Closure, "UK.OBIE.AccountClosure"), (AccountReason::Cass, "UK.OBIE.CASS")] {
        assert_eq!(written(&[EventType::LinkedAccountUpdate], Some(reason))["events"][name]["reason"], code);
    }
    assert!(written(&[EventType::LinkedAccountUpdate], None)["events"][name].get("reason").is_none());
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}") {
        let _ = parse(&text);
    }
}
