//! Parsing of the three international products, and rendering of the exchange.

use super::*;
use crate::comparison::find_differences;
use crate::payments::names as payment_names;
use crate::payments::{InternationalPayment, InternationalScheduledPayment, InternationalStandingOrder, ProductWire};
use crate::v3_1::V3_1;
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::payment::exchange::{AgreedRate, ExchangeRateType, RequestedRate};
use lombard_domain::payment::order::{Instruction, PaymentDraft};
use lombard_domain::payment::transfer::{AgentCode, Route, ScheduleEnd};
use lombard_domain::refusal::{ExchangeField, Fault, FaultCode as C, FaultLocation};
use proptest::prelude::*;
use serde_json::{Value, json};

const DEPTH: usize = 16;

/// An international payment as requested.
#[derive(Debug)]
struct Abroad {
    payment: International,
    amount: Amount,
    timing: Timing,
    debtor: Option<AccountIdentification>,
}

type Reader = fn(&[u8], usize) -> Result<Abroad, Vec<Fault>>;

fn read_as<P: ProductWire<V3_1>>(body: &[u8], depth_max: usize) -> Result<Abroad, Vec<Fault>> {
    let PaymentDraft { terms, .. } = P::read_consent(body, depth_max)?;
    assert_eq!(terms.product(), P::PRODUCT);
    let Instruction::Transfer(Transfer { route: Route::International(payment), amount, timing, .. }) =
        terms.instruction
    else {
        panic!("it goes abroad")
    };
    Ok(Abroad { payment: *payment, amount, timing, debtor: terms.debtor })
}

fn read_payment(body: &[u8], depth_max: usize) -> Result<Abroad, Vec<Fault>> {
    read_as::<InternationalPayment>(body, depth_max)
}

fn read_scheduled(body: &[u8], depth_max: usize) -> Result<Abroad, Vec<Fault>> {
    read_as::<InternationalScheduledPayment>(body, depth_max)
}

fn read_standing_order(body: &[u8], depth_max: usize) -> Result<Abroad, Vec<Fault>> {
    read_as::<InternationalStandingOrder>(body, depth_max)
}

/// Checks that the order of a consent is parsed and matches it.
fn agrees<P: ProductWire<V3_1>>(consent: &Value) {
    let asked = P::read_consent(consent.to_string().as_bytes(), DEPTH).unwrap();
    let ordered = P::read_order(order(consent).to_string().as_bytes(), DEPTH).unwrap();
    assert_eq!(ordered.consent, "c-1".into());
    assert_eq!(find_differences(&asked.submitted, &ordered.submitted).unwrap(), [], "PIS-050");
}

