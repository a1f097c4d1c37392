//! Statuses and reasons of v4.0, and the responses that show them.

use super::names::{order_status, order_statuses};
use crate::describe::Describe;
use crate::payments::{DomesticPayment, DomesticVrp, FilePayment, InternationalPayment, ProductWire};
use crate::v4_0::V4_0;
use crate::{Links, Meta, Render, ResponseEnvelope};
use jiff::Timestamp;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::consent::{AccessEnd, ConsentStatusReason, PaymentConsentStatus, PaymentConsentView, RevokedBy};
use lombard_domain::payment::PaymentProduct as P;
use lombard_domain::payment::order::{
    ApprovalStatus, Approvals, DetailedStatus, DetailsView, OrderView, PaymentDetailsEntry, PaymentStatus as S,
    RailDetail, Refund, RejectionReason, StatusChange, StatusHistory,
};
use lombard_domain::payment::transfer::{AfterCutOffPolicy, CutOff, NamedAccount, PaymentConditions};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use serde_json::{Value, json};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn shown<T: ?Sized>(view: &T) -> Value
where
    V4_0: Render<T>,
{
    let meta = Meta { total_pages: None, available: None };
    let envelope = ResponseEnvelope { links: Links::self_only("https://bank.example/it".into()), meta };
    serde_json::from_slice(&V4_0::render(view, &envelope).unwrap()).unwrap()
}

fn submitted() -> Submitted {
    Submitted { version: Version::V4_0, json: r#"{"Data":{"Initiation":{}},"Risk":{}}"#.into() }
}

#[test]
fn v4_004_no_product_has_a_status_outside_its_list() {
    let immediate =
        ["ACCC", "ACCP", "ACFC", "ACSC", "ACSP", "ACTC", "ACWC", "ACWP", "BLCK", "PATC", "PDNG", "RCVD", "RJCT"];
    for product in P::ALL {
        let mut expected: Vec<_> = match product {
            P::DomesticVrp => immediate.into_iter().filter(|name| *name != "PATC").collect(),
            P::FilePayment => vec!["PDNG", "INCO", "INFA"],
            P::DomesticScheduledPayment | P::InternationalScheduledPayment => [&immediate[..], &["CANC"]].concat(),
            P::DomesticStandingOrder | P::InternationalStandingOrder => {
                [&immediate[..], &["CANC", "INCO", "INFA"]].concat()
            }
            P::DomesticPayment | P::InternationalPayment => immediate.to_vec(),
        };
        expected.sort_unstable();
        assert_eq!(order_statuses(product), expected, "{product:?}");
    }
}

#[test]
fn table_1_5_scheduled_orders_show_execution_and_files_only_their_end() {
    let of = |product, status| order_status(status, product, false);
    for status in S::ALL {
        assert_ne!(of(P::DomesticScheduledPayment, DetailedStatus::Payment(status)), "INCO", "PIS-095");
    }
    assert_eq!(of(P::InternationalScheduledPayment, DetailedStatus::Payment(S::Settled)), "ACSC", "SCH-012");
    assert_eq!(of(P::DomesticPayment, DetailedStatus::Payment(S::Received)), "RCVD", "V4-003");
    assert_eq!(of(P::DomesticVrp, DetailedStatus::Payment(S::Blocked)), "BLCK", "VRP-058");
    assert_eq!(of(P::FilePayment, DetailedStatus::Payment(S::Received)), "PDNG", "FILE-021");
    assert_eq!(of(P::FilePayment, DetailedStatus::SetUp), "INCO");
    assert_eq!(order_status(DetailedStatus::SetUp, P::FilePayment, true), "INFA", "FILE-023");
}

fn consent(product: P, status: PaymentConsentStatus, ended: Option<AccessEnd>) -> Value {
    shown(&consent_view(product, status, ended))["Data"].clone()
}

fn consent_view(product: P, status: PaymentConsentStatus, ended: Option<AccessEnd>) -> PaymentConsentView {
    PaymentConsentView {
        id: "c-1".into(),
        product,
        status,
        status_since: at(30),
        reason: None,
        ended,
        created_at: at(0),
        submitted: submitted(),
        conditions: PaymentConditions::default(),
        debtor: None,
    }
}

fn codes(data: &Value) -> Vec<&str> {
    let reasons = data.get("StatusReason").and_then(Value::as_array);
    reasons.into_iter().flatten().map(|it| it["StatusReasonCode"].as_str().unwrap()).collect()
}

#[test]
fn v4_002_v4_021_consents_have_a_code_and_its_reasons() {
    use PaymentConsentStatus as C;
    for (status, name, reasons) in [
        (C::AwaitingUpload, "AWUP", &[][..]),
        (C::AwaitingAuthorisation, "AWAU", &["U036"]),
        (C::Authorised, "AUTH", &[]),
        (C::Rejected, "RJCT", &["U033"]),
        (C::Consumed, "COND", &["U038"]),
    ] {
        let data = consent(P::FilePayment, status, None);
        assert_eq!((data["Status"].as_str(), codes(&data)), (Some(name), reasons.to_vec()));
    }
    for (ended, name, reasons) in [
        (AccessEnd::Revoked(RevokedBy::Psu, at(40)), "CANC", &["CUST"][..]),
        (AccessEnd::Revoked(RevokedBy::Bank, at(40)), "CANC", &["TKSP", "U028"]),
        (AccessEnd::Expired(at(40)), "EXPD", &["TKXP"]),
    ] {
        let data = consent(P::DomesticVrp, C::Authorised, Some(ended));
        assert_eq!((data["Status"].as_str(), codes(&data)), (Some(name), reasons.to_vec()));
        assert_eq!(data["StatusUpdateDateTime"], "1970-01-01T00:00:40+00:00");
    }
}

/// A reason that concerns one member has the path of that member. Source: ERR-002, ERR-003, ERR-005, PIS-037.
#[test]
fn v4_002_err_003_err_005_a_reason_has_the_path_of_its_member() {
    use PaymentConsentStatus as C;
    let shown = |status, reason| {
        let view = PaymentConsentView { reason: Some(reason), ..consent_view(P::DomesticPayment, status, None) };
        shown(&view)["Data"]["StatusReason"].clone()
    };
    let lacking = shown(C::AwaitingAuthorisation, ConsentStatusReason::InsufficientFunds);
    let description = "The account that the customer chose does not hold enough.";
    assert_eq!(
        lacking,
        json!([{
            "StatusReasonCode": "AM04",
            "StatusReasonDescription": description,
            "Path": "Data.Initiation.DebtorAccount"
        }])
    );
    let unusable = shown(C::Authorised, ConsentStatusReason::CredentialUnusable);
    assert_eq!((&unusable[0]["StatusReasonCode"], unusable[0].get("Path")), (&json!("TK01"), None));
    let late = shown(C::Rejected, ConsentStatusReason::AfterCutOff);
    assert_eq!((&late[0]["StatusReasonCode"], &late[0]["Path"]), (&json!("TM01"), &json!("Data.CutOffDateTime")));
}

fn order(product: P, steps: &[(DetailedStatus, i64)], reason: Option<RejectionReason>) -> OrderView {
    let step =
        |(status, second): &(DetailedStatus, i64)| StatusChange { status: *status, warehoused: false, at: at(*second) };
    let account = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "11280001234567");
    OrderView {
        id: "o-1".into(),
        consent: "c-1".into(),
        product,
        status_history: StatusHistory::from_changes(steps.iter().map(step)).unwrap(),
        reason,
        has_unexecuted_payments: false,
        created_at: at(0),
        submitted: submitted(),
        conditions: PaymentConditions::default(),
        approvals: None,
        refund: Some(Refund { account: NamedAccount::under_name(account, "n".repeat(200)), bic: None }),
        debtor: None,
    }
}

