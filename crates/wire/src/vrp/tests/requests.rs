//! Requests for consents, payments and funds: accepted requests, refusals, and the members that responses repeat.

use crate::comparison::find_differences;
use crate::payments::{DomesticVrp, ProductSchemas, ProductWire};
use crate::v3_1::V3_1;
use crate::{Links, Meta, Parse, Render, ResponseEnvelope};
use jiff::Timestamp;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::consent::{PaymentConsentStatus, PaymentConsentView};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::order::{
    Debtor, DetailedStatus, OrderDraft, OrderView, PaymentDraft, PaymentStatus, Refund, StatusChange, StatusHistory,
};
use lombard_domain::payment::transfer::{Instrument, NamedAccount, PaymentConditions, Timing};
use lombard_domain::payment::vrp::{
    AuthenticationMethod, InteractionType, VrpFundsConfirmationRequest, VrpFundsConfirmationResult, VrpType,
};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType, PaymentProduct};
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use lombard_domain::submitted::Submitted;
use serde_json::{Value, json};

const DEPTH: usize = 16;

fn account(number: &str) -> Value {
    json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": number, "Name": "Savings", "Extra": 1})
}

fn address() -> Value {
    json!({"StreetName": "The Mall", "TownName": "London", "Country": "GB"})
}

/// A request for a consent with every member, and some unknown members.
fn asked() -> Value {
    json!({
        "Data": {
            "ReadRefundAccount": "Yes",
            "ControlParameters": super::block(),
            "Initiation": {
                "DebtorAccount": account("80200110203341"),
                "CreditorAccount": account("20000319825731"),
                "CreditorPostalAddress": address(),
                "CreditorAgent": {"SchemeName": "UK.OBIE.BICFI", "Identification": "LOYDGB2L"},
                "RemittanceInformation": {"Unstructured": "for later", "Reference": "REF"},
            },
            "Foreign": true,
        },
        "Risk": {"PaymentContextCode": "TransferToSelf", "ContractPresentInidicator": true},
        "Other": [1],
    })
}

/// A payment under that consent.
fn payment() -> Value {
    let asked = asked();
    json!({
        "Data": {
            "ConsentId": "c-1",
            "PSUAuthenticationMethod": "UK.OBIE.SCANotRequired",
            "PSUInteractionType": "OffSession",
            "VRPType": "UK.OBIE.VRPType.Sweeping",
            "Initiation": asked["Data"]["Initiation"],
            "Instruction": {
                "InstructionIdentification": "I-1",
                "EndToEndIdentification": "E-1",
                "RemittanceInformation": {"Unstructured": "April", "Reference": "REF"},
                "LocalInstrument": "UK.OBIE.FPS",
                "InstructedAmount": {"Amount": "12.5", "Currency": "GBP"},
                "CreditorPostalAddress": address(),
                "CreditorAccount": account("20000319825731"),
                "SupplementaryData": {},
            },
        },
        "Risk": asked["Risk"],
    })
}

fn consent(body: &Value) -> Result<PaymentDraft, Vec<Fault>> {
    <DomesticVrp as ProductWire<V3_1>>::read_consent(body.to_string().as_bytes(), DEPTH)
}

fn order(body: &Value) -> Result<OrderDraft, Vec<Fault>> {
    <DomesticVrp as ProductWire<V3_1>>::read_order(body.to_string().as_bytes(), DEPTH)
}

/// The faults, by code and path.
fn wrong<T>(read: Result<T, Vec<Fault>>) -> Vec<(FaultCode, String)> {
    let path = |place| match place {
        Some(FaultLocation::Path(path)) => path,
        other => panic!("a reader names paths, not {other:?}"),
    };
    read.err().unwrap_or_default().into_iter().map(|fault| (fault.code, path(fault.at))).collect()
}

fn without(body: Value, pointer: &str) -> Value {
    super::with(body, pointer, Value::Null)
}

