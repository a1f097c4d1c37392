//! Snapshots: the sandbox returns to what it was, for its TPPs too.

use super::{accounts_of, clock, order};
use crate::harness::{Bank, EVERYTHING, ExchangeExt, PayingTpp, ValueExt, access};
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};
use std::process::ExitCode;

/// Runs a command of `lombard sandbox` as a tester does; says whether it succeeded.
async fn sandbox(bank: &Bank, words: &str) -> bool {
    let mut arguments: Vec<_> = ["lombard", "sandbox"].into_iter().chain(words.split(' ')).map(str::to_owned).collect();
    arguments.extend(["--data".to_owned(), bank.data_dir().display().to_string()]);
    tokio::task::spawn_blocking(|| lombard::cli::run_command(arguments) == ExitCode::SUCCESS).await.unwrap()
}

async fn snapshots(bank: &Bank) -> Vec<Value> {
    bank.ops_get("/sandbox/snapshots").await.json().unwrap().list("/snapshots")
}

async fn pays(paying: &PayingTpp) -> String {
    paying.ordered(&paying.agreed(PaymentProduct::DomesticPayment).await).await.0
}

#[tokio::test]
async fn a_sandbox_returns_to_what_was_saved() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let kept = pays(&paying).await;
        clock(&bank, &json!({"advance_secs": 3_600})).await;
        let before = access(&bank.tpp("robot"), &EVERYTHING).await;
        before.account_ids().await;
        let psus = bank.ops_get("/sandbox/psus").await.json().unwrap();
        let now = clock(&bank, &json!({"advance_secs": 0})).await;
        assert!(sandbox(&bank, "save before").await);
        assert_eq!(snapshots(&bank).await[0].text("name"), "before");

        let undone = pays(&paying).await;
        clock(&bank, &json!({"advance_secs": 86_400 * 40})).await;
        let closed = accounts_of(&bank, "deepak").await[0].text("id").to_owned();
        order(&bank, &format!("/sandbox/accounts/{closed}/close"), &json!({})).await;
        order(&bank, &format!("/sandbox/consents/{}/revoke", before.consent), &Value::Null).await;
        before.tpp.get(before.token(), "aisp/accounts").await.unwrap().unauthorised();
        let later = access(&bank.tpp("robot"), &EVERYTHING).await;
        later.account_ids().await;

        assert!(sandbox(&bank, "load before").await);
        assert_eq!(bank.ops_get("/sandbox/psus").await.json().unwrap(), psus, "the same accounts with the same money");
        let shown = clock(&bank, &json!({"advance_secs": 0})).await.duration_since(now).abs();
        assert!(shown < jiff::SignedDuration::from_mins(10), "the bank's clock is back: {shown}");
        assert_eq!(bank.ops_get(&format!("/sandbox/orders/{kept}")).await.status.as_u16(), 200);
        assert_eq!(bank.ops_get(&format!("/sandbox/orders/{undone}")).await.status.as_u16(), 404);
        before.account_ids().await;
        later.tpp.get(later.token(), "aisp/accounts").await.unwrap().unauthorised();
        pays(&PayingTpp::robot(&bank).await).await;

        assert!(sandbox(&bank, "load before").await, "as often as one likes");
        assert!(sandbox(&bank, "save before").await, "a snapshot is replaced");
        assert!(sandbox(&bank, "list").await);
        assert_eq!(snapshots(&bank).await.len(), 1);
        order(&bank, "/sandbox/reset", &Value::Null).await;
        assert!(sandbox(&bank, "load before").await, "a reset leaves the snapshots");
        assert!(sandbox(&bank, "delete before").await);
        assert_eq!(snapshots(&bank).await, Vec::<Value>::new());
        for refused in ["load before", "delete before", "save Before"] {
            assert!(!sandbox(&bank, refused).await, "{refused}");
        }
    }
}
