//! A customer authorises or rejects a funds confirmation consent.

use crate::harness::funds::{QUESTIONS, about, current, question};
use crate::harness::pending_consent::accounts_of;
use crate::harness::{Bank, Browser, ExchangeExt, FundsTpp, Page, ValueExt};
use jiff::SignedDuration;
use lombard_tpp::{AuthorisationRequest, AuthorisationResponse, IssuedTokens};
use serde_json::{Value, json};

/// A TPP that sends its customers to a browser, and where they come back to.
async fn acme(bank: &Bank) -> (FundsTpp, String) {
    (FundsTpp::with(bank.tpp("acme")).await, format!("{}/portal/callback", bank.endpoints().public))
}

async fn request(asking: &FundsTpp, consent: &str, callback: &str) -> (AuthorisationRequest, String) {
    let request = asking.request(consent).await.claim("redirect_uri", callback);
    let url = request.url(&asking.tpp.folder.signing).unwrap();
    (request, url)
}

async fn decide(browser: &mut Browser, page: &Page, decision: &str) -> Page {
    browser.submit(page.form_with("decision"), &[("decision", decision)]).await
}

#[tokio::test]
async fn cbp_008_as_093_a_customer_is_told_everything_and_agrees_to_the_whole() {
    for bank in Bank::each_engine().await {
        let (mut asking, callback) = acme(&bank).await;
        let account = current(&bank, "amelia").await;
        let mut body = about(&account);
        body["Data"]["ExpirationDateTime"] = json!((bank.now() + SignedDuration::from_hours(48)).to_string());
        let consent = asking.consent(&body).await;
        let (sent, url) = request(&asking, &consent, &callback).await;
        let mut browser = Browser::new(&asking.tpp);
        let page = browser.log_in(&url, "amelia").await;
        let text = page.exchange.text().into_owned();
        let number = account.list("/identifications")[0].text("identification").to_owned();
        let last = &number[number.len() - 4..];
        for told in ["Acme", account.text("nickname"), last, "yes", "no", "This ends", "told your balance"] {
            assert!(text.contains(told), "AS-142: the page does not tell {told}");
        }
        assert!(!text.contains('£') && !text.contains(&number), "CBP-034: no amount, and no number in full");
        assert_eq!(page.form_with("decision").values("account").len(), 1, "nothing to choose");
        let back = decide(&mut browser, &page, "approve").await;
        let channel = AuthorisationResponse::parse_redirect(&back.exchange, &callback).unwrap();
        let (code, _) = channel.expect_code(&sent.state).unwrap();
        let tokens = IssuedTokens::from_exchange(asking.tpp.exchange_code_of(code, &callback).await.unwrap()).unwrap();
        assert_eq!(tokens.scope.as_deref(), Some("openid fundsconfirmations"), "AS-051");
        let refresh = tokens.refresh_token.clone().unwrap();
        assert_eq!(asking.status(&consent).await, "Authorised");

        asking.post(&tokens.access_token, QUESTIONS, &question(&consent, "a", "1.00", "GBP")).await.ok(201);
        let renewed = IssuedTokens::from_exchange(asking.tpp.refresh(&refresh).await.unwrap()).unwrap().access_token;
        asking.post(&renewed, QUESTIONS, &question(&consent, "b", "1.00", "GBP")).await.ok(201);

        // CBP-015: authenticating again, which changes nothing (RW-309).
        let before = asking.read(&consent).await.ok(200)["Data"].clone();
        bank.clock.advance(SignedDuration::from_secs(5));
        let (sent, url) = request(&asking, &consent, &callback).await;
        let mut browser = Browser::new(&asking.tpp);
        let page = browser.log_in(&url, "amelia").await;
        assert!(page.exchange.text().contains("You have agreed to this before"));
        let back = decide(&mut browser, &page, "approve").await;
        AuthorisationResponse::parse_redirect(&back.exchange, &callback).unwrap().expect_code(&sent.state).unwrap();
        assert_eq!(asking.read(&consent).await.ok(200)["Data"], before);
    }
}