#[test]
fn vrp_004_and_vrp_014_a_consent_is_read_with_everything_it_says() {
    let draft = consent(&asked()).unwrap();
    let terms = draft.terms;
    assert_eq!((terms.product(), terms.refund), (PaymentProduct::DomesticVrp, true));
    assert_eq!(terms.debtor.unwrap().number, "80200110203341");
    let recurring = terms.instruction.vrp().unwrap();
    assert_eq!(recurring.controls, super::read(&super::block()).unwrap());
    assert_eq!(recurring.creditor.as_ref().unwrap().number, "20000319825731");
    assert_eq!(recurring.creditor.as_ref().unwrap().holder_name(), "Savings");
    assert_eq!(recurring.address.as_ref().unwrap().town.as_deref(), Some("London"));
    assert_eq!(recurring.references.reference.as_deref(), Some("REF"));
    assert_eq!(recurring.references.message.as_deref(), Some("for later"));
    let kept: Value = serde_json::from_str(&draft.submitted.json).unwrap();
    assert_eq!(kept, asked(), "PIS-157: members the standard does not name are kept");
    let bare = json!({"Data": {"ControlParameters": super::block(), "Initiation": {}}, "Risk": {}});
    let bare = consent(&bare).unwrap().terms;
    let recurring = bare.instruction.vrp().unwrap();
    let debtor = &bare.debtor;
    assert_eq!((&recurring.creditor, debtor, bare.refund), (&None, &None, false), "VRP-015");
}

#[test]
fn vrp_051_and_vrp_052_a_payment_is_read_with_everything_it_says() {
    let draft = order(&payment()).unwrap();
    let it = draft.payment.unwrap();
    assert_eq!(draft.consent.as_str(), "c-1");
    assert_eq!((it.kind, it.method), (VrpType::Sweeping, AuthenticationMethod::NotRequired));
    assert_eq!(it.interaction, Some(InteractionType::OffSession));
    let transfer = &it.transfer;
    let credit = it.transfer.credit();
    assert_eq!((transfer.amount, &transfer.timing), (pounds(1_250), &Timing::Immediate));
    assert_eq!((credit.instrument, credit.creditor.holder_name()), (Some(Instrument::FasterPayments), "Savings"));
    let references = &credit.references;
    let all = [&references.instruction, &references.end_to_end, &references.reference, &references.message];
    assert_eq!(all.map(|it| it.as_deref().unwrap()), ["I-1", "E-1", "REF", "April"]);
    let quiet = without(without(payment(), "/Data/PSUInteractionType"), "/Data/Instruction/LocalInstrument");
    let quiet = order(&quiet).unwrap().payment.unwrap();
    assert_eq!((quiet.interaction, quiet.transfer.credit().instrument), (None, None));
}

#[test]
fn vrp_051_053_every_mandatory_member_is_missed_at_its_path() {
    for (pointer, path) in [
        ("/Data/ControlParameters", "Data.ControlParameters"),
        ("/Data/Initiation", "Data.Initiation"),
        ("/Data/Initiation/DebtorAccount/Name", "Data.Initiation.DebtorAccount.Name"),
        ("/Data/Initiation/CreditorAccount/SchemeName", "Data.Initiation.CreditorAccount.SchemeName"),
        ("/Risk", "Risk"),
    ] {
        let found = wrong(consent(&without(asked(), pointer)));
        assert_eq!(found, [(FaultCode::FieldMissing, path.to_owned())]);
    }
    for (pointer, path) in [
        ("/Data/ConsentId", "Data.ConsentId"),
        ("/Data/PSUAuthenticationMethod", "Data.PSUAuthenticationMethod"),
        ("/Data/VRPType", "Data.VRPType"),
        ("/Data/Initiation", "Data.Initiation"),
        ("/Data/Instruction", "Data.Instruction"),
        ("/Data/Instruction/InstructionIdentification", "Data.Instruction.InstructionIdentification"),
        ("/Data/Instruction/EndToEndIdentification", "Data.Instruction.EndToEndIdentification"),
        ("/Data/Instruction/InstructedAmount/Currency", "Data.Instruction.InstructedAmount.Currency"),
        ("/Data/Instruction/CreditorAccount", "Data.Instruction.CreditorAccount"),
        ("/Data/Instruction/CreditorAccount/Name", "Data.Instruction.CreditorAccount.Name"),
        ("/Risk", "Risk"),
    ] {
        let found = wrong(order(&without(payment(), pointer)));
        assert_eq!(found, [(FaultCode::FieldMissing, path.to_owned())]);
    }
}

