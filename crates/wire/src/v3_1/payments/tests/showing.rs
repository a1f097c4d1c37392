//! Responses: which members each product has, and what is said in them.

use super::*;
use crate::document::Node;
use crate::{Envelope, Links, Meta, Render};
use jiff::Timestamp;
use lombard_domain::account::{AccountScheme, Identification};
use lombard_domain::consent::Submitted;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{
    ApprovalStatus, Approvals, Charge, ChargeBearer, ChargeType, Conditions, Course, CutOff, Debtor, DetailReason,
    DetailsView, Family, FundsView, Instrument, Lateness, NamedAccount, OrderView, PaymentConsentStatus,
    PaymentConsentView, PaymentEntry, PaymentStatus, Product, RailDetail, Refund, Stage, Step,
};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn envelope() -> Envelope {
    Envelope { links: Links::only("https://bank.example/it".into()), meta: Meta { total_pages: None, available: None } }
}

fn shown<T: ?Sized>(view: &T) -> Value
where
    V3_1: Render<T>,
{
    serde_json::from_slice(&V3_1::render(view, &envelope()).unwrap()).unwrap()
}

fn account() -> Identification {
    Identification {
        scheme: AccountScheme::SortCodeAccountNumber,
        number: "11280001234567".into(),
        name: None,
        secondary: Some("roll 7".into()),
    }
}

fn conditions() -> Conditions {
    let amount = Amount::from_minor(2_500, Currency::GBP);
    Conditions {
        charges: vec![Charge { bearer: ChargeBearer::Debtor, kind: ChargeType::ChapsOut, amount }],
        cut_off: Some(CutOff { at: at(60), lateness: Lateness::Refused }),
        execution_at: Some(at(120)),
        settlement_at: Some(at(180)),
        quote: None,
    }
}

fn consent(product: Product, submitted: Submitted) -> PaymentConsentView {
    PaymentConsentView {
        id: "c-1".into(),
        product,
        status: PaymentConsentStatus::Authorised,
        status_since: at(30),
        created_at: at(0),
        submitted,
        conditions: conditions(),
        debtor: Some(Debtor { name: "Amelia".into(), account: Some(account()) }),
    }
}

fn course(family: Family) -> Course {
    let step = |stage, warehoused, second| Step { stage, warehoused, at: at(second) };
    let first = step(Stage::Payment(PaymentStatus::Received), false, 0);
    let steps = match family {
        Family::Immediate => vec![first, step(Stage::Payment(PaymentStatus::InProcess), false, 5)],
        Family::Scheduled => {
            let kept = step(Stage::Payment(PaymentStatus::Pending), true, 5);
            vec![first, kept, step(Stage::Payment(PaymentStatus::Settled), true, 9)]
        }
        Family::StandingOrder | Family::File => vec![first, step(Stage::SetUp, true, 5)],
    };
    Course::of_steps(steps).unwrap()
}

fn order_view(product: Product, submitted: Submitted) -> OrderView {
    OrderView {
        id: "o-1".into(),
        consent: "c-1".into(),
        product,
        course: course(product.family()),
        created_at: at(0),
        submitted,
        conditions: conditions(),
        approvals: Some(Approvals {
            status: ApprovalStatus::Awaiting,
            required: 2,
            received: vec!["p".into()],
            changed_at: at(3),
            expires_at: Some(at(99)),
        }),
        refund: Some(Refund {
            account: NamedAccount::named(account(), "Amelia Stone".into()),
            bic: Some("LMBDGB2LXXX".into()),
        }),
        debtor: None,
    }
}

