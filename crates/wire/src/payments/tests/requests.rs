//! Requests: what is accepted, and each kind of refusal.

use super::*;
use crate::comparison::find_differences;
use crate::spelling::every_spelling;
use jiff::civil::date;
use lombard_domain::account::{AccountScheme, AddressType};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::PaymentContext;
use lombard_domain::payment::order::{AppliedAuthenticationApproach, RequestedAuthorisationType, ScaExemption};
use lombard_domain::payment::transfer::{Instrument, Route, ScheduleEnd, Timing, Transfer};
use proptest::prelude::*;
use std::num::NonZeroU16;

fn pounds(pence: u64) -> Amount {
    Amount::from_minor(pence, Currency::GBP)
}

#[test]
fn table_1_3_a_payment_is_read_with_everything_it_says() {
    let PaymentDraft { terms, .. } = read::<DomesticPayment>(&now()).unwrap();
    assert!(terms.refund);
    assert_eq!(terms.authorisation.kind, RequestedAuthorisationType::Single);
    assert_eq!(terms.authorisation.complete_by, Some("2030-05-30T10:35:27Z".parse().unwrap()));
    assert_eq!(terms.sca.exemption, Some(ScaExemption::Parking));
    assert_eq!(terms.sca.applied, Some(AppliedAuthenticationApproach::Strong));
    assert_eq!(terms.sca.earlier_order, Some("earlier".into()));
    assert_eq!(terms.context, Some(PaymentContext::MerchantInitiated));
    let debtor = terms.debtor.unwrap();
    assert_eq!((debtor.scheme, debtor.number.as_str()), (AccountScheme::Iban, "GB33BUKB20201555555555"));
    assert_eq!((debtor.name.as_deref(), debtor.secondary.as_deref()), (Some("A N Other"), Some("0002")));
    let Transfer { route: Route::Domestic(credit), amount, timing, .. } = terms.instruction.transfer().unwrap().clone()
    else {
        panic!("it stays in the country")
    };
    assert_eq!((amount, timing), (pounds(16_588), Timing::Immediate));
    assert_eq!(credit.instrument, Some(Instrument::FasterPayments));
    assert_eq!((credit.creditor.holder_name(), credit.creditor.number.as_str()), ("ACME Inc", "08080021325698"));
    let references = credit.references;
    assert_eq!(references.instruction.as_deref(), Some("ACME412"));
    assert_eq!(references.end_to_end.as_deref(), Some("FRESCO.21302.GFX.20"));
    assert_eq!(references.reference.as_deref(), Some("FRESCO-101"));
    assert_eq!(references.message.as_deref(), Some("Internal ops code 5120101"));
    let address = credit.address.unwrap();
    assert_eq!(
        (address.kind, address.country.as_deref(), address.lines.len()),
        (Some(AddressType::PoBox), Some("GB"), 7)
    );
}

#[test]
fn pis_154_a_day_is_londons() {
    let PaymentDraft { terms, .. } = read::<DomesticScheduledPayment>(&later()).unwrap();
    assert_eq!(
        &terms.instruction.transfer().unwrap().timing,
        &Timing::Scheduled(date(2026, 7, 2)),
        "23:30 UTC in July"
    );
    assert_eq!(terms.instruction.transfer().unwrap().credit().references.end_to_end, None, "SCH-009");
}

#[test]
fn so_007_to_013_a_standing_order_is_read_with_everything_it_says() {
    let schedule = |body: &Value| {
        let terms = read::<DomesticStandingOrder>(body).unwrap().terms;
        let transfer = terms.instruction.transfer().unwrap().clone();
        let Transfer { route: Route::Domestic(credit), amount, timing: Timing::StandingOrder(schedule), .. } = transfer
        else {
            panic!("{transfer:?}")
        };
        (schedule, amount, credit)
    };
    let (it, amount, credit) = schedule(&again());
    assert_eq!((it.first_on, it.recurring_from), (date(2026, 7, 1), Some(date(2026, 7, 31))));
    assert_eq!(it.end, ScheduleEnd::On(date(2027, 3, 20)));
    assert_eq!((amount, it.regular, it.last), (pounds(666), Some(pounds(700)), Some(pounds(700))));
    assert_eq!(credit.references.reference.as_deref(), Some("Pocket money"));
    let by_count = with(again(), "Data.Initiation.FinalPaymentDateTime", Value::Null);
    let by_count = with(by_count, "Data.Initiation.NumberOfPayments", json!("9999"));
    assert_eq!(schedule(&by_count).0.end, ScheduleEnd::After(NonZeroU16::new(9_999).unwrap()));
    let open = with(again(), "Data.Initiation.FinalPaymentDateTime", Value::Null);
    assert_eq!(schedule(&open).0.end, ScheduleEnd::Open);
}