#[test]
fn vrp_007_and_vrp_057_what_is_wrong_has_its_code_and_path() {
    use FaultCode::{FieldInvalid, FieldUnexpected, InvalidFormat, UnsupportedLocalInstrument};
    for (pointer, value, code, path) in [
        ("/Data/VRPType", json!(["UK.OBIE.VRPType.Sweeping"]), InvalidFormat, "Data.VRPType"),
        ("/Data/VRPType", json!("UK.OBIE.VRPType.Else"), FieldInvalid, "Data.VRPType"),
        ("/Data/PSUAuthenticationMethod", json!("SCA"), FieldInvalid, "Data.PSUAuthenticationMethod"),
        ("/Data/PSUInteractionType", json!("insession"), FieldInvalid, "Data.PSUInteractionType"),
        (
            "/Data/Instruction/SupplementaryData",
            json!({"a": 1}),
            FieldUnexpected,
            "Data.Instruction.SupplementaryData.a",
        ),
        (
            "/Data/Instruction/LocalInstrument",
            json!("x"),
            UnsupportedLocalInstrument,
            "Data.Instruction.LocalInstrument",
        ),
        (
            "/Data/Instruction/CreditorPostalAddress/More",
            json!(1),
            FieldUnexpected,
            "Data.Instruction.CreditorPostalAddress.More",
        ),
        (
            "/Data/Instruction/InstructedAmount/Amount",
            json!(12.5),
            InvalidFormat,
            "Data.Instruction.InstructedAmount.Amount",
        ),
        ("/Data/ConsentId", json!("x".repeat(129)), FieldInvalid, "Data.ConsentId"),
        ("/Risk/More", json!(1), FieldUnexpected, "Risk.More"),
    ] {
        let found = wrong(order(&super::with(payment(), pointer, value)));
        assert_eq!(found, [(code, path.to_owned())]);
    }
}

#[test]
fn vrp_052_and_pis_050_a_payment_is_held_against_its_consent() {
    let agreed = consent(&asked()).unwrap().submitted;
    let differing = |body: &Value| {
        let found = find_differences(&agreed, &order(body).unwrap().submitted).unwrap();
        found.into_iter().map(|fault| (fault.code, fault.at)).collect::<Vec<_>>()
    };
    assert_eq!(differing(&payment()), [], "X-03: however the risk is spelt");
    let right = super::with(
        without(payment(), "/Risk/ContractPresentInidicator"),
        "/Risk/ContractPresentIndicator",
        json!(true),
    );
    assert_eq!(differing(&right), []);
    let other = super::with(payment(), "/Data/Initiation/CreditorAccount/Name", json!("Somebody"));
    let at = |path: &str| vec![(FaultCode::ConsentMismatch, Some(FaultLocation::Path(path.to_owned())))];
    assert_eq!(differing(&other), at("Data.Initiation.CreditorAccount.Name"));
    assert_eq!(differing(&without(payment(), "/Data/Initiation/CreditorAgent")), at("Data.Initiation.CreditorAgent"));
    let amount = super::with(payment(), "/Data/Instruction/InstructedAmount/Amount", json!("99.00"));
    assert_eq!(differing(&amount), [], "the instruction is of one payment");
}

