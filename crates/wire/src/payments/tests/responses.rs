//! Responses: the members of each product, and their values.

use super::*;
use crate::document::DocumentNode;
use crate::{Links, Meta, Render, ResponseEnvelope};
use jiff::Timestamp;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::consent::{PaymentConsentStatus, PaymentConsentView};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::exchange::{CurrencyPair, Quote, QuoteBasis};
use lombard_domain::payment::order::{
    ApprovalStatus, Approvals, Debtor, DetailReason, DetailedStatus, DetailsView, FundsView, OrderView,
    PaymentDetailsEntry, PaymentStatus, RailDetail, Refund, StatusChange, StatusHistory,
};
use lombard_domain::payment::transfer::{AfterCutOffPolicy, CutOff, Instrument, NamedAccount, PaymentConditions};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType, OrderFamily, PaymentProduct, PaymentTerritory};
use lombard_domain::submitted::Submitted;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn envelope() -> ResponseEnvelope {
    ResponseEnvelope {
        links: Links::self_only("https://bank.example/it".into()),
        meta: Meta { total_pages: None, available: None },
    }
}

fn shown<T: ?Sized>(view: &T) -> Value
where
    V3_1: Render<T>,
{
    serde_json::from_slice(&V3_1::render(view, &envelope()).unwrap()).unwrap()
}

fn account() -> AccountIdentification {
    AccountIdentification {
        secondary: Some("roll 7".into()),
        ..AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "11280001234567")
    }
}

/// The bank's conditions for a product's payment, with an exchange rate if the product can request one.
fn conditions(product: PaymentProduct) -> PaymentConditions {
    let quote = Quote {
        pair: CurrencyPair { unit: Currency::GBP, transfer: Currency::USD },
        rate: "1.3400".parse().unwrap(),
        basis: QuoteBasis::Actual { expires_at: at(1_800) },
    };
    let amount = Amount::from_minor(2_500, Currency::GBP);
    PaymentConditions {
        charges: vec![Charge { bearer: ChargeBearer::Debtor, kind: ChargeType::ChapsOut, amount }],
        cut_off: Some(CutOff { at: at(60), lateness: AfterCutOffPolicy::Refused }),
        execution_at: Some(at(120)),
        settlement_at: Some(at(180)),
        quote: product.quotes_rates().then_some(quote),
    }
}

fn consent(product: PaymentProduct, submitted: Submitted) -> PaymentConsentView {
    PaymentConsentView {
        id: "c-1".into(),
        product,
        status: PaymentConsentStatus::Authorised,
        status_since: at(30),
        reason: None,
        ended: None,
        created_at: at(0),
        submitted,
        conditions: conditions(product),
        debtor: Some(Debtor { name: "Amelia".into(), account: Some(account()) }),
    }
}

fn status_history(family: OrderFamily) -> StatusHistory {
    let step = |status, warehoused, second| StatusChange { status, warehoused, at: at(second) };
    let first = step(DetailedStatus::Payment(PaymentStatus::Received), false, 0);
    let steps = match family {
        OrderFamily::Immediate => vec![first, step(DetailedStatus::Payment(PaymentStatus::InProcess), false, 5)],
        OrderFamily::Scheduled => {
            let kept = step(DetailedStatus::Payment(PaymentStatus::Pending), true, 5);
            vec![first, kept, step(DetailedStatus::Payment(PaymentStatus::Settled), true, 9)]
        }
        OrderFamily::StandingOrder | OrderFamily::File => vec![first, step(DetailedStatus::SetUp, true, 5)],
    };
    StatusHistory::from_changes(steps).unwrap()
}

fn order_view(product: PaymentProduct, submitted: Submitted) -> OrderView {
    OrderView {
        id: "o-1".into(),
        consent: "c-1".into(),
        product,
        status_history: status_history(product.family()),
        reason: None,
        has_unexecuted_payments: false,
        created_at: at(0),
        submitted,
        conditions: conditions(product),
        approvals: Some(Approvals {
            status: ApprovalStatus::Awaiting,
            required: 2,
            received: vec!["p".into()],
            failed: Vec::new(),
            authentications: vec![],
            changed_at: at(3),
            expires_at: Some(at(99)),
        }),
        refund: product.reads_refund_account().then(|| Refund {
            account: NamedAccount::under_name(account(), "Amelia Stone".into()),
            bic: Some("LMBDGB2LXXX".into()),
        }),
        debtor: None,
    }
}