#[test]
fn table_1_1_each_product_reads_its_own() {
    fn check<P: ProductWire<V3_1>>(body: Value) {
        assert_eq!(read::<P>(&body).unwrap().terms.product(), P::PRODUCT);
        let read = read_order::<P>(&order(&body)).unwrap();
        assert_eq!(read.consent, "c-1".into());
    }
    each_product!(check);
}

#[test]
fn table_1_3_what_is_optional_may_be_absent_and_null_is_absence() {
    fn check<P: ProductWire<V3_1>>(body: Value) {
        let initiation = body["Data"]["Initiation"].as_object().unwrap().keys();
        let optional = initiation.filter(|name| {
            [
                "LocalInstrument",
                "DebtorAccount",
                "CreditorPostalAddress",
                "RemittanceInformation",
                "SupplementaryData",
                "Reference",
                "RecurringPaymentDateTime",
                "FinalPaymentDateTime",
                "RecurringPaymentAmount",
                "FinalPaymentAmount",
            ]
            .contains(&name.as_str())
        });
        let mut bare = body.clone();
        for name in optional {
            bare["Data"]["Initiation"][name] = Value::Null;
        }
        for name in ["ReadRefundAccount", "Authorisation", "SCASupportData"] {
            bare["Data"][name] = Value::Null;
        }
        bare["Risk"] = json!({});
        let draft = read::<P>(&bare).unwrap();
        assert!(!draft.submitted.json.contains("null"), "PIS-155");
        assert!(!draft.terms.refund && draft.terms.debtor.is_none());
    }
    each_product!(check);
}

#[test]
fn rw_140_every_mandatory_member_is_missed_at_its_path() {
    fn check<P: ProductWire<V3_1>>(body: Value) {
        let mandatory = [
            "Data",
            "Risk",
            "Data.Permission",
            "Data.Initiation",
            "Data.Initiation.InstructionIdentification",
            "Data.Initiation.InstructedAmount",
            "Data.Initiation.InstructedAmount.Amount",
            "Data.Initiation.InstructedAmount.Currency",
            "Data.Initiation.CreditorAccount",
            "Data.Initiation.CreditorAccount.SchemeName",
            "Data.Initiation.CreditorAccount.Identification",
            "Data.Initiation.CreditorAccount.Name",
            "Data.Initiation.DebtorAccount.SchemeName",
            "Data.Initiation.DebtorAccount.Identification",
            "Data.Initiation.RequestedExecutionDateTime",
            "Data.Initiation.Frequency",
            "Data.Initiation.FirstPaymentDateTime",
            "Data.Initiation.FirstPaymentAmount",
            "Data.Authorisation.AuthorisationType",
            "Risk.DeliveryAddress.TownName",
            "Risk.DeliveryAddress.Country",
        ];
        let there = |path: &&str| body.pointer(&format!("/{}", path.replace('.', "/"))).is_some();
        let there: Vec<_> = mandatory.into_iter().filter(there).collect();
        assert!(there.len() >= 12);
        for path in there {
            let wrong = wrong(read::<P>(&with(body.clone(), path, Value::Null)));
            assert_eq!(wrong, [(FaultCode::FieldMissing, path.to_owned())]);
        }
        assert_eq!(
            wrong(read_order::<P>(&with(order(&body), "Data.ConsentId", Value::Null))),
            [(FaultCode::FieldMissing, "Data.ConsentId".into())]
        );
    }
    each_product!(check);
    let body = with(now(), "Data.Initiation.EndToEndIdentification", Value::Null);
    assert_eq!(wrong(read::<DomesticPayment>(&body)).len(), 1, "SCH-009: mandatory for immediate payments");
}