fn pounds(pence: u64) -> Amount {
    Amount::from_minor(pence, Currency::GBP)
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn shown<T>(view: &T) -> Value
where
    V3_1: Render<T>,
{
    let meta = Meta { total_pages: None, available: None };
    let envelope = ResponseEnvelope { links: Links::self_only("https://bank.example/it".into()), meta };
    serde_json::from_slice(&V3_1::render(view, &envelope).unwrap()).unwrap()
}

fn names(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

fn debtor() -> AccountIdentification {
    AccountIdentification {
        name: Some("Amelia Stone".into()),
        ..AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "80200110203341")
    }
}

fn conditions() -> PaymentConditions {
    let charge = Charge { bearer: ChargeBearer::Debtor, kind: ChargeType::ChapsOut, amount: pounds(100) };
    PaymentConditions {
        charges: vec![charge],
        execution_at: Some(at(60)),
        settlement_at: Some(at(120)),
        ..PaymentConditions::default()
    }
}

fn consent_view(submitted: Submitted) -> PaymentConsentView {
    PaymentConsentView {
        id: "c-1".into(),
        product: PaymentProduct::DomesticVrp,
        status: PaymentConsentStatus::Authorised,
        status_since: at(30),
        reason: None,
        ended: None,
        created_at: at(0),
        submitted,
        conditions: conditions(),
        debtor: Some(Debtor { name: "Amelia Stone".into(), account: Some(debtor()) }),
    }
}

fn order_view(submitted: Submitted) -> OrderView {
    let step = StatusChange { status: DetailedStatus::Payment(PaymentStatus::Received), warehoused: false, at: at(0) };
    OrderView {
        id: "o-1".into(),
        consent: "c-1".into(),
        product: PaymentProduct::DomesticVrp,
        status_history: StatusHistory::from_changes(vec![step]).unwrap(),
        reason: None,
        has_unexecuted_payments: false,
        created_at: at(0),
        submitted,
        conditions: conditions(),
        approvals: None,
        refund: Some(Refund { account: NamedAccount::new(debtor()).unwrap(), bic: None }),
        debtor: Some(Debtor { name: "Amelia Stone".into(), account: Some(debtor()) }),
    }
}

fn shown_account() -> Value {
    json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "80200110203341", "Name": "Amelia Stone"})
}

#[test]
fn vrp_019_a_consent_shows_its_parameters_and_who_pays() {
    let it = shown(&consent_view(consent(&asked()).unwrap().submitted));
    let data = &it["Data"];
    let body = asked();
    assert_eq!(
        names(data),
        [
            "ConsentId",
            "ControlParameters",
            "CreationDateTime",
            "DebtorAccount",
            "Initiation",
            "ReadRefundAccount",
            "Status",
            "StatusUpdateDateTime",
        ]
    );
    assert_eq!(data["ControlParameters"], body["Data"]["ControlParameters"], "PIS-017");
    assert_eq!(data["Initiation"], body["Data"]["Initiation"], "PIS-018, PIS-157");
    assert_eq!((&data["DebtorAccount"], &it["Risk"]), (&shown_account(), &body["Risk"]));
}

#[test]
fn vrp_059_x_06_and_x_08_a_payment_shows_what_was_asked_and_who_pays() {
    let it = shown(&order_view(order(&payment()).unwrap().submitted));
    let data = &it["Data"];
    let body = payment();
    assert_eq!(names(&it), ["Data", "Links", "Meta", "Risk"]);
    assert_eq!(
        names(data),
        [
            "Charges",
            "ConsentId",
            "CreationDateTime",
            "DebtorAccount",
            "DomesticVRPId",
            "ExpectedExecutionDateTime",
            "ExpectedSettlementDateTime",
            "Initiation",
            "Instruction",
            "Refund",
            "Status",
            "StatusUpdateDateTime",
        ]
    );
    for name in ["Initiation", "Instruction"] {
        assert_eq!(data[name], body["Data"][name]);
    }
    assert_eq!((&it["Risk"], &data["DebtorAccount"]), (&body["Risk"], &shown_account()));
    assert_eq!(data["Refund"], shown_account(), "X-06: the account itself");
}