/// A request for an immediate payment, with every member.
pub(in crate::payments) fn now() -> Value {
    json!({
        "Data": {
            "ReadRefundAccount": "Yes",
            "Initiation": {
                "InstructionIdentification": "ACME412",
                "EndToEndIdentification": "FRESCO.21302.GFX.20",
                "LocalInstrument": "UK.OBIE.SWIFT",
                "InstructionPriority": "Urgent",
                "Purpose": "CORT",
                "ExtendedPurpose": "Settling a trade",
                "ChargeBearer": "Shared",
                "CurrencyOfTransfer": "USD",
                "DestinationCountryCode": "US",
                "InstructedAmount": {"Amount": "165.88", "Currency": "USD"},
                "ExchangeRateInformation": {
                    "UnitCurrency": "GBP", "ExchangeRate": 1.3400, "RateType": "Agreed", "ContractIdentification": "FX-7"
                },
                "DebtorAccount": {"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "11280001234567"},
                "Creditor": {"Name": "ACME Inc", "PostalAddress": {"TownName": "Springfield", "Country": "US"}},
                "CreditorAgent": {
                    "SchemeName": "UK.OBIE.BICFI", "Identification": "CITIUS33", "Name": "Citibank",
                    "PostalAddress": {"AddressLine": ["Broadway"], "Country": "US"}
                },
                "CreditorAccount": {
                    "SchemeName": "UK.OBIE.BBAN", "Identification": "000123456789", "Name": "ACME Inc",
                    "SecondaryIdentification": "0002"
                },
                "RemittanceInformation": {"Unstructured": "Internal ops code 5120101", "Reference": "FRESCO-101"},
                "SupplementaryData": {}
            },
            "Authorisation": {"AuthorisationType": "Any"},
            "SCASupportData": {}
        },
        "Risk": {}
    })
}

pub(in crate::payments) fn later() -> Value {
    let body = with(now(), "Data.Permission", json!("Create"));
    let body = with(body, "Data.Initiation.EndToEndIdentification", Value::Null);
    with(body, "Data.Initiation.RequestedExecutionDateTime", json!("2026-07-01T23:30:00+00:00"))
}

pub(in crate::payments) fn again() -> Value {
    let mut body = later();
    for absent in [
        "InstructionIdentification",
        "LocalInstrument",
        "InstructionPriority",
        "RequestedExecutionDateTime",
        "ExchangeRateInformation",
        "RemittanceInformation",
    ] {
        body = with(body, &format!("Data.Initiation.{absent}"), Value::Null);
    }
    for (name, value) in [
        ("Frequency", json!("IntrvlMnthDay:01:05")),
        ("Reference", json!("Rent")),
        ("FirstPaymentDateTime", json!("2026-07-05T00:00:00+00:00")),
        ("NumberOfPayments", json!("12")),
    ] {
        body = with(body, &format!("Data.Initiation.{name}"), value);
    }
    body
}

/// Sets the value at a path, or removes it if the value is `null`.
fn with(mut body: Value, path: &str, value: Value) -> Value {
    let (parents, name) = path.rsplit_once('.').unwrap_or(("", path));
    let mut at = &mut body;
    for step in parents.split('.').filter(|step| !step.is_empty()) {
        at = &mut at[step];
    }
    if value.is_null() {
        at.as_object_mut().unwrap().remove(name);
    } else {
        at[name] = value;
    }
    body
}

fn order(consent: &Value) -> Value {
    let initiation = consent["Data"]["Initiation"].clone();
    json!({"Data": {"ConsentId": "c-1", "Initiation": initiation}, "Risk": {}})
}

fn read(reader: Reader, body: &Value) -> Abroad {
    reader(body.to_string().as_bytes(), DEPTH).unwrap()
}

fn wrong(reader: Reader, body: &Value) -> Vec<(C, String)> {
    let path = |place| match place {
        Some(FaultLocation::Path(path)) => path,
        None => String::new(),
        Some(other) => panic!("a reader names paths, not {other:?}"),
    };
    let faults = reader(body.to_string().as_bytes(), DEPTH).err().unwrap_or_default();
    faults.into_iter().map(|fault| (fault.code, path(fault.at))).collect()
}

/// The faults of an immediate payment in which one value of the initiation is changed.
fn changed(name: &str, value: Value) -> Vec<(C, String)> {
    wrong(read_payment, &with(now(), &format!("Data.Initiation.{name}"), value))
}

fn at(code: C, name: &str) -> Vec<(C, String)> {
    vec![(code, format!("Data.Initiation.{name}"))]
}

#[test]
fn table_1_3_every_member_of_a_payment_now() {
    let asked = read(read_payment, &now());
    let Abroad { payment, amount, timing, debtor } = &asked;
    assert_eq!((amount.decimal().as_str(), amount.currency()), ("165.88", Currency::USD));
    assert_eq!(*timing, Timing::Immediate);
    assert_eq!(debtor.as_ref().map(|it| it.number.as_str()), Some("11280001234567"));
    let rate = "1.34".parse().unwrap();
    let rate_request = ExchangeRateRequest {
        unit: Currency::GBP,
        basis: RequestedRate::Agreed(AgreedRate { rate, contract: "FX-7".into() }),
    };
    assert_eq!(payment.exchange, Some(rate_request));
    assert_eq!(payment.transfer, Currency::USD);
    assert_eq!((payment.priority, payment.bearer), (Some(Priority::Urgent), Some(ChargeBearer::Shared)));
    assert_eq!(payment.destination.as_deref(), Some("US"));
    assert_eq!(payment.purpose.as_deref(), Some("CORT"));
    assert_eq!(payment.purpose_in_words.as_deref(), Some("Settling a trade"), "INT-006: both together");
    assert_eq!(payment.payee.as_deref(), Some("ACME Inc"));
    assert_eq!(payment.credit.address.as_ref().and_then(|it| it.town.as_deref()), Some("Springfield"));
    assert_eq!(payment.credit.instrument, Some(Instrument::Swift));
    assert_eq!(payment.credit.creditor.scheme, AccountScheme::Bban);
    assert_eq!(payment.credit.references.end_to_end.as_deref(), Some("FRESCO.21302.GFX.20"));
    assert_eq!(payment.credit.references.message.as_deref(), Some("Internal ops code 5120101"));
    let agent = payment.agent.as_ref().unwrap();
    assert_eq!(agent.code, Some(AgentCode::Bic("CITIUS33".into())));
    assert_eq!(agent.address.as_ref().map(|it| it.lines.len()), Some(1));
    agrees::<InternationalPayment>(&now());
}

#[test]
fn sch_001_a_scheduled_payment_has_a_day_of_london() {
    let asked = read(read_scheduled, &later());
    assert_eq!(asked.timing, Timing::Scheduled(date(2026, 7, 2)), "PIS-154");
    assert_eq!(asked.payment.credit.references.end_to_end, None, "SCH-009");
    agrees::<InternationalScheduledPayment>(&later());
    let day = "Data.Initiation.RequestedExecutionDateTime";
    assert_eq!(wrong(read_scheduled, &with(later(), day, Value::Null)), [(C::FieldMissing, day.to_owned())]);
    assert_eq!(wrong(read_scheduled, &with(later(), day, json!("soon"))), [(C::FieldInvalidDate, day.to_owned())]);
}

#[test]
fn so_014_a_standing_order_has_one_amount_and_asks_no_rate() {
    let asked = read(read_standing_order, &again());
    let Timing::StandingOrder(schedule) = &asked.timing else { panic!("{:?}", asked.timing) };
    assert_eq!(schedule.first_on, date(2026, 7, 5));
    assert_eq!(schedule.end, ScheduleEnd::After(12.try_into().unwrap()));
    assert_eq!((schedule.regular, schedule.last, schedule.recurring_from), (None, None, None));
    assert_eq!(asked.payment.exchange, None);
    assert_eq!(asked.payment.credit.references.reference.as_deref(), Some("Rent"));
    agrees::<InternationalStandingOrder>(&again());
    for unknown in
        ["ExchangeRateInformation", "RecurringPaymentDateTime", "InstructionIdentification", "LocalInstrument"]
    {
        let body = with(again(), &format!("Data.Initiation.{unknown}"), json!("x"));
        assert_eq!(wrong(read_standing_order, &body), at(C::FieldUnexpected, unknown), "SO-015");
    }
    let both = with(again(), "Data.Initiation.FinalPaymentDateTime", json!("2027-07-05"));
    assert_eq!(wrong(read_standing_order, &both), at(C::FieldUnexpected, "FinalPaymentDateTime"), "SO-010");
}

#[test]
fn table_1_3_what_must_be_there() {
    let missing = |reader, body: Value, name: &str| {
        assert_eq!(
            wrong(reader, &with(body, &format!("Data.Initiation.{name}"), Value::Null)),
            at(C::FieldMissing, name)
        );
    };
    for name in [
        "InstructionIdentification",
        "EndToEndIdentification",
        "CurrencyOfTransfer",
        "InstructedAmount",
        "CreditorAccount",
        "CreditorAccount.Name",
        "ExchangeRateInformation.UnitCurrency",
        "ExchangeRateInformation.RateType",
    ] {
        missing(read_payment, now(), name);
    }
    for name in ["Frequency", "FirstPaymentDateTime", "CurrencyOfTransfer", "InstructedAmount", "CreditorAccount"] {
        missing(read_standing_order, again(), name);
    }
    for name in [
        "LocalInstrument",
        "InstructionPriority",
        "Purpose",
        "ExtendedPurpose",
        "ChargeBearer",
        "DestinationCountryCode",
        "ExchangeRateInformation",
        "DebtorAccount",
        "Creditor",
        "CreditorAgent",
        "RemittanceInformation",
        "SupplementaryData",
    ] {
        assert_eq!(changed(name, Value::Null), [], "{name}");
    }
    for (reader, body) in [(read_scheduled as Reader, later()), (read_standing_order, again())] {
        let body = with(body, "Data.Permission", Value::Null);
        assert_eq!(wrong(reader, &body), [(C::FieldMissing, "Data.Permission".to_owned())], "PIS-028");
    }
}

#[test]
fn table_1_3_limits_and_codes() {
    let long = |count: usize| json!("x".repeat(count));
    for (name, value, code) in [
        ("InstructionPriority", json!("urgent"), C::FieldInvalid),
        ("Purpose", long(5), C::FieldInvalid),
        ("ExtendedPurpose", long(141), C::FieldInvalid),
        ("ChargeBearer", json!("Ours"), C::FieldInvalid),
        ("CurrencyOfTransfer", json!("usd"), C::FieldInvalid),
        ("CurrencyOfTransfer", json!("XXY"), C::FieldInvalid),
        ("DestinationCountryCode", json!("USA"), C::FieldInvalid), // INT-005
        ("InstructedAmount.Currency", json!("ZZZ"), C::FieldInvalid), // PIS-122
        ("LocalInstrument", json!("UK.OBIE.Pigeon"), C::UnsupportedLocalInstrument),
        ("CreditorAgent.SchemeName", json!("UK.OBIE.IBAN"), C::UnsupportedScheme),
        ("CreditorAgent.SchemeName", json!("UK.OBIE.NCC.usa"), C::UnsupportedScheme),
        ("CreditorAgent.Identification", long(36), C::FieldInvalid),
        ("CreditorAgent.Name", long(141), C::FieldInvalid),
        ("Creditor.Name", long(351), C::FieldInvalid), // X-11
        ("Creditor.PostalAddress.Country", json!("usa"), C::FieldInvalid),
        ("CreditorAccount.Name", long(351), C::FieldInvalid),
        ("ExchangeRateInformation.ContractIdentification", long(257), C::FieldInvalid),
        ("ExchangeRateInformation.RateType", json!("Spot"), C::FieldInvalid),
        ("ExchangeRateInformation.ExpirationDateTime", json!("2027-01-01"), C::FieldUnexpected), // INT-010
        ("RequestedExecutionDateTime", json!("2027-01-01"), C::FieldUnexpected),
        ("CreditorPostalAddress", json!({}), C::FieldUnexpected),
    ] {
        assert_eq!(changed(name, value.clone()), at(code, name), "{value}");
    }
    assert_eq!(changed("Creditor.Name", long(350)), [], "X-11");
    assert_eq!(changed("CreditorAgent.SchemeName", json!("BICFI")), [], "PIS-113");
}

#[test]
fn pis_119_a_bank_in_the_clearing_of_its_country() {
    let body = with(now(), "Data.Initiation.CreditorAgent.SchemeName", json!("UK.OBIE.NCC.US"));
    let body = with(body, "Data.Initiation.CreditorAgent.Identification", json!("021000021"));
    let code = read(read_payment, &body).payment.agent.unwrap().code;
    assert_eq!(code, Some(AgentCode::Clearing { country: "US".into(), number: "021000021".into() }));
}

#[test]
fn int_003_the_payees_bank_is_named_by_whole_pairs() {
    let agent = |value| changed("CreditorAgent", value);
    let address = json!({"Country": "US"});
    assert_eq!(agent(json!({"SchemeName": "BICFI", "Identification": "CITIUS33"})), []);
    assert_eq!(agent(json!({"Name": "Citibank", "PostalAddress": address})), []);
    assert_eq!(agent(json!({"SchemeName": "BICFI", "Identification": "CITIUS33", "Name": "Citibank"})), []);
    assert_eq!(agent(json!({"SchemeName": "BICFI", "Name": "Citibank", "PostalAddress": address})), []);
    let halves = agent(json!({"SchemeName": "BICFI", "Name": "Citibank"}));
    let partner = |name: &str| at(C::FieldExpected, &format!("CreditorAgent.{name}"));
    assert_eq!(halves, [partner("Identification"), partner("PostalAddress")].concat());
    for (value, partner) in [
        (json!({"SchemeName": "BICFI"}), "Identification"),
        (json!({"Identification": "CITIUS33"}), "SchemeName"),
        (json!({"Name": "Citibank"}), "PostalAddress"),
        (json!({"PostalAddress": address}), "Name"),
        (json!({}), "SchemeName"),
    ] {
        assert_eq!(agent(value.clone()), at(C::FieldExpected, &format!("CreditorAgent.{partner}")), "{value}");
    }
}

#[test]
fn int_013_014_an_agreed_rate_comes_whole_and_the_others_alone() {
    let exchange = |value| changed("ExchangeRateInformation", value);
    let rate = "ExchangeRateInformation.ExchangeRate";
    let contract = "ExchangeRateInformation.ContractIdentification";
    assert_eq!(exchange(json!({"UnitCurrency": "GBP", "RateType": "Actual"})), []);
    assert_eq!(exchange(json!({"UnitCurrency": "GBP", "RateType": "Indicative"})), []);
    let half = json!({"UnitCurrency": "GBP", "RateType": "Agreed", "ExchangeRate": 1.34});
    assert_eq!(exchange(half), at(C::FieldExpected, contract));
    let half = json!({"UnitCurrency": "GBP", "RateType": "Agreed", "ContractIdentification": "FX-7"});
    assert_eq!(exchange(half), at(C::FieldExpected, rate));
    for kind in ["Actual", "Indicative"] {
        let more =
            json!({"UnitCurrency": "GBP", "RateType": kind, "ExchangeRate": 1.34, "ContractIdentification": "x"});
        assert_eq!(exchange(more), [at(C::FieldUnexpected, rate), at(C::FieldUnexpected, contract)].concat());
    }
}

#[test]
fn int_025_a_rate_is_a_number_and_exact() {
    let body = now().to_string();
    let rate = |text: &str| {
        let body = body.replace("\"ExchangeRate\":1.34", &format!("\"ExchangeRate\":{text}"));
        read_payment(body.as_bytes(), DEPTH)
    };
    for (text, value) in [("1.34", "1.34"), ("134e-2", "1.34"), ("0.859106529210", "0.85910652921"), ("190", "190")] {
        let Some(RequestedRate::Agreed(deal)) = rate(text).unwrap().payment.exchange.map(|it| it.basis) else {
            panic!()
        };
        assert_eq!(deal.rate, value.parse().unwrap(), "{text}");
    }
    for (text, code) in [
        ("0", C::FieldInvalid),
        ("-1.34", C::FieldInvalid),
        ("1.0000000000001", C::FieldInvalid),
        ("\"1.34\"", C::InvalidFormat),
        ("[1.34]", C::InvalidFormat),
        ("{}", C::InvalidFormat),
        ("true", C::InvalidFormat),
        ("1e400", C::InvalidFormat),
    ] {
        let fault = rate(text).unwrap_err().pop().unwrap();
        let place = FaultLocation::Path("Data.Initiation.ExchangeRateInformation.ExchangeRate".into());
        assert_eq!((fault.code, fault.at), (code, Some(place)), "{text}");
    }
    assert_eq!(changed("ExchangeRateInformation.ExchangeRate", Value::Null)[0].0, C::FieldExpected, "null is absence");
}

#[test]
fn section_5_1_what_is_shown_of_each_kind() {
    let shown = |basis| {
        let rate_request = ExchangeRateRequest { unit: Currency::GBP, basis };
        let price = "1.3300".parse().unwrap();
        let quote = rate_request.quote(Currency::USD, price, SignedDuration::from_mins(30), Timestamp::UNIX_EPOCH);
        serde_json::to_string(&ExchangeRateResponse::from(&quote)).unwrap()
    };
    assert_eq!(
        shown(RequestedRate::Actual),
        r#"{"UnitCurrency":"GBP","ExchangeRate":1.33,"RateType":"Actual","ExpirationDateTime":"1970-01-01T00:30:00+00:00"}"#
    );
    let deal = AgreedRate { rate: "1.34".parse().unwrap(), contract: "FX-7".into() };
    assert_eq!(
        shown(RequestedRate::Agreed(deal)),
        r#"{"UnitCurrency":"GBP","ExchangeRate":1.34,"RateType":"Agreed","ContractIdentification":"FX-7"}"#
    );
    assert_eq!(
        shown(RequestedRate::Indicative),
        r#"{"UnitCurrency":"GBP","ExchangeRate":1.33,"RateType":"Indicative"}"#
    );
}

#[test]
fn rw_124_the_fields_of_the_rules_stand_where_the_paths_say() {
    use ExchangeField as F;
    for field in [
        F::InstructedAmount,
        F::InstructedCurrency,
        F::TransferCurrency,
        F::UnitCurrency,
        F::RateType,
        F::Rate,
        F::Contract,
        F::ChargeBearer,
        F::CreditorAgent,
        F::AgentIdentification,
    ] {
        assert!(now().pointer(&format!("/{}", exchange_field_path(field).replace('.', "/"))).is_some(), "{field:?}");
    }
    // The path is in the bank's own object, because the TPP's object has no such member.
    assert_eq!(exchange_field_path(F::QuoteExpiry), "Data.ExchangeRateInformation.ExpirationDateTime");
}

#[test]
fn tables_read_what_they_write() {
    for kind in ExchangeRateType::ALL {
        assert_eq!(names::read_rate_type(names::rate_type(kind)), Some(kind));
    }
    for it in [Priority::Normal, Priority::Urgent] {
        assert_eq!(names::read_priority(names::priority(it)), Some(it));
    }
    assert_eq!(payment_names::charge_bearer(ChargeBearer::Shared), "Shared");
}

proptest! {
    #[test]
    fn no_bytes_make_the_readers_panic(bytes: Vec<u8>, from: prop::sample::Index, cut: prop::sample::Index) {
        for (reader, good) in [(read_payment as Reader, now()), (read_standing_order, again())] {
            let good = good.to_string().into_bytes();
            let mut torn = good[..cut.index(good.len())].to_vec();
            torn.extend(&bytes);
            torn.extend(&good[from.index(good.len())..]);
            let _ = (reader(&bytes, DEPTH), reader(&torn, DEPTH));
        }
    }
}
