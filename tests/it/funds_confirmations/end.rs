//! The end of funds confirmation consents: revocation and expiry.

use crate::apps::Visitor;
use crate::harness::funds::{QUESTIONS, about, current, question};
use crate::harness::pending_consent::accounts_of;
use crate::harness::{Bank, ExchangeExt, FundsTpp, ValueExt};
use jiff::SignedDuration;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

#[tokio::test]
async fn cbp_012_013_015_038_a_customer_stops_it_for_good_and_the_tpp_is_told() {
    for bank in Bank::each_engine().await {
        let mut asking = FundsTpp::robot(&bank).await;
        let account = current(&bank, "amelia").await;
        let (consent, token) = asking.agreed(&account).await;
        let mut visitor = Visitor::new(&bank);
        let list = visitor.log_in("amelia").await;
        let text = list.exchange.text().into_owned();
        assert!(text.contains(&format!("/apps/{consent}/stop")) && text.contains("yes or no"), "{text}");
        let page = visitor.at(&consent).await.exchange.text().into_owned();
        assert!(page.contains("What it may ask") && page.contains(account.text("nickname")), "{page}");
        let page = visitor.at(&format!("{consent}/stop")).await;
        assert!(page.exchange.text().contains("it can ask nothing about this account"));
        let form = page.forms.iter().find(|form| form.action.path().ends_with("/stop")).unwrap().clone();
        visitor.browser.submit(&form, &[]).await;

        asking.post(&token, QUESTIONS, &question(&consent, "r", "1.00", "GBP")).await.unauthorised();
        assert_eq!(asking.status(&consent).await, "Revoked");
        let request = asking.request(&consent).await;
        let channel = asking.tpp.authorise_headless(&request).await.unwrap();
        assert!(channel.error.is_some() && channel.code.is_none(), "CON-31");
        assert_eq!(asking.status(&consent).await, "Revoked");
        assert!(!visitor.home().await.exchange.text().contains(&consent));

        // SET-040: of the agreement, and of its end.
        let url = format!("{}/v3.1/events", asking.tpp.endpoints.resource_base);
        let call = HttpCall::post(url).with_bearer(&asking.own).with_json(&json!({"returnImmediately": true}));
        let sets = asking.tpp.send(call).await.unwrap().ok(200)["sets"].clone();
        assert_eq!(sets.as_object().unwrap().len(), 2, "{sets}");
    }
}

#[tokio::test]
async fn cbp_016_038_as_093_its_end_ends_its_tokens_and_not_its_status() {
    for bank in Bank::each_engine().await {
        let mut asking = FundsTpp::robot(&bank).await;
        let mut body = about(&current(&bank, "amelia").await);
        let end = bank.now() + SignedDuration::from_mins(10);
        body["Data"]["ExpirationDateTime"] = json!(end.to_string());
        let consent = asking.consent(&body).await;
        let tokens = asking.tokens(&consent).await;
        asking.post(&tokens.access_token, QUESTIONS, &question(&consent, "a", "1.00", "GBP")).await.ok(201);
        bank.clock.advance(SignedDuration::from_mins(11));
        let late = question(&consent, "b", "1.00", "GBP");
        asking.post(&tokens.access_token, QUESTIONS, &late).await.unauthorised();
        asking.tpp.refresh(&tokens.refresh_token.unwrap()).await.unwrap().oauth(400, "invalid_grant");
        assert_eq!(asking.status(&consent).await, "Authorised", "CBP-016");
        let request = asking.request(&consent).await;
        let channel = asking.tpp.authorise_headless(&request).await.unwrap();
        assert!(channel.error.is_some() && channel.code.is_none(), "CBP-015");
    }
}

#[tokio::test]
async fn an_account_that_ends_is_no_news_to_who_may_ask_about_it() {
    let bank = Bank::start().await;
    let mut asking = FundsTpp::robot(&bank).await;
    let savings = accounts_of(&bank, "amelia").await.into_iter().find(|it| it["sub_type"] == "Savings").unwrap();
    let (consent, _) = asking.agreed(&savings).await;
    let path = format!("/sandbox/accounts/{}/close", savings.text("id"));
    assert_eq!(bank.ops_post(&path, &Value::Null).await.0, 200);
    assert_eq!(asking.status(&consent).await, "Authorised");
    let url = format!("{}/v3.1/events", asking.tpp.endpoints.resource_base);
    let call = HttpCall::post(url).with_bearer(&asking.own).with_json(&json!({"returnImmediately": true}));
    let sets = asking.tpp.send(call).await.unwrap().ok(200)["sets"].clone();
    assert_eq!(sets.as_object().unwrap().len(), 1, "of the agreement alone: {sets}");
}
