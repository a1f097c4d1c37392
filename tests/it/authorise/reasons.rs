//! Status reasons that an authorisation leaves with its consent, through v4.0. Source: V4-002, ERR-003, ERR-005, ERR-009.

use crate::harness::pending_consent::{accounts_of, debtor};
use crate::harness::{Bank, Browser, CustomerAccess, ExchangeExt, Page, PayingTpp, PendingConsent, ValueExt};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_tpp::AuthorisationResponse;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

/// A payment consent of v4.0 for so many pounds.
async fn asked(bank: &Bank, amount: &str) -> PendingConsent {
    let paying = PayingTpp::as_tpp(bank, "acme").await.through(Version::V4_0);
    let mut body = paying.asking(NOW);
    body["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!(amount);
    PendingConsent::with(bank, paying, NOW, body).await
}

/// The status of a consent, and for each reason its code and its path.
fn status(read: &Value) -> (String, Vec<(String, Option<String>)>) {
    let reasons = read.pointer("/Data/StatusReason").and_then(Value::as_array).cloned().unwrap_or_default();
    let told = reasons.iter().map(|it| {
        let path = it.get("Path").and_then(Value::as_str).map(str::to_owned);
        (it.text("StatusReasonCode").to_owned(), path)
    });
    (read["Data"].text("Status").to_owned(), told.collect())
}

fn told(status: &str, reasons: &[(&str, Option<&str>)]) -> (String, Vec<(String, Option<String>)>) {
    let reasons = reasons.iter().map(|(code, path)| ((*code).to_owned(), path.map(str::to_owned)));
    (status.to_owned(), reasons.collect())
}

async fn submit(browser: &mut Browser, page: &Page) -> Page {
    let form = page.form_with("decision");
    let account = form.values("account").remove(0);
    browser.submit(form, &[("account", &account), ("decision", "approve")]).await
}

#[tokio::test]
async fn err_003_insufficient_funds_are_shown_and_the_consent_awaits_with_am04() {
    for bank in Bank::each_engine().await {
        let asked = asked(&bank, "90000.00").await;
        let now = async || status(&asked.paying.consent_now(NOW, &asked.consent).await);
        let mut browser = Browser::new(&asked.paying.tpp);
        let page = browser.log_in(&asked.url(), "deepak").await;
        assert_eq!(now().await, told("AWAU", &[("U036", None)]), "ERR-001: nothing is selected yet");
        let warned = submit(&mut browser, &page).await;
        assert_eq!(warned.exchange.status, 422, "{}", warned.exchange.text());
        assert!(warned.exchange.text().contains("not enough money in that account"), "{}", warned.exchange.text());
        assert_eq!(now().await, told("AWAU", &[("AM04", Some("Data.Initiation.DebtorAccount"))]));
        let back = submit(&mut browser, &warned).await;
        let channel = AuthorisationResponse::parse_redirect(&back.exchange, &asked.callback).unwrap();
        assert!(channel.code.is_some(), "who knows may still choose it");
        assert_eq!(now().await, told("AUTH", &[]));
    }
}

#[tokio::test]
async fn err_006_pis_033_another_customers_debtor_account_is_the_reject_reason() {
    let bank = Bank::start().await;
    let paying = PayingTpp::as_tpp(&bank, "acme").await.through(Version::V4_0);
    let mut body = paying.asking(NOW);
    let savings = accounts_of(&bank, "amelia").await.into_iter().find(|it| it.text("sub_type") == "Savings");
    body["Data"]["Initiation"]["DebtorAccount"] = debtor(&savings.unwrap());
    let asked = PendingConsent::with(&bank, paying, NOW, body).await;
    let mut browser = Browser::new(&asked.paying.tpp);
    let back = browser.log_in(&asked.url(), "deepak").await;
    let channel = AuthorisationResponse::parse_redirect(&back.exchange, &asked.callback).unwrap();
    assert_eq!(channel.error.as_deref(), Some("access_denied"));
    let read = asked.paying.consent_now(NOW, &asked.consent).await;
    assert_eq!(status(&read), told("RJCT", &[("U033", Some("Data.Initiation.DebtorAccount"))]));
}

#[tokio::test]
async fn err_013_a_cut_off_that_passed_before_the_authorisation_is_tm01() {
    for bank in crate::harness::patient_on_each_engine().await {
        let later = PaymentProduct::DomesticScheduledPayment;
        let robot = PayingTpp::robot(&bank).await.through(Version::V4_0);
        let made = robot.consent(later, &robot.asking(later)).await;
        let consent = made["Data"].text("ConsentId").to_owned();
        assert!(made["Data"]["CutOffDateTime"].is_string());
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 10 * 24 * 3_600})).await;
        let request = robot.tpp.new_authorisation_request(&consent, "payments").await.unwrap();
        let refused = robot.tpp.authorise_headless(&request).await.unwrap();
        assert_eq!(refused.error.as_deref(), Some("invalid_request"), "PIS-037");
        let read = robot.consent_now(later, &consent).await;
        assert_eq!(status(&read), told("RJCT", &[("TM01", Some("Data.CutOffDateTime"))]));
    }
}