#[test]
fn pis_157_158_rw_141_strangers_are_refused_where_the_class_is_closed() {
    fn check<P: ProductWire<V3_1>>(body: Value) {
        for path in [
            "Stranger",
            "Data.Stranger",
            "Data.Initiation.Stranger",
            "Data.Initiation.CreditorAccount.Stranger",
            "Data.Authorisation.Stranger",
            "Data.Initiation.SupplementaryData.Stranger",
            "Risk.Stranger",
        ] {
            let wrong = wrong(read::<P>(&with(body.clone(), path, json!({"a": [1]}))));
            assert_eq!(wrong, [(FaultCode::FieldUnexpected, path.to_owned())]);
        }
        let open = with(body.clone(), "Data.SCASupportData.Stranger", json!(1.50));
        assert!(read::<P>(&open).unwrap().submitted.json.contains(r#""Stranger":1.5"#));
        // Members that belong to the consent are not part of the order. Source: PIS-054.
        for name in ["Permission", "ReadRefundAccount", "Authorisation", "SCASupportData"] {
            let path = format!("Data.{name}");
            let value = json!("Create");
            assert_eq!(wrong_order::<P>(with(order(&body), &path, value)), [(FaultCode::FieldUnexpected, path)]);
        }
    }
    fn wrong_order<P: ProductWire<V3_1>>(body: Value) -> Vec<(FaultCode, String)> {
        wrong(read_order::<P>(&body))
    }
    each_product!(check);
    for (body, path) in [
        (with(now(), "Data.Permission", json!("Create")), "Data.Permission"),
        (with(now(), "Data.Initiation.Frequency", json!("EvryDay")), "Data.Initiation.Frequency"),
        (
            with(now(), "Data.Initiation.RequestedExecutionDateTime", json!("2026-07-01")),
            "Data.Initiation.RequestedExecutionDateTime",
        ),
    ] {
        assert_eq!(wrong(read::<DomesticPayment>(&body)), [(FaultCode::FieldUnexpected, path.to_owned())]);
    }
    for name in [
        "InstructionIdentification",
        "EndToEndIdentification",
        "LocalInstrument",
        "RemittanceInformation",
        "CreditorPostalAddress",
        "InstructedAmount",
    ] {
        let path = format!("Data.Initiation.{name}");
        let body = with(again(), &path, json!("x"));
        assert_eq!(wrong(read::<DomesticStandingOrder>(&body)), [(FaultCode::FieldUnexpected, path)], "SO-015");
    }
    let sch_011 = with(later(), "Data.Initiation.RequestedExecutionDate", json!("2026-07-01"));
    assert_eq!(wrong(read::<DomesticScheduledPayment>(&sch_011)).len(), 1, "SCH-011");
}

#[test]
fn section_1_6_bad_values_have_their_code_and_path() {
    use FaultCode::*;
    let long = |length: usize| json!("x".repeat(length));
    for (path, value, code) in [
        ("Data.Initiation.InstructionIdentification", long(36), FieldInvalid),
        ("Data.Initiation.InstructionIdentification", json!(""), FieldInvalid),
        ("Data.Initiation.InstructionIdentification", json!(7), InvalidFormat),
        ("Data.Initiation.EndToEndIdentification", long(36), FieldInvalid),
        ("Data.Initiation.EndToEndIdentification", json!("a\u{7}b"), FieldInvalid), // PIS-135
        ("Data.Initiation.LocalInstrument", json!("UK.OBIE.Pigeon"), UnsupportedLocalInstrument),
        ("Data.Initiation.LocalInstrument", json!("fps"), UnsupportedLocalInstrument),
        ("Data.Initiation.InstructedAmount", json!("10.00"), InvalidFormat),
        ("Data.Initiation.InstructedAmount.Amount", json!(10), InvalidFormat), // PIS-120
        ("Data.Initiation.InstructedAmount.Amount", json!(10.5), InvalidFormat),
        ("Data.Initiation.InstructedAmount.Amount", json!("1.005"), FieldInvalid), // PIS-121
        ("Data.Initiation.InstructedAmount.Currency", json!("gbp"), FieldInvalid),
        ("Data.Initiation.InstructedAmount.Currency", json!("XXQ"), FieldInvalid), // PIS-122
        ("Data.Initiation.DebtorAccount.SchemeName", json!("UK.OBIE.Shell"), UnsupportedScheme), // PIS-114
        ("Data.Initiation.DebtorAccount.Identification", long(257), FieldInvalid),
        ("Data.Initiation.DebtorAccount.Name", long(351), FieldInvalid),
        ("Data.Initiation.DebtorAccount.SecondaryIdentification", long(35), FieldInvalid),
        ("Data.Initiation.CreditorAccount", json!([]), InvalidFormat),
        ("Data.Initiation.CreditorPostalAddress.AddressType", json!("Home"), FieldInvalid),
        ("Data.Initiation.CreditorPostalAddress.Country", json!("gb"), FieldInvalid),
        ("Data.Initiation.CreditorPostalAddress.PostCode", long(17), FieldInvalid),
        (
            "Data.Initiation.CreditorPostalAddress.AddressLine",
            json!(["1", "2", "3", "4", "5", "6", "7", "8"]),
            FieldInvalid,
        ),
        ("Data.Initiation.CreditorPostalAddress.AddressLine", json!("1"), InvalidFormat),
        ("Data.Initiation.RemittanceInformation.Unstructured", long(141), FieldInvalid),
        ("Data.Initiation.RemittanceInformation.Reference", long(36), FieldInvalid),
        ("Data.ReadRefundAccount", json!("yes"), FieldInvalid), // PIS-096
        ("Data.ReadRefundAccount", json!(true), InvalidFormat),
        ("Data.Authorisation.AuthorisationType", json!("Multiple"), FieldInvalid), // PIS-110
        ("Data.Authorisation.CompletionDateTime", json!("soon"), FieldInvalidDate),
        ("Data.SCASupportData.RequestedSCAExemptionType", json!("Love"), FieldInvalid),
        ("Data.SCASupportData.AppliedAuthenticationApproach", json!("SMS"), FieldInvalid),
        ("Data.SCASupportData.ReferencePaymentOrderId", long(41), FieldInvalid),
        ("Risk", json!([]), InvalidFormat),
        ("Risk.PaymentContextCode", json!("EcommerceStuff"), FieldInvalid), // PIS-144
        ("Risk.MerchantCategoryCode", json!("12"), FieldInvalid),
        ("Risk.MerchantCategoryCode", json!("12345"), FieldInvalid),
        ("Risk.MerchantCustomerIdentification", long(71), FieldInvalid),
        ("Risk.ContractPresentIndicator", json!("true"), InvalidFormat),
        ("Risk.PaymentPurposeCode", json!("EPAYS"), FieldInvalid),
        ("Risk.BeneficiaryAccountType", json!("Swiss"), FieldInvalid), // PIS-146
        ("Risk.DeliveryAddress.AddressLine", json!(["1", "2", "3"]), FieldInvalid), // PIS-147
        ("Risk.DeliveryAddress.TownName", long(36), FieldInvalid),
        ("Risk.DeliveryAddress.Country", json!("GBR"), FieldInvalid),
    ] {
        let wrong = wrong(read::<DomesticPayment>(&with(now(), path, value.clone())));
        assert_eq!(wrong, [(code, path.to_owned())], "{value}");
    }
    for (path, value, code) in [
        ("Data.Permission", json!("create"), FieldInvalid), // PIS-028
        ("Data.Permission", json!("Update"), FieldInvalid),
        ("Data.Initiation.RequestedExecutionDateTime", json!("tomorrow"), FieldInvalidDate), // PIS-152
        ("Data.Initiation.RequestedExecutionDateTime", json!(1), InvalidFormat),
    ] {
        assert_eq!(wrong(read::<DomesticScheduledPayment>(&with(later(), path, value))), [(code, path.to_owned())]);
    }
    for (path, value, code) in [
        ("Data.Initiation.Frequency", json!("evryday"), FieldInvalid), // SO-001
        ("Data.Initiation.Frequency", json!("NotKnown"), FieldInvalid), // SO-003
        ("Data.Initiation.Reference", long(36), FieldInvalid),
        ("Data.Initiation.FirstPaymentAmount.Amount", json!("1.005"), FieldInvalid),
        ("Data.Initiation.FinalPaymentDateTime", json!("never"), FieldInvalidDate),
    ] {
        assert_eq!(wrong(read::<DomesticStandingOrder>(&with(again(), path, value))), [(code, path.to_owned())]);
    }
}

#[test]
fn pis_120_121_amounts() {
    let wrong = |amount: &str| {
        wrong(read::<DomesticPayment>(&with(now(), "Data.Initiation.InstructedAmount.Amount", json!(amount))))
    };
    for good in ["0.01", "10", "9999999999999.99", "10.500"] {
        assert_eq!(wrong(good), [], "{good}");
    }
    for bad in [".5", "1.", "-1", "1e3", "12345678901234", "1.123456", "1.005", "", " 1"] {
        assert_eq!(wrong(bad), [(FaultCode::FieldInvalid, "Data.Initiation.InstructedAmount.Amount".into())], "{bad}");
    }
}

#[test]
fn so_010_011_one_end_and_a_plain_number() {
    let counted = |count: Value| {
        let body = with(again(), "Data.Initiation.FinalPaymentDateTime", Value::Null);
        wrong(read::<DomesticStandingOrder>(&with(body, "Data.Initiation.NumberOfPayments", count)))
    };
    assert_eq!((counted(json!("1")), counted(json!("9999"))), (vec![], vec![]));
    for bad in ["", "0", "01", "10000", "-1", "+1", "1.0", "x", " 1", "٣"] {
        let expected = [(FaultCode::FieldInvalid, "Data.Initiation.NumberOfPayments".to_owned())];
        assert_eq!(counted(json!(bad)), expected, "{bad}");
    }
    assert_eq!(counted(json!(5))[0].0, FaultCode::InvalidFormat);
    let both = with(again(), "Data.Initiation.NumberOfPayments", json!("3"));
    assert_eq!(
        wrong(read::<DomesticStandingOrder>(&both)),
        [(FaultCode::FieldUnexpected, "Data.Initiation.FinalPaymentDateTime".into())]
    );
}

#[test]
fn pis_113_148_old_codes_and_misspelt_members_are_taken() {
    for (path, value) in [
        ("Data.Initiation.LocalInstrument", json!("CHAPS")),
        ("Data.Initiation.DebtorAccount.SchemeName", json!("IBAN")),
    ] {
        assert_eq!(wrong(read::<DomesticPayment>(&with(now(), path, value))), [], "{path}");
    }
    for (correct, misspelt) in every_spelling() {
        let correct = format!("Risk.{correct}");
        let misspelt = format!("Risk.{misspelt}");
        let alone = with(with(now(), &correct, Value::Null), &misspelt, json!(true));
        assert_eq!(wrong(read::<DomesticPayment>(&alone)), [], "{misspelt}");
    }
}

#[test]
fn pis_148_both_spellings_of_a_member_at_once_are_refused() {
    for (correct, misspelt) in every_spelling() {
        for said in [true, false] {
            let both =
                with(with(now(), &format!("Risk.{correct}"), json!(true)), &format!("Risk.{misspelt}"), json!(said));
            let faults = read::<DomesticPayment>(&both).unwrap_err();
            let [fault] = faults.as_slice() else { panic!("{faults:?}") };
            assert_eq!(fault.code, FaultCode::InvalidFormat, "{misspelt}");
            assert!(fault.message.contains(correct) && fault.message.contains(misspelt), "{}", fault.message);
        }
    }
}

#[test]
fn pis_023_faults_of_all_parts_are_found_at_once() {
    let mut body = with(now(), "Data.Initiation.CreditorAccount.Name", Value::Null);
    for (path, value) in [
        ("Data.Initiation.InstructedAmount.Amount", json!("x")),
        ("Data.Initiation.InstructedAmount.Currency", json!("x")),
        ("Data.ReadRefundAccount", json!("x")),
        ("Risk.DeliveryAddress", json!({})),
        ("Stranger", json!(1)),
    ] {
        body = with(body, path, value);
    }
    let mut found: Vec<_> = wrong(read::<DomesticPayment>(&body)).into_iter().map(|(_, path)| path).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "Data.Initiation.CreditorAccount.Name",
            "Data.Initiation.InstructedAmount.Amount",
            "Data.Initiation.InstructedAmount.Currency",
            "Data.ReadRefundAccount",
            "Risk.DeliveryAddress.Country",
            "Risk.DeliveryAddress.TownName",
            "Stranger",
        ]
    );
}