/// The members, sorted, because the order of an object's members depends on build features.
fn names(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[test]
fn table_1_2_a_consent_shows_what_was_asked_and_what_the_bank_says() {
    fn check<P: ProductWire<V3_1>>(body: Value) {
        let it = shown(&consent(P::PRODUCT, read::<P>(&body).unwrap().submitted));
        let around: &[&str] =
            if P::PRODUCT.has_risk() { &["Data", "Links", "Meta", "Risk"] } else { &["Data", "Links", "Meta"] };
        assert_eq!(names(&it), around);
        assert_eq!(it.get("Risk"), body.get("Risk"));
        let mut expected = vec![
            "Authorisation",
            "Charges",
            "ConsentId",
            "CreationDateTime",
            "CutOffDateTime",
            "Debtor",
            "ExchangeRateInformation",
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
        expected.retain(|name| *name != "ReadRefundAccount" || P::PRODUCT.reads_refund_account());
        expected.retain(|name| *name != "ExchangeRateInformation" || P::PRODUCT.quotes_rates());
        let data = &it["Data"];
        assert_eq!(names(data), expected);
        for name in ["Permission", "ReadRefundAccount", "Authorisation", "SCASupportData"] {
            assert_eq!(data.get(name), body["Data"].get(name), "PIS-017");
        }
        assert_eq!(data.get("ExchangeRateInformation"), quoted(P::PRODUCT).as_ref(), "INT-010");
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
    each_shown!(check);
}

#[test]
fn pis_102_155_a_bare_consent_has_empty_charges_and_no_other_empty_member() {
    let bare = json!({"Data": {"Initiation": now()["Data"]["Initiation"]}, "Risk": {}});
    let mut view = consent(PaymentProduct::DomesticPayment, read::<DomesticPayment>(&bare).unwrap().submitted);
    view.conditions = PaymentConditions::default();
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

/// The exchange rate, if the product can request one.
fn quoted(product: PaymentProduct) -> Option<Value> {
    product.quotes_rates().then(|| {
        json!({"UnitCurrency": "GBP", "ExchangeRate": 1.34, "RateType": "Actual",
            "ExpirationDateTime": "1970-01-01T00:30:00+00:00"})
    })
}

/// The refund account of an order, with the bank if the payment is international.
fn sent_back(product: PaymentProduct) -> Option<Value> {
    let account = json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber",
        "Identification": "11280001234567", "Name": "Amelia Stone", "SecondaryIdentification": "roll 7"});
    let refund = match product.territory() {
        PaymentTerritory::Domestic => json!({"Account": account}),
        PaymentTerritory::International => json!({"Creditor": {"Name": "Amelia Stone"},
            "Agent": {"SchemeName": "UK.OBIE.BICFI", "Identification": "LMBDGB2LXXX"}, "Account": account}),
    };
    product.reads_refund_account().then_some(refund)
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
            "ExchangeRateInformation",
            "ExpectedExecutionDateTime",
            "ExpectedSettlementDateTime",
            "Initiation",
            "MultiAuthorisation",
            "Refund",
            "Status",
            "StatusUpdateDateTime",
        ];
        expected.retain(|name| !name.starts_with("Expected") || P::PRODUCT.expects_times());
        expected.retain(|name| *name != "Refund" || P::PRODUCT.reads_refund_account());
        expected.retain(|name| *name != "ExchangeRateInformation" || P::PRODUCT.quotes_rates());
        expected.sort_unstable();
        let data = &it["Data"];
        assert_eq!(names(data), expected);
        assert_eq!(data[P::PRODUCT.id_member()], "o-1");
        assert_eq!(data.get("Refund"), sent_back(P::PRODUCT).as_ref(), "PIS-097, FILE-025");
        assert_eq!(data.get("ExchangeRateInformation"), quoted(P::PRODUCT).as_ref(), "INT-010, INT-021");
        let approvals = json!({"Status": "AwaitingFurtherAuthorisation", "NumberRequired": 2, "NumberReceived": 1,
            "LastUpdateDateTime": "1970-01-01T00:00:03+00:00", "ExpirationDateTime": "1970-01-01T00:01:39+00:00"});
        assert_eq!(data["MultiAuthorisation"], approvals, "PIS-112");
        let status = match P::PRODUCT.family() {
            OrderFamily::Immediate => "AcceptedSettlementInProcess",
            OrderFamily::Scheduled | OrderFamily::StandingOrder | OrderFamily::File => "InitiationCompleted",
        };
        assert_eq!(data["Status"], status);
        assert_eq!(data["StatusUpdateDateTime"], "1970-01-01T00:00:05+00:00", "PIS-095: execution is not shown here");
    }
    each_shown!(check);
}