#[tokio::test]
async fn err_005_a_code_that_is_not_usable_shows_tk01_until_one_is() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot").with_version(Version::V4_0);
        let rival = bank.tpp("rival");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&own, &["ReadAccountsBasic"]).await.unwrap();
        let path = format!("aisp/account-access-consents/{consent}");
        let now = async || status(&tpp.get(&own, &path).await.unwrap().ok(200));
        let code = crate::harness::code(&tpp, &consent).await;
        rival.exchange_code(&code).await.unwrap().oauth(400, "invalid_grant");
        assert_eq!(now().await, told("AUTH", &[]), "another TPP's attempt changes nothing");
        tpp.exchange_code(&code).await.unwrap().ok(200);
        assert_eq!(now().await, told("AUTH", &[]));
        tpp.exchange_code(&code).await.unwrap().oauth(400, "invalid_grant");
        let since = tpp.get(&own, &path).await.unwrap().ok(200)["Data"].text("StatusUpdateDateTime").to_owned();
        assert_eq!(now().await, told("AUTH", &[("TK01", None)]));
        let access = CustomerAccess::of(&tpp, &own, &consent).await;
        tpp.get(access.token(), "aisp/accounts").await.unwrap().ok(200);
        let read = tpp.get(&own, &path).await.unwrap().ok(200);
        assert_eq!(status(&read), told("AUTH", &[]), "a new code works");
        assert_eq!(read["Data"].text("StatusUpdateDateTime"), since, "RW-309");
    }
}

#[tokio::test]
async fn rw_108_err_009_a_valid_token_is_403_when_reauthentication_is_due() {
    for engine in crate::harness::Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[("auth.reauthentication_days", "90")]).await;
        let older = bank.tpp("robot");
        let newer = older.with_version(Version::V4_0);
        let own = older.client_credentials("accounts").await.unwrap().access_token;
        let consent = older.consent_create(&own, &["ReadAccountsBasic"]).await.unwrap();
        let access = CustomerAccess::of(&older, &own, &consent).await;
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 90 * 24 * 3_600 - 60})).await;
        older.get(access.token(), "aisp/accounts").await.unwrap().ok(200);
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 60})).await;
        for (tpp, code) in [(&older, "UK.OBIE.Reauthenticate"), (&newer, "U028")] {
            tpp.get(access.token(), "aisp/accounts").await.unwrap().refused_with(403, code, "");
            let path = format!("aisp/account-access-consents/{consent}");
            let read = tpp.get(&own, &path).await.unwrap().ok(200);
            assert!(["Authorised", "AUTH"].contains(&read["Data"].text("Status")), "the consent stays as it is");
        }
        let again = CustomerAccess::of(&older, &own, &consent).await;
        newer.get(again.token(), "aisp/accounts").await.unwrap().ok(200);
        newer.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
    }
}
