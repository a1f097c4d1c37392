//! Money that a tester lets arrive and leave.

use super::{accounts_of, clock, order, refused};
use crate::harness::{ALL_TRANSACTIONS, Bank, ValueExt, access};
use crate::payments::books::add_up;
use serde_json::{Value, json};

/// The bank's id of a current account of amelia's, its booked and its pending balance in pence.
async fn current(bank: &Bank) -> (String, i64, i64) {
    let accounts = accounts_of(bank, "amelia").await;
    let found = accounts.iter().find(|it| it["sub_type"] == "CurrentAccount").unwrap();
    (found.text("id").to_owned(), pence(found.text("booked")), pence(found.text("pending")))
}

fn pence(decimal: &str) -> i64 {
    decimal.replace('.', "").parse().unwrap()
}

async fn add(bank: &Bank, account: &str, body: &Value) -> Value {
    let (status, answer) = bank.ops_post(&format!("/sandbox/accounts/{account}/transactions"), body).await;
    assert_eq!(status, 201, "{body}: {answer}");
    answer
}

/// The entries that a TPP reads under these references, and the booked balances of all accounts.
async fn told(bank: &Bank, reference: &str) -> Vec<Value> {
    let reading = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
    let mut found = Vec::new();
    for account in reading.account_ids().await {
        let page = reading.read(&format!("aisp/accounts/{account}/transactions")).await;
        let entries = page.list("/Data/Transaction").into_iter();
        found.extend(entries.filter(|it| it.get("TransactionReference").is_some_and(|text| text == reference)));
    }
    found
}

#[tokio::test]
async fn money_arrives_and_leaves_through_the_ledger() {
    for bank in Bank::each_engine().await {
        clock(&bank, &json!({"advance_secs": 0})).await;
        let (account, booked, pending) = current(&bank).await;
        let salary = json!({"amount": "1000.01", "currency": "GBP", "indicator": "Credit", "counterparty": "Mill Ltd",
            "reference": "WAGES 7"});
        let entry = add(&bank, &account, &salary).await;
        assert_eq!(
            (entry.text("amount"), entry.text("indicator"), entry.text("status")),
            ("1000.01", "Credit", "Booked")
        );
        assert_eq!((entry.text("counterparty"), entry.text("reference")), ("Mill Ltd", "WAGES 7"));
        let rent = json!({"amount": "0.01", "currency": "GBP", "indicator": "Debit", "reference": "RENT 7"});
        add(&bank, &account, &rent).await;
        assert_eq!(current(&bank).await, (account.clone(), booked + 100_000, pending));
        let [seen] = told(&bank, "WAGES 7").await.try_into().unwrap();
        assert_eq!(seen.text("TransactionId"), entry.text("transaction_id"));
        assert_eq!((seen.text("CreditDebitIndicator"), seen.text("Status")), ("Credit", "Booked"));
        assert_eq!(seen["Amount"], json!({"Amount": "1000.01", "Currency": "GBP"}));
        assert_eq!(seen.text("TransactionInformation"), "Mill Ltd WAGES 7");
        assert_eq!(told(&bank, "RENT 7").await[0]["CreditDebitIndicator"], "Debit");
        add_up(&bank).await;

        // Pending money is booked a day later: a debit is not available before, a credit only then.
        let hotel =
            json!({"amount": "20", "currency": "GBP", "indicator": "Debit", "status": "Pending", "reference": "HOTEL"});
        assert_eq!(add(&bank, &account, &hotel).await["status"], "Pending");
        let refund = json!({"amount": "5", "currency": "GBP", "indicator": "Credit", "status": "Pending", "reference": "REFUND"});
        add(&bank, &account, &refund).await;
        assert_eq!(current(&bank).await, (account.clone(), booked + 100_000, pending - 2_000));
        assert_eq!(told(&bank, "REFUND").await[0]["Status"], "Pending");
        add_up(&bank).await;
        let day = order(&bank, "/sandbox/clock", &json!({"advance_secs": 86_400})).await;
        assert_eq!(day["settled"], true, "{day}");
        for reference in ["HOTEL", "REFUND"] {
            assert_eq!(told(&bank, reference).await[0]["Status"], "Booked", "{reference}");
        }
        add_up(&bank).await;
    }
}

#[tokio::test]
async fn money_that_cannot_move_is_refused_and_moves_nothing() {
    for bank in Bank::each_engine().await {
        clock(&bank, &json!({"advance_secs": 0})).await;
        let (account, booked, pending) = current(&bank).await;
        let path = format!("/sandbox/accounts/{account}/transactions");
        let asked = |amount: &str, currency: &str, indicator: &str| json!({"amount": amount, "currency": currency, "indicator": indicator});
        refused(&bank, "/sandbox/accounts/none/transactions", &asked("1", "GBP", "Credit"), 404).await;
        assert!(refused(&bank, &path, &asked("1", "USD", "Credit"), 400).await.contains("GBP"));
        refused(&bank, &path, &asked("0", "GBP", "Credit"), 400).await;
        let mut dated = asked("1", "GBP", "Credit");
        dated["booked_at"] = "2020-01-01T00:00:00Z".into();
        assert!(refused(&bank, &path, &dated, 400).await.contains("booked_at"));
        for status in ["Booked", "Pending"] {
            let mut too_much = asked("9999999999", "GBP", "Debit");
            too_much["status"] = status.into();
            refused(&bank, &path, &too_much, 409).await;
        }
        refused(&bank, &path, &asked("9999999999999.99", "GBP", "Credit"), 409).await;
        assert_eq!(current(&bank).await, (account.clone(), booked, pending));
        order(&bank, &format!("/sandbox/accounts/{account}/close"), &json!({})).await;
        assert!(refused(&bank, &path, &asked("1", "GBP", "Credit"), 409).await.contains("not open"));
        add_up(&bank).await;
    }
}
