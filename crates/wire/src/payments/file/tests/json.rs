//! The JSON of the standard.

use super::*;
use lombard_domain::account::AccountScheme;
use lombard_domain::payment::transfer::Instrument;

const KIND: FileType = FileType::PaymentInitiation31;

fn refused(body: &Value) -> Vec<String> {
    wrong(KIND, body.to_string().as_bytes())
}

/// A file of one payment in which a member is set, or removed by `null`.
fn one(name: &str, value: Value) -> Vec<String> {
    let mut payment = payment(1, "1.00");
    if value.is_null() {
        payment.as_object_mut().unwrap().remove(name);
    } else {
        payment[name] = value;
    }
    wrong(KIND, json_file(&[payment]).as_bytes())
}

#[test]
fn file_008_each_element_is_a_domestic_payment() {
    let mut full = payment(1, "20.50");
    full["LocalInstrument"] = json!("UK.OBIE.BACS");
    full["DebtorAccount"] = json!({"SchemeName": "IBAN", "Identification": "GB33BUKB20201555555555"});
    full["CreditorPostalAddress"] = json!({"Country": "GB", "AddressLine": ["a", "b"]});
    full["RemittanceInformation"] = json!({"Unstructured": "Wages", "Reference": "June"});
    for kind in [KIND, FileType::PaymentInitiation40] {
        let (lines, totals) = read(kind, json_file(&[full.clone(), payment(2, "49.5")]).as_bytes()).unwrap();
        let [first, second] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!((first.number, second.number), (1, 2));
        assert_eq!((first.amount.minor(), second.amount.minor()), (2_050, 4_950));
        assert_eq!(first.instrument, Some(Instrument::Bacs));
        assert_eq!(first.debtor.as_ref().map(|it| it.scheme), Some(AccountScheme::Iban));
        assert_eq!(first.references.end_to_end.as_deref(), Some("E-1"));
        assert_eq!(first.references.message.as_deref(), Some("Wages"));
        let payee = first.payee.as_ref().unwrap();
        assert_eq!((payee.creditor.holder_name(), payee.creditor.number.as_str()), ("ACME Inc", "08080021325698"));
        assert_eq!(payee.address.as_ref().map(|it| it.lines.len()), Some(2));
        assert_eq!((totals.count, totals.sum.decimal().to_string().as_str()), (2, "70.00"));
    }
}

#[test]
fn file_008_any_other_content_is_refused() {
    let payments = || json!([payment(1, "1.00")]);
    for (body, at) in [
        (json!({"Data": {"DomesticScheduledPayments": payments()}}), "Data.DomesticScheduledPayments"),
        (json!({"Data": {"DomesticPayments": payments(), "InternationalPayments": []}}), "Data.InternationalPayments"),
        (json!({"Data": {"DomesticPayments": payments()}, "Risk": {}}), "Risk"),
        (json!({"Data": {"DomesticPayments": []}}), "Data.DomesticPayments"),
        (json!({"Data": {}}), "Data.DomesticPayments"),
        (json!({}), "Data"),
        (json!({"Data": {"DomesticPayments": [null]}}), "Data.DomesticPayments[0]"),
        (json!({"Data": {"DomesticPayments": ["x"]}}), "Data.DomesticPayments[0]"),
        (json!({"Data": {"DomesticPayments": {}}}), ""),
        (json!({"Data": []}), ""),
        (json!({"Data": null}), ""),
        (json!([]), ""),
        (json!("x"), ""),
    ] {
        assert!(refused(&body).contains(&at.to_owned()), "{body}: {:?}", refused(&body));
    }
    for text in ["", "x", "{", "\u{feff}{}", "{\"Data\":{\"DomesticPayments\":[{}]}} x", "<Document/>"] {
        assert!(!wrong(KIND, text.as_bytes()).is_empty(), "{text}");
    }
    assert!(!wrong(KIND, b"{\"Data\":{\"DomesticPayments\":[{\"x\xff\":1}]}}").is_empty());
    let twice = format!("{{\"Data\":{{}},{}", &json_file(&[payment(1, "1.00")])[1..]);
    assert_eq!(wrong(KIND, twice.as_bytes()), ["Data.DomesticPayments", "Data"]);
}

#[test]
fn file_012_all_faults_of_the_payments_are_reported_at_once() {
    let mut bad = payment(2, "1.005");
    bad["CreditorAccount"]["SchemeName"] = json!("Pigeon");
    let file = json_file(&[payment(1, "1.00"), bad, payment(3, "x"), payment(4, "1.00")]);
    let mut lines = 0;
    let read = read_file_lines(Version::V3_1, KIND, file.as_bytes(), &FileLimits::default(), |_| {
        lines += 1;
        Ok::<_, Infallible>(())
    });
    let Err(FileParseError::Refused(faults)) = read else { panic!() };
    let mut places: Vec<_> = faults.into_iter().map(place).collect();
    places.sort();
    assert_eq!(
        places,
        [
            "Data.DomesticPayments[1].CreditorAccount.SchemeName",
            "Data.DomesticPayments[1].InstructedAmount.Amount",
            "Data.DomesticPayments[2].InstructedAmount.Amount",
        ]
    );
    assert_eq!(lines, 1, "none is handed out after a fault");
}

#[test]
fn file_012_a_payment_is_held_to_its_limits() {
    let at = |name: &str| vec![format!("Data.DomesticPayments[0].{name}")];
    for name in ["InstructionIdentification", "EndToEndIdentification", "InstructedAmount", "CreditorAccount"] {
        assert_eq!(one(name, Value::Null), at(name));
    }
    assert_eq!(one("EndToEndIdentification", json!("x".repeat(36))), at("EndToEndIdentification"));
    assert_eq!(one("RequestedExecutionDateTime", json!("2026-07-01")), at("RequestedExecutionDateTime"));
    assert_eq!(one("SupplementaryData", json!({"x": 1})), at("SupplementaryData.x"), "PIS-158");
    assert_eq!(one("LocalInstrument", json!("FPS")), Vec::<String>::new(), "PIS-113");
}

#[test]
fn file_012_a_hundred_faults_are_enough() {
    let many: Vec<_> = (0..1_000).map(|number| payment(number, "x")).collect();
    assert_eq!(wrong(KIND, json_file(&many).as_bytes()).len(), 100);
}
