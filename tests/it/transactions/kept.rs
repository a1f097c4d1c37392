//! Pages that were answered before are given again only while they are the list.

use crate::harness::{ALL_TRANSACTIONS, Bank, Engine, ExchangeExt, ValueExt, access};
use lombard_tpp::Tpp;
use serde_json::{Value, json};

/// Amelia's accounts as the bank knows them.
async fn accounts(bank: &Bank) -> Vec<Value> {
    let psus = bank.ops_get("/sandbox/psus").await.ok(200).list("/psus");
    psus.iter().find(|psu| psu["psu"] == "amelia").unwrap().list("/accounts")
}

/// Adds an entry and gives its id.
async fn add(bank: &Bank, account: &str, amount: &str) -> String {
    let entry = json!({"amount": amount, "currency": "GBP", "indicator": "Credit"});
    let (status, entry) = bank.ops_post(&format!("/sandbox/accounts/{account}/transactions"), &entry).await;
    assert_eq!(status, 201, "{entry}");
    entry.text("id").to_owned()
}

/// The ids on the first page of a list.
async fn page(tpp: &Tpp, token: &str, path: &str) -> Vec<String> {
    let entries = tpp.get(token, path).await.unwrap().ok(200).list("/Data/Transaction");
    entries.iter().map(|entry| entry.text("TransactionId").to_owned()).collect()
}

#[tokio::test]
async fn ais_120_a_page_asked_for_again_is_the_list_as_it_is_on_every_node() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        let twin = (engine == Engine::Postgres).then(|| bank.twin());
        bank.restart().await;
        let mut nodes = vec![bank];
        if let Some(mut twin) = twin {
            twin.restart().await;
            nodes.push(twin);
        }
        let access = access(&nodes[0].tpp("robot"), &ALL_TRANSACTIONS).await;
        let tpps: Vec<_> = nodes.iter().map(|node| node.tpp("robot")).collect();
        let account = accounts(&nodes[0]).await[0].text("id").to_owned();
        for path in ["aisp/transactions", "aisp/transactions?toBookingDateTime=2999-01-01"] {
            for (number, node) in nodes.iter().enumerate() {
                for tpp in &tpps {
                    let before = page(tpp, access.token(), path).await;
                    assert_eq!(page(tpp, access.token(), path).await, before);
                }
                let added = add(node, &account, &format!("{number}.01")).await;
                for tpp in &tpps {
                    assert!(page(tpp, access.token(), path).await.contains(&added), "{path}");
                }
            }
        }
        let other =
            self::access(&tpps[0], &["ReadAccountsBasic", "ReadTransactionsBasic", "ReadTransactionsDebits"]).await;
        let seen = tpps[0].get(other.token(), "aisp/transactions").await.unwrap().ok(200).list("/Data/Transaction");
        assert!(seen.iter().all(|entry| entry.text("CreditDebitIndicator") == "Debit"), "AIS-041: its own page");
        let (status, answer) =
            nodes[0].ops_post(&format!("/sandbox/consents/{}/revoke", access.consent), &Value::Null).await;
        assert!((200..300).contains(&status), "{answer}");
        for tpp in &tpps {
            assert_eq!(tpp.get(access.token(), "aisp/transactions").await.unwrap().status, 401, "AIS-066");
        }
        for mut node in nodes.drain(1..) {
            node.stop().await;
        }
    }
}

#[tokio::test]
async fn ais_082_a_page_of_an_account_that_was_closed_is_not_given_again() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
        let of_all = access.read("aisp/transactions").await.list("/Data/Transaction");
        let closed = of_all[0].text("AccountId").to_owned();
        let path = format!("aisp/accounts/{closed}/transactions");
        for _ in 0..2 {
            access.read(&path).await;
        }
        for account in accounts(&bank).await {
            let close = format!("/sandbox/accounts/{}/close", account.text("id"));
            assert_eq!(bank.ops_post(&close, &Value::Null).await.0, 200);
        }
        access.tpp.get(access.token(), &path).await.unwrap().refused_with(403, "UK.Lombard.Forbidden.Account", "");
        assert!(access.read("aisp/transactions").await.list("/Data/Transaction").is_empty(), "AIS-084");
    }
}