#[tokio::test]
async fn cbp_012_a_customer_refuses_and_the_consent_is_rejected() {
    let bank = Bank::start().await;
    let (mut asking, callback) = acme(&bank).await;
    let consent = asking.consent(&about(&current(&bank, "amelia").await)).await;
    let (_, url) = request(&asking, &consent, &callback).await;
    let mut browser = Browser::new(&asking.tpp);
    let page = browser.log_in(&url, "amelia").await;
    let back = decide(&mut browser, &page, "refuse").await;
    let channel = AuthorisationResponse::parse_redirect(&back.exchange, &callback).unwrap();
    assert_eq!((channel.error.as_deref(), channel.code), (Some("access_denied"), None));
    assert_eq!(asking.status(&consent).await, "Rejected");
}

#[tokio::test]
async fn cbp_009_an_account_of_somebody_else_ends_the_consent_as_rejected() {
    for bank in Bank::each_engine().await {
        let (mut asking, callback) = acme(&bank).await;
        let mut of_nobody = about(&current(&bank, "amelia").await);
        of_nobody["Data"]["DebtorAccount"]["Identification"] = json!("99999999999999");
        for body in [about(&current(&bank, "bashir").await), of_nobody.clone()] {
            let consent = asking.consent(&body).await;
            let (_, url) = request(&asking, &consent, &callback).await;
            let mut browser = Browser::new(&asking.tpp);
            let back = browser.log_in(&url, "amelia").await;
            let channel = AuthorisationResponse::parse_redirect(&back.exchange, &callback).unwrap();
            assert_eq!((channel.error.as_deref(), channel.code), (Some("access_denied"), None), "no word on whose");
            assert_eq!(asking.status(&consent).await, "Rejected");
        }
        let mut robot = FundsTpp::robot(&bank).await;
        let consent = robot.consent(&of_nobody).await;
        let request = robot.request(&consent).await;
        let channel = robot.tpp.authorise_headless(&request).await.unwrap();
        assert_eq!((channel.error.as_deref(), channel.code), (Some("access_denied"), None), "AS-171");
        assert_eq!(robot.status(&consent).await, "Rejected");
    }
}

#[tokio::test]
async fn cbp_008_no_form_can_name_another_account() {
    let bank = Bank::start().await;
    let (mut asking, callback) = acme(&bank).await;
    let consent = asking.consent(&about(&current(&bank, "amelia").await)).await;
    let (_, url) = request(&asking, &consent, &callback).await;
    let mut browser = Browser::new(&asking.tpp);
    let page = browser.log_in(&url, "amelia").await;
    let forged = browser.submit(page.form_with("decision"), &[("account", "another"), ("decision", "approve")]).await;
    assert!(forged.exchange.text().contains("Please decide again"), "{}", forged.exchange.text());
    assert_eq!(asking.status(&consent).await, "AwaitingAuthorisation");
}

#[tokio::test]
async fn a_tester_agrees_and_refuses_for_a_customer() {
    let bank = Bank::start().await;
    let mut asking = FundsTpp::robot(&bank).await;
    let account = current(&bank, "amelia").await;
    let say = async |consent: &str, order: &Value| {
        bank.ops_post(&format!("/sandbox/consents/{consent}/authorise"), order).await
    };
    let consent = asking.consent(&about(&account)).await;
    assert_eq!(say(&consent, &json!({"psu": "bashir", "decision": "approve"})).await.0, 400);
    let savings = accounts_of(&bank, "amelia").await.into_iter().find(|it| it["sub_type"] == "Savings").unwrap();
    let other = json!({"psu": "amelia", "decision": "approve", "accounts": [savings["id"]]});
    assert_eq!(say(&consent, &other).await.0, 400);
    let (status, answer) = say(&consent, &json!({"psu": "amelia", "decision": "approve"})).await;
    assert_eq!((status, answer.text("status")), (200, "Authorised"));
    assert_eq!(asking.status(&consent).await, "Authorised");
    let (status, answer) = bank.ops_post(&format!("/sandbox/consents/{consent}/revoke"), &Value::Null).await;
    assert_eq!((status, answer.text("status")), (200, "Revoked"), "CBP-012");
    let refused = asking.consent(&about(&account)).await;
    assert_eq!(say(&refused, &json!({"psu": "amelia", "decision": "reject"})).await.0, 200);
    assert_eq!(asking.status(&refused).await, "Rejected");
}
