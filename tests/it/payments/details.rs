//! Payment details of an order. Source: section 2.9.

use crate::harness::paying::{DOMESTIC, TRANSFERS, orders};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt, until};
use serde_json::json;

/// Source: PIS-092.
const STATUSES: [&str; 20] = [
    "Accepted",
    "AcceptedCancellationRequest",
    "AcceptedTechnicalValidation",
    "AcceptedCustomerProfile",
    "AcceptedFundsChecked",
    "AcceptedWithChange",
    "Pending",
    "Rejected",
    "AcceptedSettlementInProcess",
    "AcceptedSettlementCompleted",
    "AcceptedWithoutPosting",
    "AcceptedCreditSettlementCompleted",
    "Cancelled",
    "NoCancellationProcess",
    "PartiallyAcceptedCancellationRequest",
    "PartiallyAcceptedTechnicalCorrect",
    "PaymentCancelled",
    "PendingCancellationRequest",
    "Received",
    "RejectedCancellationRequest",
];

#[tokio::test]
async fn pis_090_091_092_094_details_of_an_order_just_made() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS {
            let (id, _) = paying.ordered(&paying.agreed(product).await).await;
            let path = format!("{}/{id}/payment-details", orders(product));
            let answer = paying.get(&paying.own, &path).await.ok(200);
            assert_eq!(answer["Links"].text("Self"), paying.tpp.resource_url(&path));
            let entries = answer.list("/Data/PaymentStatus");
            let expected = usize::from(!product.is_recurring());
            assert!(entries.len() <= 1 && entries.len() >= expected, "PIS-094: {product:?} {entries:?}");
            for entry in entries {
                assert!((1..=210).contains(&entry.text("PaymentTransactionId").len()), "PIS-091");
                assert!(STATUSES.contains(&entry.text("Status")), "PIS-092: {entry}");
                assert!(!entry.text("StatusUpdateDateTime").is_empty());
            }
        }
    }
}

#[tokio::test]
async fn pis_094_095_sch_007_what_is_paid_later_shows_in_the_details() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let on_a_day = paying.ordered(&paying.agreed(DOMESTIC[1]).await).await.0;
        let often = paying.ordered(&paying.agreed(DOMESTIC[2]).await).await.0;
        for (product, id) in [(DOMESTIC[1], &on_a_day), (DOMESTIC[2], &often)] {
            let kept = async || {
                let now = paying.order_now(product, id).await;
                (now["Data"].text("Status") == "InitiationCompleted").then_some(())
            };
            until(kept).await;
        }
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 21 * 24 * 3_600})).await;
        let paid = async |product, id: &str| {
            let entries = paying.details(product, id).await;
            let done = |it: &&serde_json::Value| it.text("Status").starts_with("AcceptedCreditSettlement");
            (entries.iter().filter(done).count(), entries.len())
        };
        until(async || (paid(DOMESTIC[1], &on_a_day).await == (1, 1)).then_some(())).await;
        until(async || (paid(DOMESTIC[2], &often).await.0 >= 3).then_some(())).await;
        for (product, id) in [(DOMESTIC[1], &on_a_day), (DOMESTIC[2], &often)] {
            let status = paying.order_now(product, id).await["Data"].text("Status").to_owned();
            assert_eq!(status, "InitiationCompleted", "PIS-095");
        }
    }
}
