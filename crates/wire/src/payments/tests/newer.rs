//! The requests of v4.0: the members that v3.1 lacks, and the refusals that only v4.0 has.

use super::*;
use crate::comparison::find_differences;
use crate::payments::DomesticVrp;
use crate::v4_0::V4_0;
use jiff::civil::{Date, Weekday, date};
use lombard_domain::frequency::{Frequency as F, Quarter};
use lombard_domain::payment::PaymentContext;
use lombard_domain::payment::file::FileType;
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::transfer::{Route, ScheduleEnd, Timing, Transfer};
use lombard_domain::payment::vrp::InteractionType;

const MANDATE: &str = "Data.Initiation.MandateRelatedInformation";

fn read<P: ProductWire<V4_0>>(body: &Value) -> Result<PaymentDraft, Vec<Fault>> {
    P::read_consent(body.to_string().as_bytes(), DEPTH)
}

fn transfer<P: ProductWire<V4_0>>(body: &Value) -> Transfer {
    read::<P>(body).unwrap().terms.instruction.transfer().unwrap().clone()
}

/// An address with every part.
fn address() -> Value {
    json!({
        "AddressType": "PBOX", "Department": "d", "SubDepartment": "s", "StreetName": "s".repeat(140),
        "BuildingNumber": "1", "BuildingName": "b", "Floor": "1", "UnitNumber": "2", "Room": "3", "PostBox": "4",
        "TownLocationName": "l", "DistrictName": "d", "CareOf": "c", "PostCode": "N1 1AA", "TownName": "t".repeat(140),
        "CountrySubDivision": "Kent", "Country": "GB", "AddressLine": ["a", "b", "c", "d", "e", "f", "g"]
    })
}

fn party() -> Value {
    json!({
        "Name": "n", "Identification": "i", "LEI": "IZ9Q00LZEVUKWCQY6X15", "SchemeName": "UK.OBIE.IBAN",
        "PostalAddress": address(), "Extra": 1
    })
}

fn remittance() -> Value {
    json!({
        "Structured": [{
            "ReferredDocumentInformation": [{
                "Code": "CINV", "Issuer": "i", "Number": "n", "RelatedDate": "2026-07-01T00:00:00Z",
                "LineDetails": ["x".repeat(2048)]
            }],
            "ReferredDocumentAmount": "12.50",
            "CreditorReferenceInformation": {"Code": "SCOR", "Issuer": "i", "Reference": "FRESCO-101"},
            "Invoicer": "i", "Invoicee": "j", "TaxRemittance": "t", "AdditionalRemittanceInformation": ["a", "b", "c"]
        }],
        "Unstructured": ["Internal ops code 5120101", "and more"]
    })
}

fn regulatory() -> Value {
    json!([{
        "DebitCreditReportingIndicator": "CRED", "Authority": {"Name": "n", "CountryCode": "GB"},
        "Details": [{
            "Type": "t", "Date": "2026-07-01T00:00:00Z", "Country": "GB",
            "Amount": {"Amount": "1.00", "Currency": "GBP"}, "Information": ["i"]
        }]
    }])
}

fn agent() -> Value {
    json!({
        "SchemeName": "UK.OBIE.BICFI", "Identification": "BUKBGB22", "Name": "n", "LEI": "IZ9Q00LZEVUKWCQY6X15",
        "PostalAddress": address()
    })
}

