//! Accounts that a tester changes.

use super::{accounts_of, order, refused};
use crate::harness::{Bank, EVERYTHING, ValueExt, access};
use serde_json::json;

#[tokio::test]
async fn a_changed_holder_and_limit_are_what_tpps_read() {
    for bank in Bank::each_engine().await {
        let accounts = accounts_of(&bank, "amelia").await;
        let current = accounts.iter().find(|it| it["sub_type"] == "CurrentAccount").unwrap();
        let path = format!("/sandbox/accounts/{}/change", current.text("id"));
        let change = json!({"holder": "Amelia Mill", "credit_limit": "321.09", "currency": "GBP"});
        let changed = order(&bank, &path, &change).await;
        assert_eq!((changed.text("holder"), changed.text("credit_limit")), ("Amelia Mill", "321.09"));
        assert_eq!(changed.text("booked"), current.text("booked"));

        let reading = access(&bank.tpp("robot"), &EVERYTHING).await;
        let read = reading.read("aisp/accounts").await.list("/Data/Account");
        let read = read.iter().find(|it| it["Nickname"] == current["nickname"]).unwrap();
        assert_eq!(read["Account"][0]["Name"], "Amelia Mill");
        let balances = reading.read(&format!("aisp/accounts/{}/balances", read.text("AccountId"))).await;
        let lines = balances.to_string();
        assert!(lines.contains("321.09"), "the arranged overdraft is a credit line: {lines}");

        let foreign = json!({"credit_limit": "1", "currency": "USD"});
        assert!(refused(&bank, &path, &foreign, 400).await.contains("GBP"));
        refused(&bank, "/sandbox/accounts/none/change", &change, 404).await;
    }
}