#[test]
fn pis_017_019_initiations_are_returned_as_sent_with_namespaces_and_zones() {
    let body = br#"{"Risk":{},"Data":{"Permission":"Create","Initiation":{
        "CreditorAccount":{"Name":"\u0041cme","Identification":"08080021325698","SchemeName":"SortCodeAccountNumber"},
        "RequestedExecutionDateTime":"2026-07-01T10:00","LocalInstrument":"FPS","DebtorAccount":null,
        "InstructedAmount":{"Amount":"010.500","Currency":"GBP"},"InstructionIdentification":"a \"b\""}}}"#;
    let draft = <DomesticScheduledPayment as ProductWire<V3_1>>::read_consent(body, DEPTH).unwrap();
    let initiation = concat!(
        r#"{"CreditorAccount":{"Name":"Acme","Identification":"08080021325698","SchemeName":"UK.OBIE.SortCodeAccountNumber"},"#,
        r#""RequestedExecutionDateTime":"2026-07-01T10:00:00+00:00","LocalInstrument":"UK.OBIE.FPS","#,
        r#""InstructedAmount":{"Amount":"010.500","Currency":"GBP"},"InstructionIdentification":"a \"b\""}"#
    );
    let product = PaymentProduct::DomesticScheduledPayment;
    for body in [
        V3_1::render(&consent(product, draft.submitted.clone()), &envelope()).unwrap(),
        V3_1::render(&order_view(product, draft.submitted), &envelope()).unwrap(),
    ] {
        let text = String::from_utf8(body).unwrap();
        assert!(text.contains(&format!(r#""Initiation":{initiation}"#)), "{text}");
        assert!(DocumentNode::read(&text).is_ok());
    }
}

#[test]
fn int_025_a_rate_is_a_number_of_all_its_digits() {
    let product = PaymentProduct::InternationalPayment;
    let submitted = read::<InternationalPayment>(&abroad::now()).unwrap().submitted;
    let mut view = consent(product, submitted);
    view.conditions.quote.as_mut().unwrap().rate = "0.859106529213".parse().unwrap();
    let text = String::from_utf8(V3_1::render(&view, &envelope()).unwrap()).unwrap();
    assert!(text.contains(r#""ExchangeRate":0.859106529213,"#), "PIS-125: {text}");
}

#[test]
fn x_11_the_name_for_a_refund_from_abroad_is_cut() {
    let submitted = read::<InternationalPayment>(&abroad::now()).unwrap().submitted;
    let mut view = order_view(PaymentProduct::InternationalPayment, submitted);
    let name = "é".repeat(350);
    view.refund = Some(Refund { account: NamedAccount::under_name(account(), name.clone()), bic: None });
    let refund = shown(&view)["Data"]["Refund"].clone();
    assert_eq!(refund["Creditor"]["Name"].as_str().unwrap().chars().count(), 140);
    assert_eq!(refund["Account"]["Name"], json!(name));
    assert_eq!(refund.get("Agent"), None);
}

#[test]
fn an_unreadable_stored_document_is_an_error() {
    let stored = Submitted { version: lombard_domain::version::Version::V3_1, json: "{}".into() };
    assert!(V3_1::render(&order_view(PaymentProduct::DomesticPayment, stored.clone()), &envelope()).is_err());
    assert!(V3_1::render(&consent(PaymentProduct::DomesticPayment, stored), &envelope()).is_err());
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
    let entry =
        |detail| PaymentDetailsEntry { id: "o-1-1".into(), status: PaymentStatus::Blocked, since: at(7), detail };
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