/// Converts a request of v3.1 to the form of v4.0, with every member that v4.0 adds.
fn renewed(mut body: Value) -> Value {
    let proxy = json!({"Identification": "+44 7700 900000", "Code": "TELE", "Type": "mobile"});
    let file = body["Data"]["Initiation"].get("FileType").is_some();
    let initiation = &mut body["Data"]["Initiation"];
    initiation["RemittanceInformation"] = remittance();
    initiation["DebtorAccount"]["Proxy"] = proxy.clone();
    if file {
        initiation["CreditorAgent"] = agent();
        return body;
    }
    let members = initiation.as_object_mut().unwrap();
    members.remove("Purpose");
    members.remove("Reference");
    let mut days = serde_json::Map::new();
    for name in ["FirstPaymentDateTime", "RecurringPaymentDateTime", "FinalPaymentDateTime"] {
        days.extend(members.remove(name).map(|day| (name.to_owned(), day)));
    }
    if members.remove("Frequency").is_some() {
        days.insert("Frequency".into(), json!({"Type": "MNTH", "PointInTime": "-1"}));
        days.insert("MandateIdentification".into(), json!("m"));
        days.insert("Classification".into(), json!("FIXE"));
        days.insert("CategoryPurposeCode".into(), json!("BONU"));
        days.insert("Reason".into(), json!("r"));
        members.insert("MandateRelatedInformation".into(), days.into());
    }
    for (name, value) in
        [("UltimateCreditor", party()), ("UltimateDebtor", party()), ("RegulatoryReporting", regulatory())]
    {
        members.insert(name.into(), value);
    }
    if members.contains_key("CreditorPostalAddress") {
        members.insert("CreditorPostalAddress".into(), address());
    }
    if let Some(creditor) = members.get_mut("Creditor") {
        *creditor = json!({"Name": "n".repeat(350), "LEI": "IZ9Q00LZEVUKWCQY6X15", "PostalAddress": address()});
        members.insert("CreditorAgent".into(), agent());
    }
    initiation["CreditorAccount"]["Proxy"] = proxy;
    if let Some(risk) = body["Risk"].as_object_mut().filter(|risk| !risk.is_empty()) {
        risk.insert("PaymentPurposeCode".into(), json!("CRYP"));
        risk.insert("CategoryPurposeCode".into(), json!("BONU"));
        risk.insert("DeliveryAddress".into(), json!({"AddressLine": ["a", "b", "c"]}));
    }
    body
}

fn pay_now() -> Value {
    with(renewed(now()), "Data.Initiation.CreditorAgent", agent())
}

#[test]
fn rw_132_rw_252_the_bank_receives_what_v4_0_adds() {
    let paid = transfer::<DomesticPayment>(&pay_now());
    let details = paid.details.as_deref().unwrap();
    let ultimate = details.ultimate_creditor.as_ref().unwrap();
    assert_eq!((ultimate.name.as_deref(), ultimate.lei.as_deref()), (Some("n"), Some("IZ9Q00LZEVUKWCQY6X15")));
    assert_eq!(ultimate.address.as_ref().unwrap().care_of.as_deref(), Some("c"));
    assert_eq!(details.ultimate_debtor.as_ref(), Some(ultimate));
    assert_eq!((details.purpose, details.category_purpose), ("CRYP".parse().ok(), "BONU".parse().ok()));
    assert_eq!(details.agent.as_ref().unwrap().lei.as_deref(), Some("IZ9Q00LZEVUKWCQY6X15"));
    assert_eq!(details.regulatory_reporting[0].details[0].information, ["i"]);
    assert_eq!(paid.credit().creditor.proxy.as_ref().unwrap().kind.as_deref(), Some("mobile"));
    let references = &paid.credit().references;
    let whole = references.remittance.as_deref().unwrap();
    assert_eq!((references.reference.as_deref(), references.message.as_deref()), (whole.reference(), whole.message()));
    assert_eq!(whole.structured[0].additional, ["a", "b", "c"]);
    let plain = json!({
        "Structured": [{"CreditorReferenceInformation": {"Reference": "r"}}], "Unstructured": ["m"]
    });
    let plain = transfer::<DomesticPayment>(&with(pay_now(), "Data.Initiation.RemittanceInformation", plain));
    assert_eq!(plain.credit().references.remittance, None, "reference and message say it");
}