#[test]
fn rw_124_the_fields_of_the_rules_stand_where_the_paths_say() {
    use lombard_domain::refusal::Field as F;
    let there = |body: &Value, field| {
        let path = crate::paths::field_path(lombard_domain::version::Version::V3_1, field);
        body.pointer(&format!("/{}", path.replace('.', "/"))).is_some()
    };
    let shared =
        [F::DebtorScheme, F::DebtorIdentification, F::CreditorAccount, F::CreditorScheme, F::CreditorIdentification];
    let now_fields = [
        F::AuthorisationCompletion,
        F::AuthorisationType,
        F::DebtorAccount,
        F::DebtorSecondary,
        F::LocalInstrument,
        F::InstructedAmount,
        F::InstructedCurrency,
        F::PaymentRisk,
        F::CreditorName,
        F::EndToEnd,
        F::RemittanceReference,
        F::RemittanceMessage,
    ];
    let again_fields = [
        F::Frequency,
        F::FirstPayment,
        F::RecurringPayment,
        F::FinalPayment,
        F::FirstAmount,
        F::FirstCurrency,
        F::RecurringAmount,
        F::RecurringCurrency,
        F::FinalMoney,
        F::FinalAmount,
        F::FinalCurrency,
        F::StandingOrderReference,
    ];
    for (body, fields) in [(now(), &now_fields[..]), (later(), &[F::RequestedExecution]), (again(), &again_fields)] {
        for field in shared.iter().chain(fields) {
            assert!(there(&body, *field), "{field:?}");
        }
    }
    assert!(there(&order(&now()), F::ConsentId));
}

