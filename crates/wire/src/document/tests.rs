//! Echo, comparison and canonical form of documents, by table and for arbitrary content.

#![allow(clippy::arithmetic_side_effects, reason = "the numbers of these tests are small")]

use super::*;
use crate::comparison::find_differences;
use lombard_domain::refusal::{FaultCode, FaultLocation};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use proptest::prelude::*;

fn submitted(json: String) -> Submitted {
    Submitted { version: Version::V3_1, json }
}

/// A whole request around an initiation.
fn request(initiation: &str) -> Submitted {
    submitted(format!(r#"{{"Data":{{"Initiation":{initiation}}},"Risk":{{}}}}"#))
}

fn paths(consent: &Submitted, order: &Submitted) -> Vec<String> {
    let path = |place| match place {
        Some(FaultLocation::Path(path)) => path,
        other => panic!("a mismatch has a path, not {other:?}"),
    };
    let found = find_differences(consent, order).unwrap();
    assert!(found.iter().all(|fault| fault.code == FaultCode::ConsentMismatch));
    found.into_iter().map(|fault| path(fault.at)).collect()
}

#[test]
fn pis_019_a_request_is_kept_as_it_came_but_for_two_edits() {
    for (came, kept) in [
        // Order, escapes and numbers.
        (r#" { "b" : 1.50, "a":[ 1e2 , {}, [ ] ], "c":"\u0041\n" } "#, r#"{"b":1.50,"a":[1e2,{},[]],"c":"A\n"}"#),
        // Namespaces.
        (r#"{"SchemeName":"IBAN"}"#, r#"{"SchemeName":"UK.OBIE.IBAN"}"#),
        (r#"{"SchemeName":"UK.OBIE.IBAN"}"#, r#"{"SchemeName":"UK.OBIE.IBAN"}"#),
        (r#"{"SchemeName":"NCC.GB"}"#, r#"{"SchemeName":"UK.OBIE.NCC.GB"}"#), // PIS-113, PIS-119
        (r#"{"SchemeName":"UK.OBIE.NCC.GB"}"#, r#"{"SchemeName":"UK.OBIE.NCC.GB"}"#),
        (r#"{"SchemeName":"UK.Other.NCC"}"#, r#"{"SchemeName":"UK.Other.NCC"}"#),
        (r#"{"LocalInstrument":"FPS","Type":"FPS"}"#, r#"{"LocalInstrument":"UK.OBIE.FPS","Type":"FPS"}"#),
        // Zones.
        (r#"{"AtDateTime":"2026-06-10T00:00:00"}"#, r#"{"AtDateTime":"2026-06-10T00:00:00+00:00"}"#),
        (r#"{"AtDateTime":"2026-06-10T00:00:00Z"}"#, r#"{"AtDateTime":"2026-06-10T00:00:00Z"}"#),
        (r#"{"AtDateTime":"2026-06-10T00:00:00.5-01:30"}"#, r#"{"AtDateTime":"2026-06-10T00:00:00.5-01:30"}"#),
        (r#"{"AtDateTime":"20260610T0000+01"}"#, r#"{"AtDateTime":"2026-06-10T00:00:00+01:00"}"#),
        (r#"{"AtDateTime":"2026-06-10T24:00:00Z"}"#, r#"{"AtDateTime":"2026-06-11T00:00:00+00:00"}"#),
        (r#"{"At":"2026-06-10T00:00:00"}"#, r#"{"At":"2026-06-10T00:00:00"}"#),
        // Absence (RW-142, PIS-155).
        (r#"{"a":null,"b":{"c":null}}"#, r#"{"b":{}}"#),
    ] {
        assert_eq!(keep(came).unwrap(), kept);
        assert_eq!(keep(kept).unwrap(), kept, "keeping again changes nothing");
    }
}

#[test]
fn vrp_053_the_payee_of_an_instruction_has_the_proxy_that_was_agreed() {
    let newer = |initiation: &str, instruction: &str| Submitted {
        version: Version::V4_0,
        json: format!(r#"{{"Data":{{"Initiation":{initiation},"Instruction":{instruction}}},"Risk":{{}}}}"#),
    };
    let bare = r#"{"CreditorAccount":{"Identification":"1"}}"#;
    let known = r#"{"CreditorAccount":{"Identification":"1","Proxy":{"Code":"TELE"}}}"#;
    for (agreed, paid, matches) in
        [(bare, bare, true), (known, known, true), (bare, known, false), (known, bare, false), ("{}", known, true)]
    {
        let found = paths(&newer(agreed, "{}"), &newer(agreed, paid));
        let expected: &[&str] = if matches { &[] } else { &["Data.Instruction.CreditorAccount"] };
        assert_eq!(found, expected, "{agreed} {paid}");
    }
}

#[test]
fn pis_052_documents_that_match() {
    for (consent, order) in [
        (r#"{"A":"x","B":"y"}"#, r#"{"B":"y","A":"x"}"#),
        (r#"{"AtDateTime":"2026-06-10T00:00:00+00:00"}"#, r#"{"AtDateTime":"2026-06-10T01:00:00+01:00"}"#),
        (r#"{"AtDateTime":"2026-06-10T00:00:00Z"}"#, r#"{"AtDateTime":"2026-06-10T00:00:00.000+00:00"}"#),
        (r#"{"Amount":"10.0"}"#, r#"{"Amount":"10.00"}"#),
        (r#"{"ExchangeRate":1.340}"#, r#"{"ExchangeRate":1.34}"#),
        (r#"{"ExchangeRate":1.34}"#, r#"{"ExchangeRate":134e-2}"#),
        (r#"{"ControlSum":100}"#, r#"{"ControlSum":1.0000E2}"#),
        (r#"{"SchemeName":"NCC.GB"}"#, r#"{"SchemeName":"UK.OBIE.NCC.GB"}"#),
        (r#"{"SchemeName":"IBAN"}"#, r#"{"SchemeName":"UK.OBIE.IBAN"}"#),
        (r#"{"AddressLine":[]}"#, r#"{}"#),
        (r#"{}"#, r#"{"AddressLine":[]}"#),
        (r#"{"A":null}"#, r#"{}"#),
    ] {
        assert_eq!(paths(&request(consent), &request(order)), [""; 0], "{consent} {order}");
    }
}

#[test]
fn pis_052_053_documents_that_differ() {
    for (consent, order, path) in [
        (r#"{"Name":"x"}"#, r#"{"Name":"X"}"#, "Name"),
        (r#"{"Name":"10.0"}"#, r#"{"Name":"10.00"}"#, "Name"),
        (r#"{"Amount":"10.0"}"#, r#"{"Amount":10.0}"#, "Amount"),
        (r#"{"ExchangeRate":1.34}"#, r#"{"ExchangeRate":"1.34"}"#, "ExchangeRate"),
        (r#"{"ExchangeRate":1.34}"#, r#"{"ExchangeRate":1.3400000000000001}"#, "ExchangeRate"),
        (r#"{"ExchangeRate":1.34}"#, r#"{}"#, "ExchangeRate"),
        (r#"{"ControlSum":10.1}"#, r#"{"ControlSum":10.11}"#, "ControlSum"),
        (r#"{"Amount":"10.0"}"#, r#"{"Amount":"10.01"}"#, "Amount"),
        (r#"{"AtDateTime":"2026-06-10T00:00:00Z"}"#, r#"{"AtDateTime":"2026-06-10T00:00:01Z"}"#, "AtDateTime"),
        (r#"{"AddressLine":["a","b"]}"#, r#"{"AddressLine":["a"]}"#, "AddressLine[1]"),
        (r#"{"AddressLine":["a"]}"#, r#"{"AddressLine":["a","b"]}"#, "AddressLine[1]"),
        (r#"{"AddressLine":["a"]}"#, r#"{}"#, "AddressLine"),
        (r#"{}"#, r#"{"DebtorAccount":{"Identification":"1"}}"#, "DebtorAccount"),
        (r#"{"DebtorAccount":{"Name":"x"}}"#, r#"{"DebtorAccount":{}}"#, "DebtorAccount.Name"),
        (r#"{"SupplementaryData":{}}"#, r#"{}"#, "SupplementaryData"),
    ] {
        assert_eq!(paths(&request(consent), &request(order)), [format!("Data.Initiation.{path}")], "{consent} {order}");
    }
    let both = paths(&request(r#"{"A":"x","B":{"C":"y"},"D":"z"}"#), &request(r#"{"A":"1","B":{"C":"2"},"E":"3"}"#));
    assert_eq!(both, ["A", "B.C", "D", "E"].map(|name| format!("Data.Initiation.{name}")), "one fault for each");
}

#[test]
fn pis_050_148_risk_is_compared_and_its_misspelt_members_are_one() {
    let with = |risk: &str| submitted(format!(r#"{{"Data":{{"ConsentId":"c","Initiation":{{}}}},"Risk":{risk}}}"#));
    let asked = with(r#"{"ContractPresentInidicator":true,"BeneficiaryPaymentDetailsPrepopulatedIndicator":false}"#);
    let same = with(r#"{"BeneficiaryPrepopulatedIndicator":false,"ContractPresentIndicator":true}"#);
    assert_eq!(paths(&asked, &same), [""; 0]);
    assert_eq!(
        paths(&asked, &with(r#"{"ContractPresentIndicator":false,"BeneficiaryPrepopulatedIndicator":false}"#)),
        ["Risk.ContractPresentIndicator"]
    );
    assert_eq!(paths(&with("{}"), &with(r#"{"PaymentContextCode":"Other"}"#)), ["Risk.PaymentContextCode"]);
    // Only the initiation and the risk are compared; the rest of the data is not (PIS-054).
    let file = submitted(r#"{"Data":{"Initiation":{}}}"#.into());
    assert_eq!(paths(&file, &file), [""; 0], "PIS-051");
    let stored = submitted("{".into());
    assert!(find_differences(&stored, &file).is_err());
}

#[test]
fn pis_065_a_retry_is_known_however_it_is_written() {
    let one = |body: &str| String::from_utf8(canonical_bytes(body.as_bytes()).unwrap()).unwrap();
    assert_eq!(one(r#" {"b":[2.0,{"d":null,"c":"\u00e9"}],"a":1e1} "#), r#"{"a":1e1,"b":[2e0,{"c":"é","d":null}]}"#);
    assert_eq!(one(r#"{"a":10,"b":"x"}"#), one("{\n  \"b\": \"\\u0078\",\n  \"a\": 10.0\n}"));
    assert_ne!(one(r#"{"a":"10"}"#), one(r#"{"a":"10.0"}"#), "texts are compared as they are");
    assert_ne!(one(r#"[1,2]"#), one("[2,1]"));
    assert!(canonical_bytes(b"{").is_err() && canonical_bytes(b"\xff").is_err() && canonical_bytes(b"").is_err());
    assert!(canonical_bytes("[".repeat(100_000).as_bytes()).is_err());
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(canonical_bytes(nested(DEPTH_MAX).as_bytes()).is_ok());
    assert!(canonical_bytes(nested(DEPTH_MAX + 1).as_bytes()).is_err());
}

/// The content of a document, which can be written in many notations.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    Text(String),
    Code(&'static str),
    Instant(i64),
    Decimal(u32),
    Number(u32),
    Flag(bool),
    List(Vec<String>),
    Object(Vec<(&'static str, Said)>),
}

/// Choices from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(sides).unwrap()).unwrap()
    }
}

impl Said {
    /// One of the possible texts with this content.
    fn write(&self, dice: &mut Dice) -> String {
        match self {
            Self::Text(text) => serde_json::to_string(text).unwrap(),
            Self::Code(code) => format!("\"{}{code}\"", ["", "UK.OBIE."][dice.roll(2)]),
            Self::Instant(second) => {
                let hours = i32::try_from(dice.roll(25)).unwrap() - 12;
                let offset = jiff::tz::Offset::from_seconds(hours * 3600).unwrap();
                let civil = offset.to_datetime(jiff::Timestamp::from_second(*second).unwrap());
                let zone = format!("{}{:02}:00", if hours < 0 { '-' } else { '+' }, hours.abs());
                let zone = if hours == 0 && dice.roll(2) == 0 { "Z".into() } else { zone };
                format!("\"{}{zone}\"", civil.strftime("%Y-%m-%dT%H:%M:%S"))
            }
            Self::Decimal(cents) => format!("\"{}\"", number(*cents, dice)),
            Self::Number(cents) => number(*cents, dice),
            Self::Flag(flag) => flag.to_string(),
            Self::List(items) => serde_json::to_string(items).unwrap(),
            Self::Object(members) => {
                let mut left: Vec<_> = members.iter().collect();
                let mut written = Vec::new();
                while !left.is_empty() {
                    let (name, value) = left.remove(dice.roll(left.len()));
                    if !(*value == Self::List(Vec::new()) && dice.roll(2) == 0) {
                        written.push(format!("\"{name}\": {}", value.write(dice)));
                    }
                }
                if dice.roll(4) == 0 {
                    written.push("\"Absent\":null".into());
                }
                format!("{{{}}}", written.join(", "))
            }
        }
    }

    /// The paths of its leaves, below this path.
    fn leaves(&self, at: &str, found: &mut Vec<String>) {
        match self {
            Self::Object(members) => {
                members.iter().for_each(|(name, value)| value.leaves(&format!("{at}.{name}"), found))
            }
            Self::List(items) => (0..items.len()).for_each(|index| found.push(format!("{at}[{index}]"))),
            Self::Text(_) | Self::Code(_) | Self::Instant(_) | Self::Decimal(_) | Self::Number(_) | Self::Flag(_) => {
                found.push(at.to_owned());
            }
        }
    }

    /// Changes the leaf at this path.
    fn change(&mut self, at: &str, target: &str) {
        match self {
            Self::Object(members) => {
                members.iter_mut().for_each(|(name, value)| value.change(&format!("{at}.{name}"), target));
            }
            Self::List(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if format!("{at}[{index}]") == target {
                        item.push('x');
                    }
                }
            }
            _ if at != target => {}
            Self::Text(text) => text.push('x'),
            Self::Code(code) => *code = "PAN",
            Self::Instant(second) => *second += 1,
            Self::Decimal(cents) | Self::Number(cents) => *cents += 1,
            Self::Flag(flag) => *flag = !*flag,
        }
    }
}

fn number(cents: u32, dice: &mut Dice) -> String {
    format!("{}.{:02}{}", cents / 100, cents % 100, &"000"[dice.roll(4)..])
}

fn any_said() -> impl Strategy<Value = Said> {
    let leaf = |name: &'static str| -> BoxedStrategy<Said> {
        match name {
            "SchemeName" | "LocalInstrument" => prop::sample::select(vec!["IBAN", "BBAN"]).prop_map(Said::Code).boxed(),
            "FirstPaymentDateTime" | "FinalPaymentDateTime" => (0_i64..4_000_000_000).prop_map(Said::Instant).boxed(),
            "Amount" => any::<u16>().prop_map(|cents| Said::Decimal(cents.into())).boxed(),
            "ControlSum" => any::<u16>().prop_map(|cents| Said::Number(cents.into())).boxed(),
            "Indicator" => any::<bool>().prop_map(Said::Flag).boxed(),
            "AddressLine" => prop::collection::vec("\\PC{0,6}", 0..3).prop_map(Said::List).boxed(),
            _ => "\\PC{0,12}".prop_map(Said::Text).boxed(),
        }
    };
    const NAMES: [&str; 10] = [
        "SchemeName",
        "LocalInstrument",
        "FirstPaymentDateTime",
        "FinalPaymentDateTime",
        "Amount",
        "ControlSum",
        "Indicator",
        "AddressLine",
        "Name",
        "Identification",
    ];
    let object = prop::sample::subsequence(NAMES.to_vec(), 1..=10)
        .prop_flat_map(move |names| {
            names.into_iter().map(|name| leaf(name).prop_map(move |it| (name, it))).collect::<Vec<_>>()
        })
        .prop_map(Said::Object);
    object.prop_recursive(3, 24, 2, |inner| {
        (prop::sample::subsequence(vec!["CreditorAccount", "PostalAddress"], 1..=2), inner.clone(), inner)
            .prop_map(|(names, one, two)| Said::Object(names.into_iter().zip([one, two]).collect()))
    })
}

proptest! {
    #[test]
    fn pis_052_any_other_notation_of_the_same_content_matches(said in any_said(), a: u64, b: u64) {
        let one = said.write(&mut Dice(a | 1));
        let two = said.write(&mut Dice(b | 1));
        prop_assert_eq!(paths(&request(&one), &request(&two)), [""; 0]);
        let kept = submitted(keep(&request(&two).json).unwrap());
        prop_assert_eq!(paths(&request(&one), &kept), [""; 0], "keeping changes nothing that counts");
    }

    #[test]
    fn pis_053_any_single_change_is_found_at_its_path(said in any_said(), which: prop::sample::Index, a: u64, b: u64) {
        let mut leaves = Vec::new();
        said.leaves("Data.Initiation", &mut leaves);
        prop_assume!(!leaves.is_empty());
        let target = which.get(&leaves);
        let mut changed = said.clone();
        changed.change("Data.Initiation", target);
        let found = paths(&request(&said.write(&mut Dice(a | 1))), &request(&changed.write(&mut Dice(b | 1))));
        prop_assert_eq!(found, std::slice::from_ref(target));
    }

    #[test]
    fn pis_065_the_one_form_is_a_document_of_its_own_form(said in any_said(), a: u64, b: u64) {
        let one = canonical_bytes(said.write(&mut Dice(a | 1)).as_bytes()).unwrap();
        prop_assert_eq!(canonical_bytes(&one).unwrap(), one.clone());
        // The canonical form unifies only order, white space, escapes and numbers; a document with other content has another
        // form.
        let mut leaves = Vec::new();
        said.leaves("", &mut leaves);
        let mut changed = said;
        if let Some(first) = leaves.first() {
            changed.change("", first);
            prop_assert_ne!(canonical_bytes(changed.write(&mut Dice(b | 1)).as_bytes()).unwrap(), one);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>, text in "[\\[\\]{}\",:0-9a-z.eE+-]{0,60}") {
        let _ = canonical_bytes(&bytes);
        let _ = keep(&text);
        let _ = find_differences(&submitted(text.clone()), &submitted(text));
    }
}
