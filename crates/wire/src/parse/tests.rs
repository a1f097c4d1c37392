//! The parser with an object that allows every kind of fault.

use super::{NonEmpty, body, object};
use crate::time::SentInstant;
use lombard_domain::consent::Permission;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use proptest::prelude::*;

object! {
    /// A closed object that contains an open one.
    struct Outer: Closed {
        required inner: Inner = "Inner",
        optional at: SentInstant = "At",
    }
}

object! {
    /// An open object.
    struct Inner: Open {
        required codes: NonEmpty<Permission> = "Codes",
        optional until: SentInstant = "Until",
    }
}

const DEPTH: usize = 16;

fn faults(text: &[u8]) -> Vec<(FaultCode, Option<String>)> {
    body::<Outer>(text, DEPTH).err().unwrap_or_default().into_iter().map(code_and_path).collect()
}

fn code_and_path(fault: Fault) -> (FaultCode, Option<String>) {
    let path = fault.at.map(|place| match place {
        FaultLocation::Path(path) => path,
        FaultLocation::Field(_)
        | FaultLocation::PaymentField(_)
        | FaultLocation::Header(_)
        | FaultLocation::Query(_) => panic!("a reader names paths"),
    });
    (fault.code, path)
}

fn one(code: FaultCode, path: &str) -> Vec<(FaultCode, Option<String>)> {
    vec![(code, (!path.is_empty()).then(|| path.to_owned()))]
}

