//! Pages that were answered before are given again only while they are the list.

use crate::harness::paying::DOMESTIC;
use crate::harness::{ALL_TRANSACTIONS, Bank, Engine, ExchangeExt, PayingTpp, ValueExt, access, until};
use lombard_tpp::Tpp;
use serde_json::Value;
use std::sync::atomic::{AtomicU16, Ordering};

/// Amelia's accounts as the bank knows them.
async fn accounts(bank: &Bank) -> Vec<Value> {
    let psus = bank.ops_get("/sandbox/psus").await.ok(200).list("/psus");
    psus.iter().find(|psu| psu["psu"] == "amelia").unwrap().list("/accounts")
}

/// The records of the first page of a list.
async fn page(tpp: &Tpp, token: &str, path: &str) -> Vec<Value> {
    tpp.get(token, path).await.unwrap().ok(200).list("/Data/Transaction")
}

/// Reads the page before and after at an address that nobody has asked for, and compares it when both are the same.
async fn is_the_list(tpp: &Tpp, token: &str, path: &str, year: &AtomicU16) {
    until(async || {
        let uncached = async || {
            let year = year.fetch_add(1, Ordering::Relaxed);
            page(tpp, token, &format!("aisp/transactions?toBookingDateTime={year}-01-01")).await
        };
        let before = uncached().await;
        let cached = page(tpp, token, path).await;
        (uncached().await == before).then(|| assert_eq!(cached, before, "{path}"))
    })
    .await;
}

#[tokio::test]
async fn ais_120_a_page_asked_for_again_is_the_list_as_it_is_on_every_node() {
    const NOW: lombard_domain::payment::PaymentProduct = DOMESTIC[0];
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
        let year = AtomicU16::new(3_000);
        for path in ["aisp/transactions", "aisp/transactions?toBookingDateTime=2999-01-01"] {
            for node in &nodes {
                for tpp in &tpps {
                    let before = page(tpp, access.token(), path).await;
                    assert_eq!(page(tpp, access.token(), path).await, before);
                }
                let before = page(&tpps[0], access.token(), path).await;
                let paying = PayingTpp::robot(node).await;
                let agreed = paying.agreed(NOW).await;
                paying.ordered(&agreed).await;
                until(async || (page(&tpps[0], access.token(), path).await != before).then_some(())).await;
                for tpp in &tpps {
                    is_the_list(tpp, access.token(), path, &year).await;
                }
            }
        }
        let other =
            self::access(&tpps[0], &["ReadAccountsBasic", "ReadTransactionsBasic", "ReadTransactionsDebits"]).await;
        let seen = page(&tpps[0], other.token(), "aisp/transactions").await;
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