/// The members, sorted: an object's own order is a matter of how the whole build is made.
fn names(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[test]
fn table_1_2_a_consent_shows_what_was_asked_and_what_the_bank_says() {
    fn check<P: ProductWire<V3_1>>(body: Value) {
        let it = shown(&consent(P::PRODUCT, read::<P>(&body).unwrap().submitted));
        assert_eq!(names(&it), ["Data", "Links", "Meta", "Risk"]);
        assert_eq!(it["Risk"], body["Risk"]);
        let mut expected = vec![
            "Authorisation",
            "Charges",
            "ConsentId",
            "CreationDateTime",
            "CutOffDateTime",
            "Debtor",
            "ExpectedExecutionDateTime",
            "ExpectedSettlementDateTime",
            "Initiation",
            "Permission",
            "ReadRefundAccount",
            "SCASupportData",
            "Status",
            "StatusUpdateDateTime",
        ];
        expected.retain(|name| !name.starts_with("Expected") || P::PRODUCT.expects_times());
        expected.retain(|name| *name != "Permission" || P::PRODUCT.asks_permission());
        let data = &it["Data"];
        assert_eq!(names(data), expected);
        for name in ["Permission", "ReadRefundAccount", "Authorisation", "SCASupportData"] {
            assert_eq!(data.get(name), body["Data"].get(name), "PIS-017");
        }
        assert_eq!(data["Status"], "Authorised");
        assert_eq!(data["CreationDateTime"], "1970-01-01T00:00:00+00:00");
        assert_eq!(data["StatusUpdateDateTime"], "1970-01-01T00:00:30+00:00");
        assert_eq!(data["CutOffDateTime"], "1970-01-01T00:01:00+00:00");
        let charge = json!({"ChargeBearer": "BorneByDebtor", "Type": "UK.OBIE.CHAPSOut",
            "Amount": {"Amount": "25.00", "Currency": "GBP"}});
        assert_eq!(data["Charges"], json!([charge]), "PIS-100");
        let debtor = json!({"Name": "Amelia", "SchemeName": "UK.OBIE.SortCodeAccountNumber",
            "Identification": "11280001234567", "SecondaryIdentification": "roll 7"});
        assert_eq!(data["Debtor"], debtor, "PIS-099");
    }
    each_product!(check);
}

#[test]
fn pis_102_155_a_bare_consent_has_empty_charges_and_nothing_else_that_is_empty() {
    let bare = json!({"Data": {"Initiation": now()["Data"]["Initiation"]}, "Risk": {}});
    let mut view = consent(Product::DomesticPayment, read::<DomesticPayment>(&bare).unwrap().submitted);
    view.conditions = Conditions::default();
    view.debtor = None;
    let it = shown(&view);
    assert_eq!(
        names(&it["Data"]),
        ["Charges", "ConsentId", "CreationDateTime", "Initiation", "Status", "StatusUpdateDateTime"]
    );
    assert_eq!((&it["Data"]["Charges"], &it["Risk"]), (&json!([]), &json!({})));
    view.debtor = Some(Debtor { name: "Amelia".into(), account: None });
    assert_eq!(shown(&view)["Data"]["Debtor"], json!({"Name": "Amelia"}), "PIS-099");
}

#[test]
fn table_1_2_an_order_shows_its_own_id_and_no_risk() {
    fn check<P: ProductWire<V3_1>>(body: Value) {
        let it = shown(&order_view(P::PRODUCT, read::<P>(&body).unwrap().submitted));
        assert_eq!(names(&it), ["Data", "Links", "Meta"], "PIS-159");
        let mut expected = vec![
            P::PRODUCT.id_member(),
            "Charges",
            "ConsentId",
            "CreationDateTime",
            "ExpectedExecutionDateTime",
            "ExpectedSettlementDateTime",
            "Initiation",
            "MultiAuthorisation",
            "Refund",
            "Status",
            "StatusUpdateDateTime",
        ];
        expected.retain(|name| !name.starts_with("Expected") || P::PRODUCT.expects_times());
        expected.sort_unstable();
        let data = &it["Data"];
        assert_eq!(names(data), expected);
        assert_eq!(data[P::PRODUCT.id_member()], "o-1");
        let refund = json!({"Account": {"SchemeName": "UK.OBIE.SortCodeAccountNumber",
            "Identification": "11280001234567", "Name": "Amelia Stone", "SecondaryIdentification": "roll 7"}});
        assert_eq!(data["Refund"], refund, "PIS-097");
        let approvals = json!({"Status": "AwaitingFurtherAuthorisation", "NumberRequired": 2, "NumberReceived": 1,
            "LastUpdateDateTime": "1970-01-01T00:00:03+00:00", "ExpirationDateTime": "1970-01-01T00:01:39+00:00"});
        assert_eq!(data["MultiAuthorisation"], approvals, "PIS-112");
        let status = match P::PRODUCT.family() {
            Family::Immediate => "AcceptedSettlementInProcess",
            Family::Scheduled | Family::StandingOrder | Family::File => "InitiationCompleted",
        };
        assert_eq!(data["Status"], status);
        assert_eq!(data["StatusUpdateDateTime"], "1970-01-01T00:00:05+00:00", "PIS-095: execution is not shown here");
    }
    each_product!(check);
}

#[test]
fn pis_017_019_an_initiation_is_shown_as_it_came_with_namespaces_and_zones() {
    let body = br#"{"Risk":{},"Data":{"Permission":"Create","Initiation":{
        "CreditorAccount":{"Name":"\u0041cme","Identification":"08080021325698","SchemeName":"SortCodeAccountNumber"},
        "RequestedExecutionDateTime":"2026-07-01T10:00","LocalInstrument":"FPS","DebtorAccount":null,
        "InstructedAmount":{"Amount":"010.500","Currency":"GBP"},"InstructionIdentification":"a \"b\""}}}"#;
    let draft = DomesticScheduledPayment::read_consent(body, DEPTH).unwrap();
    let initiation = concat!(
        r#"{"CreditorAccount":{"Name":"Acme","Identification":"08080021325698","SchemeName":"UK.OBIE.SortCodeAccountNumber"},"#,
        r#""RequestedExecutionDateTime":"2026-07-01T10:00:00+00:00","LocalInstrument":"UK.OBIE.FPS","#,
        r#""InstructedAmount":{"Amount":"010.500","Currency":"GBP"},"InstructionIdentification":"a \"b\""}"#
    );
    let product = Product::DomesticScheduledPayment;
    for body in [
        V3_1::render(&consent(product, draft.submitted.clone()), &envelope()).unwrap(),
        V3_1::render(&order_view(product, draft.submitted), &envelope()).unwrap(),
    ] {
        let text = String::from_utf8(body).unwrap();
        assert!(text.contains(&format!(r#""Initiation":{initiation}"#)), "{text}");
        assert!(Node::read(&text).is_ok());
    }
}

#[test]
fn what_was_stored_and_cannot_be_read_is_an_error() {
    let stored = Submitted { version: lombard_domain::version::Version::V3_1, json: "{}".into() };
    assert!(V3_1::render(&order_view(Product::DomesticPayment, stored.clone()), &envelope()).is_err());
    assert!(V3_1::render(&consent(Product::DomesticPayment, stored), &envelope()).is_err());
}

#[test]
fn pis_082_funds_are_there_or_not() {
    for available in [true, false] {
        let it = shown(&FundsView { available, at: at(7) });
        let result = json!({"FundsAvailableDateTime": "1970-01-01T00:00:07+00:00", "FundsAvailable": available});
        assert_eq!(it["Data"], json!({"FundsAvailableResult": result}));
        assert_eq!((names(&it), &it["Meta"]), (vec!["Data", "Links", "Meta"], &json!({})), "PIS-156");
    }
}

#[test]
fn pis_090_pis_091_pis_093_details_are_a_list_that_may_be_empty() {
    assert_eq!(shown(&DetailsView { payments: vec![] })["Data"], json!({"PaymentStatus": []}));
    let entry = |detail| PaymentEntry { id: "o-1-1".into(), status: PaymentStatus::Blocked, since: at(7), detail };
    let detail = RailDetail {
        instrument: Some(Instrument::FasterPayments),
        status: "Held".into(),
        reason: Some(DetailReason::Suspended),
        description: Some("The payee's bank holds it.".into()),
    };
    let bare = json!({"PaymentTransactionId": "o-1-1", "Status": "AcceptedWithoutPosting",
        "StatusUpdateDateTime": "1970-01-01T00:00:07+00:00"});
    let full = with(
        bare.clone(),
        "StatusDetail",
        json!({"LocalInstrument": "UK.OBIE.FPS", "Status": "Held",
        "StatusReason": "Suspended", "StatusReasonDescription": "The payee's bank holds it."}),
    );
    assert_eq!(
        shown(&DetailsView { payments: vec![entry(None), entry(Some(detail))] })["Data"]["PaymentStatus"],
        json!([bare, full])
    );
}