#[test]
fn pis_050_an_order_as_its_consent_matches_and_another_does_not() {
    fn check<P: ProductWire<V3_1>>(body: Value) {
        let consent = read::<P>(&body).unwrap().submitted;
        let matching = read_order::<P>(&order(&body)).unwrap().submitted;
        assert_eq!(find_differences(&consent, &matching).unwrap(), []);
        let other = with(order(&body), "Data.Initiation.CreditorAccount.Name", json!("Mallory"));
        let other = read_order::<P>(&other).unwrap().submitted;
        let at = find_differences(&consent, &other).unwrap().pop().unwrap().at;
        assert_eq!(at, Some(FaultLocation::Path("Data.Initiation.CreditorAccount.Name".into())));
    }
    each_product!(check);
}

proptest! {
    #[test]
    fn no_bytes_make_the_readers_panic(bytes: Vec<u8>, at: prop::sample::Index, cut: prop::sample::Index) {
        let good = again().to_string().into_bytes();
        let mut torn = good[..cut.index(good.len())].to_vec();
        let _ = <DomesticStandingOrder as ProductWire<V3_1>>::read_consent(&torn, DEPTH);
        torn.extend(&bytes);
        torn.extend(&good[at.index(good.len())..]);
        for body in [&bytes, &torn] {
            let _ = (<DomesticPayment as ProductWire<V3_1>>::read_consent(body, DEPTH), <DomesticStandingOrder as ProductWire<V3_1>>::read_order(body, DEPTH));
        }
    }

    #[test]
    fn rw_140_a_value_of_another_type_is_one_fault_at_its_place_or_below(which: prop::sample::Index, kind in 0_usize..4) {
        let mut paths = Vec::new();
        leaves(&now(), "", &mut paths);
        let path = which.get(&paths);
        let value = [json!(7), json!(["x"]), json!({"x": 1}), json!(true)][kind].clone();
        let open = path.ends_with("Extra");
        let fits = (path.ends_with("Indicator") && kind == 3) || open;
        let found = wrong(read::<DomesticPayment>(&with(now(), path, value)));
        if fits {
            prop_assert_eq!(found, []);
        } else {
            prop_assert_eq!(found, [(FaultCode::InvalidFormat, path.clone())]);
        }
    }
}

/// The paths of all strings, numbers and booleans that are members of objects.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                leaves(value, &if at.is_empty() { name.clone() } else { format!("{at}.{name}") }, found);
            }
        }
        Value::Array(_) => {}
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => found.push(at.to_owned()),
    }
}