#[test]
fn section_10_2_rw_253_every_product_reads_what_v4_0_adds_and_its_order() {
    fn check<P: ProductWire<V4_0>>(body: Value) {
        let asked = read::<P>(&body).unwrap();
        assert_eq!(asked.terms.product(), P::PRODUCT);
        assert!(!asked.form.legacy_frequency);
        let mut order = order(&body);
        if body.get("Risk").is_none() {
            order.as_object_mut().unwrap().remove("Risk");
        }
        let ordered = P::read_order(order.to_string().as_bytes(), DEPTH).unwrap();
        assert_eq!(find_differences(&asked.submitted, &ordered.submitted).unwrap(), [], "PIS-050");
    }
    check::<DomesticPayment>(pay_now());
    check::<DomesticScheduledPayment>(renewed(later()));
    check::<DomesticStandingOrder>(renewed(again()));
    check::<InternationalPayment>(renewed(abroad::now()));
    check::<InternationalScheduledPayment>(renewed(abroad::later()));
    check::<InternationalStandingOrder>(renewed(abroad::again()));
    check::<FilePayment>(renewed(announced::consent()));
}

#[test]
fn pis_135_the_rails_get_one_reference_and_one_message() {
    for body in [pay_now(), renewed(again())] {
        let paid = if body["Data"].get("Permission").is_some() {
            transfer::<DomesticStandingOrder>(&body)
        } else {
            transfer::<DomesticPayment>(&body)
        };
        let references = &paid.credit().references;
        assert_eq!(references.reference.as_deref(), Some("FRESCO-101"));
        assert_eq!(references.message.as_deref(), Some("Internal ops code 5120101"));
    }
    let Route::Domestic(credit) = transfer::<DomesticPayment>(&pay_now()).route else { panic!("it is domestic") };
    let postal = credit.address.unwrap();
    assert_eq!(postal.kind, Some(lombard_domain::account::AddressType::PoBox), "V4-005");
    assert_eq!(postal.town.map(|town| town.len()), Some(140));
}

#[test]
fn table_10_2_what_only_one_version_has_is_refused_in_the_other() {
    use FaultCode::{FieldInvalid, FieldMissing, FieldUnexpected};
    let refused = |path: &str, value: Value| wrong(read::<DomesticPayment>(&with(pay_now(), path, value)));
    let both = |code, path: &str| vec![(code, path.to_owned())];
    for (path, value) in [
        ("Risk.ContractPresentInidicator", json!(true)),
        ("Risk.BeneficiaryPaymentDetailsPrepopulatedIndicator", json!(true)),
        ("Data.Initiation.Purpose", json!("CASH")),
        ("Data.Initiation.MandateRelatedInformation", json!({})),
    ] {
        assert_eq!(refused(path, value), both(FieldUnexpected, path), "RW-141");
    }
    for (path, value) in [
        ("Risk.PaymentContextCode", json!("PartyToParty")), // PIS-144
        ("Risk.PaymentContextCode", json!("PispPayee")),
        ("Risk.PaymentPurposeCode", json!("XXXX")),
        ("Risk.CategoryPurposeCode", json!("XXXX")),
        ("Data.Initiation.CreditorPostalAddress.AddressType", json!("POBox")), // V4-005
        ("Data.Initiation.UltimateDebtor.LEI", json!("IZ9Q00LZEVUKWCQY6XAA")), // V4-008
        ("Data.Initiation.UltimateDebtor.Name", json!("n".repeat(141))),
        ("Data.Initiation.CreditorAccount.Proxy.Code", json!("PHON")),
    ] {
        assert_eq!(refused(path, value), both(FieldInvalid, path), "{path}");
    }
    assert_eq!(
        refused("Data.Initiation.DebtorAccount.Proxy", json!({"Code": "TELE"})),
        both(FieldMissing, "Data.Initiation.DebtorAccount.Proxy.Identification")
    );
    let many = json!(vec![json!({}); 11]);
    assert_eq!(
        refused("Data.Initiation.RegulatoryReporting", many),
        both(FieldInvalid, "Data.Initiation.RegulatoryReporting")
    );
    let text = json!({"Unstructured": ["x", "y".repeat(141)]});
    assert_eq!(
        refused("Data.Initiation.RemittanceInformation", text),
        both(FieldInvalid, "Data.Initiation.RemittanceInformation.Unstructured[1]"),
        "PIS-131"
    );
    assert_eq!(refused("Data.Initiation.DebtorAccount.Name", Value::Null), [], "PIS-117");
    let old = super::read::<DomesticPayment>(&with(now(), "Data.Initiation.UltimateCreditor", party()));
    assert_eq!(wrong(old), both(FieldUnexpected, "Data.Initiation.UltimateCreditor"), "v3.1 has none");
    let old = super::read::<DomesticStandingOrder>(&renewed(again()));
    assert!(wrong(old).contains(&(FieldUnexpected, MANDATE.into())));
}

