//! The API called from the portal, as the application whose developer is logged in.

use super::Developer;
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt, access};
use lombard_tpp::IssuedTokens;
use serde_json::Value;

/// Sends the form of an operation; gives the text of the page with the answer.
async fn tried(developer: &mut Developer, name: &str, query: &str, fields: &[(&str, &str)]) -> String {
    let path = format!("/portal/try/{name}");
    let (status, text) = developer.send(&format!("{path}{query}"), &path, fields).await;
    assert_eq!(status, 200, "{text}");
    text
}

/// The body that the page suggests.
fn suggested(page: &str) -> String {
    let body = page.split("<textarea id=\"body\"").nth(1).unwrap().split_once('>').unwrap().1;
    body.split("</textarea>").next().unwrap().replace("&#34;", "\"").replace("&#38;", "&")
}

#[tokio::test]
async fn a_read_with_a_consent_token_is_made_as_the_application_and_recorded() {
    let bank = Bank::start().await;
    let granted = access(&bank.tpp("robot"), &["ReadAccountsDetail", "ReadBalances"]).await;
    let accounts = granted.account_ids().await;
    let account = accounts[0].clone();
    let mut developer = Developer::of(&bank, "robot").await;
    assert!(developer.read("/portal/try").await.contains("/portal/try/GetAccountsAccountIdBalances"));
    let page = developer.read("/portal/try/GetAccountsAccountIdBalances").await;
    let is_offered = |id: &String| page.contains(&format!("<option value=\"{id}\">"));
    let is_filled_in = |id: &String| page.contains(&format!("value=\"{id}\" autocomplete"));
    assert!(page.contains(&granted.consent) && accounts.iter().all(is_offered), "{page}");
    assert_eq!(accounts.iter().filter(|id| is_filled_in(id)).count(), 1, "{page}");
    assert!(page.contains("account access of ") && page.contains("ReadAccountsDetail, ReadBalances"), "{page}");

    let token = format!("consent:{}", granted.consent);
    let fields = [("version", "v4.0"), ("token", token.as_str()), ("id-AccountId", account.as_str())];
    let text = tried(&mut developer, "GetAccountsAccountIdBalances", "", &fields).await;
    assert!(text.contains("200 OK") && text.contains("ITAV") && text.contains("x-fapi-interaction-id"));
    let recorded = text.split("href=\"").find(|it| it.starts_with("/portal/requests?id=")).unwrap();
    let recorded = recorded.split('"').next().unwrap();
    assert!(developer.read(recorded).await.contains(&format!("{account}/balances")), "{recorded}");
    granted.read("aisp/accounts").await;

    let refused = [("version", "v4.0"), ("token", "given"), ("given_token", "none"), ("id-AccountId", &account)];
    let text = tried(&mut developer, "GetAccountsAccountIdBalances", "", &refused).await;
    assert!(text.contains("401 Unauthorized"), "{text}");

    let mut stranger = Developer::of(&bank, "acme").await;
    let path = "/portal/try/GetAccountsAccountIdBalances";
    assert!(!stranger.read(path).await.contains(&granted.consent));
    let (status, text) = stranger.send(path, path, &fields).await;
    assert!(status == 422 && text.contains("No token can be issued"), "{text}");
    assert_eq!(stranger.open("/portal/try/GetNothing").await.0, 404);
}

#[tokio::test]
async fn a_payment_is_suggested_signed_and_made() {
    let bank = Bank::start().await;
    let mut developer = Developer::of(&bank, "robot").await;
    let create = "/portal/try/CreateDomesticPaymentConsents";
    let body = suggested(&developer.read(create).await);
    let fields = [("version", "v4.0"), ("token", "own"), ("media", "application/json"), ("body", body.as_str())];
    let text = tried(&mut developer, "CreateDomesticPaymentConsents", "", &fields).await;
    assert!(text.contains("201 Created"), "{text}");
    let answer = text.split("<pre tabindex=\"0\">").nth(1).unwrap().split("</pre>").next().unwrap();
    let answer: Value = serde_json::from_str(&answer.replace("&#34;", "\"")).unwrap();
    let consent = answer["Data"].text("ConsentId").to_owned();

    let page = developer.read("/portal/try/CreateDomesticPayments").await;
    assert!(page.contains("needs a consent that a customer authorised"), "{page}");
    let consent_page = format!("/portal/consents/{consent}");
    assert!(page.contains(&format!("href=\"{consent_page}#decide\"")), "{page}");
    let (_, shown) = developer.open(&consent_page).await;
    let form = shown.forms.iter().find(|form| form.action.path().ends_with("/authorise")).unwrap();
    let sent = developer.browser.post(form, &[]).await;
    assert_eq!(sent.status, 303);
    let customers = format!("{}/authorize?", developer.public);
    assert!(sent.head("location").starts_with(&customers), "{}", sent.head("location"));

    let paying = PayingTpp::robot(&bank).await;
    let request = paying.tpp.new_authorisation_request(&consent, "payments").await.unwrap();
    let channel = paying.tpp.authorise_headless(&request).await.unwrap();
    let code = channel.expect_code(&request.state).unwrap().0.to_owned();
    IssuedTokens::from_exchange(paying.tpp.exchange_code(&code).await.unwrap()).unwrap();

    let query = format!("?version=v4.0&token=consent%3A{consent}");
    let body = suggested(&developer.read(&format!("/portal/try/CreateDomesticPayments{query}")).await);
    assert!(body.contains(&consent));
    let token = format!("consent:{consent}");
    let fields = [("version", "v4.0"), ("token", token.as_str()), ("media", "application/json"), ("body", &body)];
    let text = tried(&mut developer, "CreateDomesticPayments", &query, &fields).await;
    assert!(text.contains("201 Created") && text.contains("DomesticPaymentId"), "{text}");
}