#[test]
fn a_good_body_is_read() {
    let read = body::<Outer>(br#"{"Inner":{"Codes":["ReadPAN","ReadPAN"],"Until":"2030-01-01"}}"#, DEPTH).unwrap();
    assert_eq!(read.inner.codes.0, [Permission::ReadPAN, Permission::ReadPAN]);
    assert_eq!(read.inner.until.unwrap().text, "2030-01-01T00:00:00+00:00");
    assert_eq!(read.at, None);
}

#[test]
fn rw_279_a_list_of_codes_is_at_most_twice_as_long_as_there_are_codes() {
    let read = |elements: usize| {
        let codes = vec!["ReadPAN"; elements];
        faults(serde_json::json!({ "Inner": { "Codes": codes } }).to_string().as_bytes())
    };
    let most = Permission::ALL.len() * 2;
    assert_eq!(read(most), [], "AIS-018");
    assert_eq!(read(most + 1), one(FaultCode::FieldInvalid, "Inner.Codes"));
    assert_eq!(read(39_900), one(FaultCode::FieldInvalid, "Inner.Codes"));
}

#[test]
fn rw_140_to_rw_142_each_fault_has_its_code_and_path() {
    use FaultCode::{FieldInvalid, FieldInvalidDate, FieldMissing, FieldUnexpected, InvalidFormat};
    for (text, code, path) in [
        // Not JSON, or not an object.
        ("", InvalidFormat, ""),
        ("nope", InvalidFormat, ""),
        ("{", InvalidFormat, ""),
        (r#"{"Inner":{"Codes":["ReadPAN"]}} x"#, InvalidFormat, ""),
        (r#"{"Inner":{"Codes":["ReadPAN"]},}"#, InvalidFormat, ""),
        ("[]", InvalidFormat, ""),
        ("null", InvalidFormat, ""),
        ("7", InvalidFormat, ""),
        // Wrong JSON type.
        (r#"{"Inner":[]}"#, InvalidFormat, "Inner"),
        (r#"{"Inner":{"Codes":"ReadPAN"}}"#, InvalidFormat, "Inner.Codes"),
        (r#"{"Inner":{"Codes":{"0":"ReadPAN"}}}"#, InvalidFormat, "Inner.Codes"),
        (r#"{"Inner":{"Codes":["ReadPAN",7]}}"#, InvalidFormat, "Inner.Codes[1]"),
        (r#"{"Inner":{"Codes":["ReadPAN",null]}}"#, InvalidFormat, "Inner.Codes[1]"),
        (r#"{"Inner":{"Codes":["ReadPAN"],"Until":-1.5}}"#, InvalidFormat, "Inner.Until"),
        (r#"{"Inner":{"Codes":["ReadPAN"],"Until":true}}"#, InvalidFormat, "Inner.Until"),
        // Duplicate names, also where the value does not matter.
        (r#"{"Inner":{"Codes":["ReadPAN"]},"Inner":{"Codes":["ReadPAN"]}}"#, InvalidFormat, "Inner"),
        (r#"{"Inner":{"Codes":["ReadPAN"],"x":1,"x":2}}"#, InvalidFormat, "Inner.x"),
        (r#"{"Inner":{"Codes":["ReadPAN"],"x":[{"y":1,"y":2}]}}"#, InvalidFormat, "Inner.x[0].y"),
        // Absent.
        ("{}", FieldMissing, "Inner"),
        (r#"{"Inner":null}"#, FieldMissing, "Inner"),
        (r#"{"Inner":{}}"#, FieldMissing, "Inner.Codes"),
        // Bad values.
        (r#"{"Inner":{"Codes":[]}}"#, FieldInvalid, "Inner.Codes"),
        (r#"{"Inner":{"Codes":["readpan"]}}"#, FieldInvalid, "Inner.Codes[0]"),
        (r#"{"Inner":{"Codes":["ReadPAN"],"Until":"soon"}}"#, FieldInvalidDate, "Inner.Until"),
        // Unknown members of a closed object.
        (r#"{"Inner":{"Codes":["ReadPAN"]},"Extra":{"a":[1]}}"#, FieldUnexpected, "Extra"),
    ] {
        assert_eq!(faults(text.as_bytes()), one(code, path), "{text}");
    }
}

#[test]
fn rw_141_unknown_members_are_ignored_and_rw_142_null_is_absence() {
    for text in [
        r#"{"Inner":{"Codes":["ReadPAN"],"Extra":{"a":[1,"b",null,true,2.5]}}}"#,
        r#"{"Inner":{"Codes":["ReadPAN"],"Until":null},"At":null}"#,
        " \n{\"Inner\":{\"C\\u006fdes\":[\"ReadPAN\"]}}\t",
    ] {
        assert_eq!(faults(text.as_bytes()), [], "{text}");
    }
}

#[test]
fn rw_123_every_fault_is_reported_at_once() {
    let text = r#"{"At":7,"Inner":{"Until":"soon","Codes":["x","ReadPAN",{"a":1}]},"Extra":1,"Extra":2}"#;
    assert_eq!(
        faults(text.as_bytes()),
        [
            (FaultCode::InvalidFormat, Some("At".into())),
            (FaultCode::FieldInvalidDate, Some("Inner.Until".into())),
            (FaultCode::FieldInvalid, Some("Inner.Codes[0]".into())),
            (FaultCode::InvalidFormat, Some("Inner.Codes[2]".into())),
            (FaultCode::FieldUnexpected, Some("Extra".into())),
            (FaultCode::InvalidFormat, Some("Extra".into())),
        ]
    );
    let many = format!(r#"{{"Inner":{{"Codes":[{}]}}}}"#, ["1"; 5_000].join(","));
    assert_eq!(faults(many.as_bytes()).len(), super::faults::FAULTS_MAX);
}

#[test]
fn rw_065_bytes_that_are_not_utf_8_are_refused() {
    assert_eq!(faults(b"{\"Inner\":{\"Codes\":[\"ReadPAN\"],\"x\":\"\xff\"}}"), one(FaultCode::InvalidFormat, ""));
}

#[test]
fn a_body_nests_as_deep_as_the_limit_and_no_deeper() {
    let nested = |levels: usize| {
        // The body and `Inner` count as two levels.
        let deep = format!("{}{}", "[".repeat(levels - 2), "]".repeat(levels - 2));
        format!(r#"{{"Inner":{{"Codes":["ReadPAN"],"x":{deep}}}}}"#)
    };
    assert_eq!(faults(nested(DEPTH).as_bytes()), []);
    assert_eq!(faults(nested(DEPTH + 1).as_bytes()), one(FaultCode::InvalidFormat, ""));
    assert_eq!(faults(nested(10_000).as_bytes()), one(FaultCode::InvalidFormat, ""));
    assert_eq!(faults("[".repeat(100_000).as_bytes()), one(FaultCode::InvalidFormat, ""));
}

#[test]
fn rw_120_a_path_has_at_most_500_characters() {
    let name = "ü".repeat(900);
    let found = faults(format!(r#"{{"Inner":{{"Codes":["ReadPAN"]}},"{name}":1}}"#).as_bytes());
    assert_eq!(found[0].1.as_ref().unwrap().chars().count(), 500);
}

#[test]
fn messages_never_echo_a_value() {
    let found = body::<Outer>(br#"{"At":"s3cret","Inner":{"Codes":["s3cret"]}}"#, DEPTH).unwrap_err();
    assert!(found.iter().all(|fault| !fault.message.contains("s3cret")), "{found:?}");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = body::<Outer>(&bytes, DEPTH);
    }

    #[test]
    fn a_body_cut_anywhere_is_one_fault_of_format(cut in 0_usize..60) {
        let text = r#"{"Inner":{"Codes":["ReadPAN"],"Until":"2030-01-01T00:00:00Z"}}"#;
        prop_assert_eq!(faults(&text.as_bytes()[..cut]), one(FaultCode::InvalidFormat, ""));
    }
}