/// The schedule of a standing order with this frequency and these dates.
fn schedule(
    frequency: Value,
    first: Option<&str>,
    second: Option<&str>,
) -> Result<(F, Date, bool), Vec<(FaultCode, String)>> {
    let body = with(renewed(again()), &format!("{MANDATE}.Frequency"), frequency);
    let body = with(body, &format!("{MANDATE}.FirstPaymentDateTime"), json!(first));
    let body = with(body, &format!("{MANDATE}.RecurringPaymentDateTime"), json!(second));
    let draft = read::<DomesticStandingOrder>(&body);
    let Ok(draft) = draft else { return Err(wrong(draft)) };
    let Some(Timing::StandingOrder(it)) = draft.terms.instruction.transfer().map(|it| it.timing.clone()) else {
        panic!("it is a standing order")
    };
    Ok((it.frequency, it.first_on, draft.form.legacy_frequency))
}

#[test]
fn v4_010_to_016_rw_090_codes_and_points_in_time_are_schedules() {
    let friday = Some("2027-01-01T00:00:00Z");
    for (kind, point, frequency) in [
        ("DAIL", None, F::EveryDay),
        ("DAIL", Some("02"), F::IntervalDay(2)),
        ("DAIL", Some("31"), F::IntervalDay(31)),
        ("WODL", None, F::EveryWorkingDay),
        // Monday is 1 (RW-090).
        ("WEEK", Some("7"), F::IntervalWeekDay(1, Weekday::Sunday)),
        ("WEEK", Some("01"), F::IntervalWeekDay(1, Weekday::Monday)),
        ("WEEK", Some("00"), F::IntervalWeekDay(1, Weekday::Friday)),
        ("FRTN", None, F::IntervalWeekDay(2, Weekday::Friday)),
        ("FRTN", Some("7"), F::IntervalWeekDay(2, Weekday::Sunday)),
        ("FRTN", Some("08"), F::SecondWeekDay(Weekday::Monday)),
        ("FRTN", Some("14"), F::SecondWeekDay(Weekday::Sunday)),
        ("FOWK", None, F::IntervalWeekDay(4, Weekday::Friday)),
        ("MNTH", Some("31"), F::IntervalMonthDay(1, 31)),
        ("MNTH", Some("-5"), F::IntervalMonthDay(1, -5)),
        ("MNTH", None, F::IntervalMonthDay(1, 1)),
        ("TWMH", None, F::IntervalMonthDay(2, 1)),
        ("ALMH", Some("15"), F::IntervalMonthDay(2, 15)),
        ("QURT", None, F::IntervalMonthDay(3, 1)),
        ("QURT", Some("-1"), F::DayFromQuarterEnd(1)),
        ("FOMH", None, F::IntervalMonthDay(4, 1)),
        ("FIMH", None, F::IntervalMonthDay(5, 1)),
        ("MIAN", None, F::IntervalMonthDay(6, 1)),
        ("YEAR", None, F::IntervalMonthDay(12, 1)),
        ("TWYR", None, F::IntervalMonthDay(24, 1)),
        ("LWMH", None, F::WorkingDayFromMonthEnd(1)),
        ("LWMH", Some("-3"), F::WorkingDayFromMonthEnd(3)),
        ("LXMH", Some("5"), F::WeekInMonthDay(5, Weekday::Friday)),
        ("ADHO", None, F::NotKnown),
        ("INDA", None, F::NotKnown),
        ("NONE", None, F::NotKnown),
    ] {
        let said = json!({"Type": kind, "PointInTime": point});
        assert_eq!(schedule(said, friday, None), Ok((frequency, date(2027, 1, 1), false)), "{kind} {point:?}");
    }
    let counted = json!({"Type": "WEEK", "CountPerPeriod": 1, "PointInTime": "00"});
    let later = Some("2027-01-09T00:00:00Z");
    assert_eq!(
        schedule(counted.clone(), friday, later).map(|it| it.0),
        Ok(F::IntervalWeekDay(1, Weekday::Saturday)),
        "the second payment is the anchor"
    );
    assert_eq!(schedule(counted, None, later).map(|it| it.1), Ok(date(2027, 1, 9)));
    for (pattern, frequency, is_legacy) in
        [("QtrDay:ENGLISH", F::QuarterDay(Quarter::English), true), ("NotKnown", F::NotKnown, false)]
    {
        assert_eq!(
            schedule(json!({"Type": pattern}), friday, None).map(|it| (it.0, it.2)),
            Ok((frequency, is_legacy)),
            "V4-017"
        );
    }
}