#[test]
fn vrp_071_and_vrp_072_funds_are_asked_about_and_answered_in_words() {
    let read = |body: &Value| <V3_1 as Parse<VrpFundsConfirmationRequest>>::parse(body.to_string().as_bytes(), DEPTH);
    let body = json!({"Data": {"ConsentId": "c-1", "Reference": "REF",
        "InstructedAmount": {"Amount": "1.50", "Currency": "GBP"}}});
    let question = read(&body).unwrap();
    assert_eq!((question.consent.as_str(), question.reference.as_deref()), ("c-1", Some("REF")));
    assert_eq!(question.amount, pounds(150));
    assert_eq!(read(&without(body.clone(), "/Data/Reference")).unwrap().reference, None);
    assert_eq!(
        wrong(read(&without(body, "/Data/ConsentId"))),
        [(FaultCode::FieldMissing, "Data.ConsentId".to_owned())]
    );
    for (available, word) in [(true, "Available"), (false, "NotAvailable")] {
        let answer =
            VrpFundsConfirmationResult { id: "f-1".into(), question: question.clone(), created_at: at(7), available };
        let data = &shown(&answer)["Data"];
        assert_eq!(
            names(data),
            [
                "ConsentId",
                "CreationDateTime",
                "FundsAvailableResult",
                "FundsConfirmationId",
                "InstructedAmount",
                "Reference",
            ]
        );
        let result = json!({"FundsAvailableDateTime": "1970-01-01T00:00:07+00:00", "FundsAvailable": word});
        assert_eq!((&data["FundsAvailableResult"], &data["InstructedAmount"]["Amount"]), (&result, &json!("1.50")));
    }
}

#[test]
fn table_1_2_bodies_are_described_as_they_are_read_and_shown() {
    const DATA: &str = "/properties/Data";
    let ProductSchemas { consent_request, consent: consents, order_request, order: orders } =
        <DomesticVrp as ProductWire<V3_1>>::schemas();
    let members = |schema: &Value, at: &str| {
        let members = schema.pointer(&format!("{at}/properties")).unwrap();
        names(members).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let shown_consent = shown(&consent_view(consent(&asked()).unwrap().submitted));
    let shown_order = shown(&order_view(order(&payment()).unwrap().submitted));
    assert_eq!(members(&consents, DATA), names(&shown_consent["Data"]));
    assert_eq!(members(&orders, DATA), names(&shown_order["Data"]));
    assert_eq!(
        (members(&consents, ""), members(&orders, "")),
        (
            vec!["Data".into(), "Links".into(), "Meta".into(), "Risk".into()],
            vec!["Data".into(), "Links".into(), "Meta".into(), "Risk".into()],
        )
    );
    let controls = "/properties/Data/properties/ControlParameters";
    assert_eq!(consents.pointer(controls), consent_request.pointer(controls), "PIS-017");
    let instruction = "/properties/Data/properties/Instruction";
    assert_eq!(orders.pointer(instruction), order_request.pointer(instruction));
    let required = |schema: &Value, at: &str| schema.pointer(&format!("{at}/required")).unwrap().to_string();
    assert!(required(&orders, DATA).contains("Instruction") && required(&orders, "").contains("Risk"), "VRP-059");
    assert!(required(&orders, "/properties/Data/properties/Refund").contains("Name"));
    let periods = format!("{controls}/properties/PeriodicLimits/items/properties/PeriodType/enum");
    assert!(consents.pointer(&periods).unwrap().to_string().contains("Half-year"), "VRP-010");
    assert!(consents.pointer(&format!("{controls}/additionalProperties")).is_none(), "PIS-157");
    let statuses = consents.pointer("/properties/Data/properties/Status/enum").unwrap();
    assert_eq!(statuses.as_array().unwrap().len(), 3, "VRP-001: {statuses}");
}
