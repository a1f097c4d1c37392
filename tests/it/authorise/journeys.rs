//! Complete journeys, and their isolation from each other.

use crate::harness::{Bank, Browser, EVERYTHING, ExchangeExt, ValueExt, access};
use lombard_tpp::{AuthorisationResponse, IssuedTokens};
use std::collections::HashSet;

#[tokio::test]
async fn from_nothing_to_transactions_and_back_to_nothing() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let access = access(&tpp, &EVERYTHING).await;
        let accounts = access.account_ids().await;
        assert!(accounts.len() >= 3, "amelia has a current account, savings and a credit card");
        for account in &accounts {
            let one = access.read(&format!("aisp/accounts/{account}")).await;
            assert_eq!(one.list("/Data/Account").len(), 1);
            assert!(!access.read(&format!("aisp/accounts/{account}/balances")).await.list("/Data/Balance").is_empty());
            let entries = access.read(&format!("aisp/accounts/{account}/transactions")).await;
            assert!(!entries.list("/Data/Transaction").is_empty(), "{account}");
        }
        tpp.delete(&access.own, &access.consent_path()).await.unwrap().ok(204);
        for path in ["aisp/accounts", "aisp/balances", "aisp/transactions"] {
            tpp.get(access.token(), path).await.unwrap().unauthorised();
        }
    }
}

#[tokio::test]
async fn two_people_see_their_own_accounts_only() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("acme");
        let mut seen: Vec<HashSet<String>> = Vec::new();
        let mut tokens_of = Vec::new();
        for person in ["amelia", "bashir"] {
            let own = tpp.client_credentials("accounts").await.unwrap().access_token;
            let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
            let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
            let mut browser = Browser::new(&tpp);
            let decision = browser.log_in(&request.url(&tpp.folder.signing).unwrap(), person).await;
            let back = browser.agree(&decision).await;
            let channel = AuthorisationResponse::parse_redirect(&back, tpp.redirect_uri().unwrap()).unwrap();
            let (code, _) = channel.expect_code(&request.state).unwrap();
            let tokens = IssuedTokens::from_exchange(tpp.exchange_code(code).await.unwrap()).unwrap();
            let answer = tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
            seen.push(answer.list("/Data/Account").iter().map(|it| it.text("AccountId").to_owned()).collect());
            tokens_of.push(tokens.access_token);
        }
        assert!(seen[0].is_disjoint(&seen[1]), "{seen:?}");
        for account in &seen[1] {
            for below in ["", "/balances", "/transactions"] {
                let answer = tpp.get(&tokens_of[0], &format!("aisp/accounts/{account}{below}")).await.unwrap();
                assert!(answer.refused(403)[0].0.contains("Forbidden.Account"), "RW-107: {}", answer.text());
            }
        }
    }
}

#[tokio::test]
async fn ais_087_two_tpps_know_the_same_account_by_different_ids() {
    let bank = Bank::start().await;
    let robot = access(&bank.tpp("robot"), &EVERYTHING).await;
    let twin = bank.create_tpp(&serde_json::json!({"name": "twin", "roles": ["aisp"], "headless": "amelia"})).await;
    let twin = access(&twin, &EVERYTHING).await;
    let ours = robot.account_ids().await;
    let theirs = twin.account_ids().await;
    assert_eq!(ours.len(), theirs.len());
    assert!(ours.iter().all(|id| !theirs.contains(id)), "{ours:?} {theirs:?}");
    // Each sees them in an order of its own.
    let numbers = |answer: serde_json::Value| -> HashSet<String> {
        let accounts = answer.list("/Data/Account");
        accounts.iter().map(|account| account["Account"][0].text("Identification").to_owned()).collect()
    };
    assert_eq!(numbers(robot.read("aisp/accounts").await), numbers(twin.read("aisp/accounts").await));
    for account in &theirs {
        let answer = robot.tpp.get(robot.token(), &format!("aisp/accounts/{account}")).await.unwrap();
        assert!(answer.refused(403)[0].0.contains("Forbidden."), "RW-104: {}", answer.text());
    }
}