#[test]
fn v4_014_v4_015_codes_and_points_in_time_that_are_no_schedule() {
    use FaultCode::{FieldExpected, FieldInvalid, FieldUnexpected, UnsupportedFrequency};
    let first = Some("2027-01-01T00:00:00Z");
    for (said, code, member) in [
        (json!({"Type": "MNTH", "CountPerPeriod": 1, "PointInTime": "05"}), FieldUnexpected, "PointInTime"),
        (json!({"Type": "MNTH", "PointInTime": "32"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "MNTH", "PointInTime": "-6"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "MNTH", "PointInTime": "+5"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "MNTH", "PointInTime": "-01"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "WEEK", "PointInTime": "8"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "FRTN", "PointInTime": "15"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "FOWK", "PointInTime": "08"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "DAIL", "PointInTime": "-1"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "LWMH", "PointInTime": "1"}), FieldInvalid, "PointInTime"),
        (json!({"Type": "WODL", "PointInTime": "1"}), FieldUnexpected, "PointInTime"),
        (json!({"Type": "LXMH"}), FieldExpected, "PointInTime"),
        (json!({"Type": "LXMX"}), FieldInvalid, "Type"),
        (json!({"Type": "WEEK", "CountPerPeriod": 0}), FieldInvalid, "CountPerPeriod"),
        (json!({"Type": "WEEK", "CountPerPeriod": 2}), UnsupportedFrequency, "CountPerPeriod"),
    ] {
        assert_eq!(
            schedule(said.clone(), first, None),
            Err(vec![(code, format!("{MANDATE}.Frequency.{member}"))]),
            "{said}"
        );
    }
    for kind in ["FRTN", "QURT", "TWYR", "MNTH"] {
        let nowhere = Err(vec![(FieldExpected, format!("{MANDATE}.FirstPaymentDateTime"))]);
        assert_eq!(schedule(json!({"Type": kind}), None, None), nowhere);
    }
    let both = with(renewed(again()), "Data.Initiation.NumberOfPayments", json!("3"));
    let twice = vec![(FieldUnexpected, format!("{MANDATE}.FinalPaymentDateTime"))];
    assert_eq!(wrong(read::<DomesticStandingOrder>(&both)), twice, "SO-010");
    let open = with(renewed(again()), &format!("{MANDATE}.FinalPaymentDateTime"), Value::Null);
    let Timing::StandingOrder(it) = transfer::<DomesticStandingOrder>(&open).timing else { panic!("one") };
    assert_eq!(it.end, ScheduleEnd::Open);
}

#[test]
fn file_006_v4_0_has_two_types_of_file() {
    for (name, kind) in [
        ("UK.OBIE.pain.001.001.08", Some(FileType::Pain001)),
        ("UK.OBIE.PaymentInitiation.4.0", Some(FileType::PaymentInitiation40)),
        ("UK.OBIE.PaymentInitiation.3.1", None),
    ] {
        let draft = read::<FilePayment>(&with(renewed(announced::consent()), "Data.Initiation.FileType", json!(name)));
        assert_eq!(draft.ok().and_then(|it| it.terms.instruction.file().map(|it| it.kind)), kind, "{name}");
    }
}