#[test]
fn err_013_orders_have_a_code_since_it_began_and_its_reasons() {
    let steps = [(DetailedStatus::Payment(S::Received), 0), (DetailedStatus::Payment(S::Rejected), 5)];
    for (reason, code) in [
        (Some(RejectionReason::InsufficientFunds), "AM04"),
        (Some(RejectionReason::SuspectedFraud), "FR01"),
        (Some(RejectionReason::RefusedByAuthoriser), "U033"),
        (None, "NARR"),
    ] {
        let data = &shown(&order(P::DomesticPayment, &steps, reason))["Data"];
        assert_eq!((data["Status"].as_str(), codes(data)), (Some("RJCT"), vec![code]));
        assert_eq!(data["StatusUpdateDateTime"], "1970-01-01T00:00:05+00:00");
    }
    for (reason, path) in [
        (RejectionReason::InsufficientFunds, json!("Data.Initiation.DebtorAccount")),
        (RejectionReason::CreditorAccountUnusable, json!("Data.Initiation.CreditorAccount")),
        (RejectionReason::SuspectedFraud, Value::Null),
    ] {
        let data = &shown(&order(P::DomesticPayment, &steps, Some(reason)))["Data"];
        assert_eq!(data["StatusReason"][0]["Path"], path, "V4-002");
    }
    let ready = [(DetailedStatus::Payment(S::Received), 0), (DetailedStatus::Payment(S::Pending), 5)];
    let file = &shown(&order(P::FilePayment, &ready, None))["Data"];
    assert_eq!((file["Status"].as_str(), codes(file)), (Some("PDNG"), vec![]));
    assert_eq!(file["StatusUpdateDateTime"], "1970-01-01T00:00:00+00:00", "the status shown is the same since then");
    let approvals = Approvals {
        status: ApprovalStatus::Awaiting,
        required: 2,
        received: vec!["p".into()],
        failed: Vec::new(),
        authentications: vec![],
        changed_at: at(3),
        expires_at: None,
    };
    let waiting = [(DetailedStatus::Payment(S::PartiallyAuthorised), 0)];
    let view = OrderView { approvals: Some(approvals), ..order(P::DomesticPayment, &waiting, None) };
    let data = &shown(&view)["Data"];
    assert_eq!((data["Status"].as_str(), codes(data)), (Some("PATC"), vec!["U040"]), "ERR-012");
    assert_eq!(data["MultiAuthorisation"]["Status"], "AWAF", "PIS-112");
}

