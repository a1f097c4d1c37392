//! Execution and reports of files.

use super::super::{books, consents::amelias_number};
use super::*;
use crate::harness::Bank;

#[tokio::test]
async fn file_021_022_023_pis_094_each_line_is_a_payment_and_fails_on_its_own() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let file = as_json("FILE-", &["1.00", "0.00", "2.00"]);
        let order = Way::sent(&paying, &file).await.ordered().await;
        order.report().await;
        assert_eq!(order.ended().await, "InitiationCompleted", "FILE-023");
        let paid = async || {
            bank.ops_post("/sandbox/clock", &json!({"advance_secs": 5})).await;
            let payments = order.payments().await;
            payments
                .iter()
                .all(|it| {
                    it != "AcceptedSettlementInProcess" && !it.ends_with("SettlementCompleted") || it.contains("Credit")
                })
                .then_some(payments)
        };
        let credited = "AcceptedCreditSettlementCompleted";
        assert_eq!(until(paid).await, [credited, "Rejected", credited]);
        let details = paying.details(FILE, &order.id).await;
        let ids: Vec<_> = details.iter().map(|it| it.text("PaymentTransactionId").to_owned()).collect();
        let expected: Vec<_> = (1..=3).map(|number| format!("{}-{number}", order.id)).collect();
        assert_eq!(ids, expected, "PIS-091");
        let why = &details[1]["StatusDetail"];
        assert_eq!(why.text("StatusReason"), "ProprietaryRejection");
        assert_eq!(why.text("StatusReasonDescription"), "The amount must be more than zero.");
        let report = order.report().await;
        assert_eq!((report.status.as_u16(), report.head("content-type")), (200, JSON));
        assert_eq!(report.json().unwrap(), Value::Array(details), "FILE-022");
        let entries = books::entries(&paying.tpp, "FILE-").await;
        let moved: Vec<_> = entries.values().map(|it| it[0]["Amount"].text("Amount").to_owned()).collect();
        assert_eq!(moved, ["1.00", "2.00"]);
        let told = books::events(&paying.tpp).await;
        assert_eq!(told.get(&order.id), Some(&1), "SET-036");
        assert!((1..=3).all(|line: usize| !told.contains_key(&line.to_string())), "its payments are no resources");
        let shown = bank.ops_get(&format!("/sandbox/orders/{}", order.id)).await.ok(200);
        assert_eq!(shown["progress"], json!({"count": 3, "given": 3, "decided": 3, "rejected": 1}));
        books::add_up(&bank).await;
    }
}

#[tokio::test]
async fn file_022_the_report_on_a_message_is_a_message() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let file = as_xml("XML-", &["1.00", "0.00", "2.00"], &amelias_number(&bank).await);
        let order = Way::sent(&paying, &file).await.ordered().await;
        order.ended().await;
        let report = order.report().await;
        assert_eq!((report.status.as_u16(), report.head("content-type")), (200, XML));
        let report = report.text().into_owned();
        for part in [
            "xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.002.001.10\"",
            "<OrgnlMsgId>MSG/1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.08</OrgnlMsgNmId><OrgnlNbOfTxs>3</OrgnlNbOfTxs>",
            "<OrgnlPmtInfId>B-1</OrgnlPmtInfId><OrgnlNbOfTxs>2</OrgnlNbOfTxs><PmtInfSts>PART</PmtInfSts>",
            "<OrgnlEndToEndId>XML-2</OrgnlEndToEndId><TxSts>RJCT</TxSts>",
            "<AddtlInf>The amount must be more than zero.</AddtlInf>",
            "<OrgnlPmtInfId>B-2</OrgnlPmtInfId><OrgnlNbOfTxs>1</OrgnlNbOfTxs>",
            "<OrgnlEndToEndId>XML-3</OrgnlEndToEndId>",
        ] {
            assert!(report.contains(part), "{part} is not in {report}");
        }
    }
}

#[tokio::test]
async fn file_023_where_nothing_is_paid_the_order_has_failed() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let order = Way::sent(&paying, &as_json("E-", &["0.00", "0.00"])).await.ordered().await;
        assert_eq!(order.ended().await, "InitiationFailed");
        assert_eq!(order.payments().await, ["Rejected", "Rejected"]);
        assert_eq!(books::events(&paying.tpp).await.get(&order.id), Some(&1));
    }
}

/// More is asked for than there is: what comes first is paid, and the rest is not.
#[tokio::test]
async fn file_023_pis_043_money_may_run_out_in_the_middle() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let amounts = ["9000.00"; 40];
    let order = Way::sent(&paying, &as_json("OUT-", &amounts)).await.ordered().await;
    assert_eq!(order.ended().await, "InitiationCompleted");
    let payments = order.payments().await;
    let refused = payments.iter().filter(|it| *it == "Rejected").count();
    assert!(refused > 0 && refused < amounts.len(), "{payments:?}");
    let first_refused = payments.iter().position(|it| it == "Rejected").unwrap();
    assert_eq!(first_refused, amounts.len() - refused, "they are tried in the order of the file: {payments:?}");
    let details = paying.details(FILE, &order.id).await;
    assert!(details.iter().all(|it| it.get("StatusDetail").is_some()));
    books::add_up(&bank).await;
}

/// What the schemes make of one payment is for testers to say, of each by its number.
#[tokio::test]
async fn file_023_an_order_waits_for_its_last_payment() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let order = Way::sent(&paying, &as_json("E-", &["1.00", "13.93"])).await.ordered().await;
        let first = async || (order.payments().await.first()? != "Received").then_some(());
        until(first).await;
        assert_eq!(order.payments().await[1], "Received");
        order.report().await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        let line = format!("/sandbox/orders/{}%2F2", order.id);
        let shown = bank.ops_get(&line).await.ok(200);
        assert_eq!(shown["payments"].as_array().unwrap().len(), 1);
        assert_eq!(shown["progress"], json!({"count": 2, "given": 2, "decided": 1, "rejected": 0}));
        let (status, shown) = bank.ops_post(&format!("{line}/outcome"), &json!({"outcome": "credit"})).await;
        assert_eq!((status, shown["payments"][0].text("status")), (200, "AcceptedCreditSettlementCompleted"));
        assert_eq!(order.ended().await, "InitiationCompleted");
    }
}

#[tokio::test]
async fn file_022_there_is_no_report_before_the_end() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let order = Way::sent(&paying, &as_json("E-", &["1.00"])).await.ordered().await;
    // Whoever asks at once may come before the end or after it.
    let early = order.report().await;
    if early.status != 200 {
        early.refused_with(400, "UK.OBIE.Resource.NotFound", "");
    }
    order.ended().await;
    assert_eq!(order.report().await.status, 200);
}