/// A VRP consent request of v4.0.
fn recurring() -> Value {
    let creditor = with(account("08080021325698"), "Proxy", json!({"Identification": "a@b.example", "Code": "EMAL"}));
    json!({
        "Data": {
            "ReadRefundAccount": "Yes",
            "ControlParameters": {
                "MaximumIndividualAmount": {"Amount": "100.00", "Currency": "GBP"},
                "PeriodicLimits": [
                    {"PeriodType": "Month", "PeriodAlignment": "Consent", "Amount": "200.00", "Currency": "GBP"}
                ],
                "VRPType": ["UK.OBIE.VRPType.CVRP1"],
                "PSUAuthenticationMethods": ["UK.OBIE.SCANotRequired"]
            },
            "Initiation": {
                "DebtorAccount": {"SchemeName": "UK.OBIE.IBAN", "Identification": "GB33BUKB20201555555555"},
                "CreditorAccount": creditor, "CreditorPostalAddress": address(), "UltimateCreditor": party(),
                "UltimateDebtor": party(), "RemittanceInformation": remittance(), "RegulatoryReporting": regulatory()
            }
        },
        "Risk": {"PaymentContextCode": "TransferToSelf"}
    })
}

#[test]
fn vrp_009_vrp_016_cvrp_002_a_vrp_consent_and_its_payment() {
    let draft = read::<DomesticVrp>(&recurring()).unwrap();
    let Instruction::Vrp(agreed) = &draft.terms.instruction else { panic!("a VRP consent") };
    assert_eq!(agreed.controls.interactions, [InteractionType::OffSession].into(), "VRP-009");
    assert!(agreed.controls.types.iter().all(|kind| kind.is_commercial()), "CVRP-002");
    assert_eq!(agreed.references.reference.as_deref(), Some("FRESCO-101"));
    assert_eq!(draft.form.absent.len(), 7, "CVRP-005");
    let long = with(recurring(), "Data.Initiation.CreditorAccount.Name", json!("n".repeat(71)));
    assert_eq!(
        wrong(read::<DomesticVrp>(&long)),
        [(FaultCode::FieldInvalid, "Data.Initiation.CreditorAccount.Name".into())]
    );
    let deprecated = with(recurring(), "Risk.PaymentContextCode", json!("PartyToParty"));
    let refused = [(FaultCode::FieldInvalid, "Risk.PaymentContextCode".to_owned())];
    assert_eq!(wrong(read::<DomesticVrp>(&deprecated)), refused, "V4-028");

    let body = recurring();
    let payment = json!({
        "Data": {
            "ConsentId": "c-1", "PSUAuthenticationMethod": "UK.OBIE.SCANotRequired", "VRPType": "UK.OBIE.VRPType.CVRP1",
            "Initiation": body["Data"]["Initiation"],
            "Instruction": {
                "InstructionIdentification": "i", "EndToEndIdentification": "e", "RemittanceInformation": remittance(),
                "InstructedAmount": {"Amount": "1.00", "Currency": "GBP"}, "CreditorPostalAddress": address(),
                "CreditorAccount": body["Data"]["Initiation"]["CreditorAccount"], "UltimateCreditor": party()
            }
        },
        "Risk": {"PaymentContextCode": "PartyToParty"}
    });
    let ordered = <DomesticVrp as ProductWire<V4_0>>::read_order(payment.to_string().as_bytes(), DEPTH).unwrap();
    let paid = ordered.payment.unwrap();
    assert_eq!((paid.interaction, paid.names_interaction), (Some(InteractionType::OffSession), false));
    assert_eq!(read::<DomesticVrp>(&recurring()).unwrap().terms.context, Some(PaymentContext::TransferToSelf));
}