#[test]
fn err_004_an_authoriser_who_failed_is_told_while_others_are_awaited() {
    let waiting = [(DetailedStatus::Payment(S::PartiallyAuthorised), 0)];
    for (status, failed, code) in [
        (ApprovalStatus::Awaiting, vec![], vec!["U040"]),
        (ApprovalStatus::Awaiting, vec!["q".into()], vec!["U037", "U040"]),
        (ApprovalStatus::Authorised, vec!["q".into()], vec![]),
    ] {
        let received = vec!["p".into()];
        let approvals = Approvals {
            status,
            required: 3,
            received,
            failed,
            authentications: vec![],
            changed_at: at(3),
            expires_at: None,
        };
        let view = OrderView { approvals: Some(approvals), ..order(P::DomesticPayment, &waiting, None) };
        assert_eq!(codes(&shown(&view)["Data"]), code);
    }
}

#[test]
fn err_013_approvals_ended_by_the_cut_off_are_tm01_and_by_the_tpp_are_not() {
    let steps = [(DetailedStatus::Payment(S::PartiallyAuthorised), 0), (DetailedStatus::Payment(S::Rejected), 9)];
    let cut_off = CutOff { at: at(9), lateness: AfterCutOffPolicy::Refused };
    let conditions = PaymentConditions { cut_off: Some(cut_off), ..PaymentConditions::default() };
    for (deadline, code) in [(9, "TM01"), (8, "U033")] {
        let received = vec!["p".into()];
        let expires_at = Some(at(deadline));
        let status = ApprovalStatus::Rejected;
        let approvals = Approvals {
            status,
            required: 2,
            received,
            failed: vec![],
            authentications: vec![],
            changed_at: at(9),
            expires_at,
        };
        let lapsed = order(P::DomesticPayment, &steps, Some(RejectionReason::AuthorisationLapsed));
        let view = OrderView { approvals: Some(approvals), conditions: conditions.clone(), ..lapsed };
        assert_eq!(codes(&shown(&view)["Data"]), [code]);
    }
}

#[test]
fn x_06_x_11_the_refund_account_is_in_an_object_and_its_name_is_long() {
    let steps = [(DetailedStatus::Payment(S::Received), 0)];
    let vrp = &shown(&order(P::DomesticVrp, &steps, None))["Data"]["Refund"];
    assert_eq!(vrp["Account"]["Identification"], "11280001234567");
    let abroad = &shown(&order(P::InternationalPayment, &steps, None))["Data"]["Refund"];
    assert_eq!(abroad["Creditor"]["Name"].as_str().map(str::len), Some(200));
}

#[test]
fn pis_091_payment_details_have_codes_alone() {
    let detail =
        RailDetail { instrument: None, status: "in the queue".into(), reason: None, description: Some("d".into()) };
    let entry = PaymentDetailsEntry { id: "o-1-1".into(), status: S::Blocked, since: at(1), detail: Some(detail) };
    let data = &shown(&DetailsView { payments: vec![entry] })["Data"]["PaymentStatus"][0];
    assert_eq!((&data["Status"], &data["StatusDetail"]["Status"]), (&json!("BLCK"), &json!("BLCK")));
    let schema = <V4_0 as Describe<DetailsView>>::schema();
    let items = schema.pointer("/properties/Data/properties/PaymentStatus/items/properties").unwrap();
    assert_eq!(items["Status"]["enum"].as_array().unwrap().len(), 16, "V4-004");
    assert_eq!(items["StatusDetail"]["properties"]["Status"], items["Status"]);
}

#[test]
fn v4_004_the_schemas_list_the_statuses_of_the_product() {
    fn statuses<P: ProductWire<V4_0>>() -> (usize, usize) {
        let schemas = P::schemas();
        let count = |schema: &Value| {
            schema.pointer("/properties/Data/properties/Status/enum").and_then(Value::as_array).map_or(0, Vec::len)
        };
        (count(&schemas.consent), count(&schemas.order))
    }
    assert_eq!(statuses::<DomesticPayment>(), (4, 13));
    assert_eq!(statuses::<FilePayment>(), (5, 3));
    assert_eq!(statuses::<DomesticVrp>(), (5, 12));
    let schemas = <InternationalPayment as ProductWire<V4_0>>::schemas();
    let initiation = "/properties/Data/properties/Initiation/properties";
    let members = schemas.consent_request.pointer(initiation).unwrap();
    assert!(members.get("UltimateDebtor").is_some() && members.get("Purpose").is_none(), "section 10.2");
    assert!(schemas.order.pointer("/properties/Data/properties/StatusReason").is_some(), "V4-002");
    let vrp = <DomesticVrp as ProductWire<V4_0>>::schemas();
    assert!(vrp.order.pointer("/properties/Data/properties/Refund/properties/Account").is_some(), "X-06");
}
