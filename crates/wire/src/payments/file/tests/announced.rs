//! Parsing of file announcements.

use super::{Value, json};
use crate::comparison::find_differences;
use crate::payments::file::initiation::{file_field_path, file_media_types};
use crate::payments::names::file_type;
use crate::payments::{FilePayment, ProductWire};
use crate::v3_1::V3_1;
use jiff::civil::date;
use lombard_domain::grant::Digest;
use lombard_domain::payment::file::{FileInitiation, FileType};
use lombard_domain::payment::order::{OrderDraft, PaymentDraft, RequestedAuthorisationType};
use lombard_domain::payment::transfer::Instrument;
use lombard_domain::refusal::{Fault, FaultCode as C, FaultLocation, FileField};

const DEPTH: usize = 16;

/// The SHA-256 of `abc`.
const ABC: &str = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";

pub(in crate::payments) fn consent() -> Value {
    json!({
        "Data": {
            "Initiation": {
                "FileType": "UK.OBIE.pain.001.001.08",
                "FileHash": ABC,
                "FileReference": "GB2OK238",
                "NumberOfTransactions": "0100",
                "ControlSum": 3459.30,
                "RequestedExecutionDateTime": "2026-07-01T23:30:00Z",
                "LocalInstrument": "BACS",
                "DebtorAccount": {"SchemeName": "UK.OBIE.IBAN", "Identification": "GB33BUKB20201555555555"},
                "RemittanceInformation": {"Unstructured": "Wages", "Reference": "June"},
                "SupplementaryData": {}
            },
            "Authorisation": {"AuthorisationType": "Single"},
            "SCASupportData": {}
        }
    })
}

fn with(name: &str, value: Value) -> Value {
    let mut body = consent();
    let initiation = body["Data"]["Initiation"].as_object_mut().unwrap();
    if value.is_null() {
        initiation.remove(name);
    } else {
        initiation.insert(name.into(), value);
    }
    body
}

fn read_consent(body: &Value) -> Result<PaymentDraft, Vec<Fault>> {
    <FilePayment as ProductWire<V3_1>>::read_consent(body.to_string().as_bytes(), DEPTH)
}

fn read_order(body: &Value) -> Result<OrderDraft, Vec<Fault>> {
    <FilePayment as ProductWire<V3_1>>::read_order(body.to_string().as_bytes(), DEPTH)
}

fn terms(body: &Value) -> FileInitiation {
    read_consent(body).unwrap().terms.instruction.file().unwrap().clone()
}

fn wrong(body: &Value) -> Vec<(C, String)> {
    let faults = read_consent(body).err().unwrap_or_default();
    let path = |place| match place {
        Some(FaultLocation::Path(path)) => path,
        other => panic!("a reader names paths, not {other:?}"),
    };
    faults.into_iter().map(|fault| (fault.code, path(fault.at))).collect()
}

fn at(code: C, name: &str) -> Vec<(C, String)> {
    vec![(code, format!("Data.Initiation.{name}"))]
}

#[test]
fn table_1_3_every_member_of_a_file() {
    let asked = read_consent(&consent()).unwrap();
    assert_eq!(asked.terms.authorisation.kind, RequestedAuthorisationType::Single);
    assert!(!asked.terms.refund, "FILE-025");
    let terms = asked.terms.instruction.file().unwrap();
    assert_eq!(asked.terms.debtor, terms.debtor, "PIS-032");
    assert_eq!((terms.kind, terms.reference.as_deref()), (FileType::Pain001, Some("GB2OK238")));
    assert_eq!((terms.count, terms.sum), (Some(100), Some("3459.3".parse().unwrap())));
    assert_eq!((terms.execute_on, terms.instrument), (Some(date(2026, 7, 2)), Some(Instrument::Bacs)));
    assert_eq!(terms.debtor.as_ref().map(|it| it.number.as_str()), Some("GB33BUKB20201555555555"));
    assert_eq!(terms.references.message.as_deref(), Some("Wages"));
    let initiation = consent()["Data"]["Initiation"].clone();
    let order = json!({"Data": {"ConsentId": "c-1", "Initiation": initiation}});
    let ordered = read_order(&order).unwrap();
    assert_eq!(ordered.consent, "c-1".into());
    assert_eq!(find_differences(&asked.submitted, &ordered.submitted).unwrap(), [], "PIS-051");
}

#[test]
fn file_002_021_type_and_hash_are_needed_and_there_is_no_risk() {
    for name in ["FileType", "FileHash"] {
        assert_eq!(wrong(&with(name, Value::Null)), at(C::FieldMissing, name));
    }
    for name in ["FileReference", "NumberOfTransactions", "ControlSum", "RequestedExecutionDateTime", "LocalInstrument"]
    {
        assert_eq!(wrong(&with(name, Value::Null)), [], "{name} (FILE-017)");
    }
    for (parent, name) in [("", "Risk"), ("Data", "Permission"), ("Data", "ReadRefundAccount")] {
        let mut body = consent();
        let (object, path) = if parent.is_empty() {
            (&mut body, name.to_owned())
        } else {
            (&mut body[parent], format!("{parent}.{name}"))
        };
        object[name] = json!({});
        assert_eq!(wrong(&body), [(C::FieldUnexpected, path)]);
    }
    let risky = json!({"Data": {"ConsentId": "c", "Initiation": consent()["Data"]["Initiation"].clone()}, "Risk": {}});
    assert_eq!(read_order(&risky).unwrap_err()[0].code, C::FieldUnexpected);
}

#[test]
fn file_004_a_hash_is_base64_with_its_padding_or_without() {
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let hex = |digest: &Digest| digest.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for good in [ABC, ABC.trim_end_matches('=')] {
        assert_eq!(hex(&terms(&with("FileHash", json!(good))).hash), expected, "{good}");
    }
    for bad in [
        "",
        "=",
        expected,                                       // hex
        "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0=", // the other alphabet
        "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFQ==", // 31 bytes
        "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0B", // 33 bytes
        "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa1=", // bits beyond the last byte
        "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0 ",
        "ungWv48Bz+pBQUDe\nXa4iI7ADYaOWF3qctBD/YfIAFa",
    ] {
        assert_eq!(wrong(&with("FileHash", json!(bad))), at(C::FieldInvalid, "FileHash"), "{bad}");
    }
}

#[test]
fn file_006_007_types_and_their_media_types() {
    for kind in FileType::ALL {
        assert_eq!(terms(&with("FileType", json!(file_type(kind)))).kind, kind);
        assert!(!file_media_types(kind).is_empty());
    }
    assert_eq!(file_media_types(FileType::Pain001), ["text/xml", "application/xml"]);
    for bad in ["UK.OBIE.pain.001.001.03", "pain", "", "UK.OBIE.PaymentInitiation.2.0"] {
        assert_eq!(wrong(&with("FileType", json!(bad))), at(C::FieldInvalid, "FileType"), "{bad}");
    }
}

#[test]
fn table_1_3_limits_of_a_file() {
    for (name, value, code) in [
        ("FileReference", json!("x".repeat(41)), C::FieldInvalid),
        ("NumberOfTransactions", json!(""), C::FieldInvalid),
        ("NumberOfTransactions", json!("1234567890123456"), C::FieldInvalid),
        ("NumberOfTransactions", json!("-1"), C::FieldInvalid),
        ("NumberOfTransactions", json!(100), C::InvalidFormat),
        ("ControlSum", json!("3459.30"), C::InvalidFormat),
        ("RequestedExecutionDateTime", json!("soon"), C::FieldInvalidDate),
        ("LocalInstrument", json!("Pigeon"), C::UnsupportedLocalInstrument),
        ("CreditorAccount", json!({}), C::FieldUnexpected),
    ] {
        assert_eq!(wrong(&with(name, value.clone())), at(code, name), "{value}");
    }
}

#[test]
fn rw_124_the_fields_of_the_rules_stand_where_the_paths_say() {
    use FileField as F;
    for field in [F::Hash, F::Count, F::ControlSum, F::DebtorAccount, F::RequestedExecution, F::LocalInstrument] {
        assert!(consent().pointer(&format!("/{}", file_field_path(field).replace('.', "/"))).is_some(), "{field:?}");
    }
}
