//! Funds confirmations in both versions. Source: CBP-001, CBP-002, CBP-012, CBP-042, RW-015 to RW-018.

use crate::harness::funds::{CONSENTS, QUESTIONS, about, current, question};
use crate::harness::{Bank, ExchangeExt, FundsTpp, ValueExt};
use jiff::SignedDuration;
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::{Value, json};

/// A path in v4.0.
fn newer(asking: &FundsTpp, path: &str) -> String {
    asking.tpp.resource_url(path).replacen("/v3.1/", "/v4.0/", 1)
}

async fn post(asking: &FundsTpp, token: &str, path: &str, body: &Value) -> HttpExchange {
    asking.tpp.send(HttpCall::post(newer(asking, path)).with_bearer(token).with_json(body)).await.unwrap()
}

async fn read(asking: &FundsTpp, consent: &str) -> HttpExchange {
    asking.tpp.read_link(&asking.own, &newer(asking, &format!("{CONSENTS}/{consent}"))).await.unwrap()
}

async fn delete(asking: &FundsTpp, url: String) -> HttpExchange {
    asking.tpp.send(HttpCall::new(http::Method::DELETE, url).with_bearer(&asking.own)).await.unwrap()
}

/// Status and codes of the reasons.
async fn status(asking: &FundsTpp, consent: &str) -> (String, Vec<String>) {
    let data = read(asking, consent).await.ok(200)["Data"].clone();
    let reasons = data["StatusReason"].as_array().cloned().unwrap_or_default();
    (data.text("Status").to_owned(), reasons.iter().map(|it| it.text("StatusReasonCode").to_owned()).collect())
}

fn told(status: &str, codes: &[&str]) -> (String, Vec<String>) {
    (status.to_owned(), codes.iter().map(|code| (*code).to_owned()).collect())
}

#[tokio::test]
async fn cbp_001_002_042_a_v4_0_consent_keeps_its_proxy_and_is_unknown_to_v3_1() {
    for bank in Bank::each_engine().await {
        let asking = FundsTpp::robot(&bank).await;
        let mut body = about(&current(&bank, "amelia").await);
        body["Data"]["DebtorAccount"]["Proxy"] =
            json!({"Identification": "+44-7700900142", "Code": "TELE", "Type": "MOBILE"});
        body["Data"]["ExpirationDateTime"] = json!("2099-05-02T01:00:00+01:00");
        let made = post(&asking, &asking.own, CONSENTS, &body).await.ok(201);
        let data = &made["Data"];
        assert_eq!(data["DebtorAccount"], body["Data"]["DebtorAccount"]);
        assert_eq!(data["ExpirationDateTime"], body["Data"]["ExpirationDateTime"]);
        let consent = data.text("ConsentId").to_owned();
        assert_eq!(made["Links"].text("Self"), newer(&asking, &format!("{CONSENTS}/{consent}")));
        assert_eq!(read(&asking, &consent).await.ok(200), made);
        assert_eq!(status(&asking, &consent).await, told("AWAU", &["U036"]));

        let token = asking.tokens(&consent).await.access_token;
        assert_eq!(status(&asking, &consent).await, told("AUTH", &[]));
        let asked = question(&consent, "r", "1.00", "GBP");
        asking.post(&token, QUESTIONS, &asked).await.refused_with(403, "UK.Lombard.Forbidden.Version", "");
        let answer = post(&asking, &token, QUESTIONS, &asked).await.ok(201);
        assert_eq!(answer["Data"]["FundsAvailable"], json!(true), "CBP-032");

        asking.read(&consent).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        let older = asking.tpp.resource_url(&format!("{CONSENTS}/{consent}"));
        delete(&asking, older).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        delete(&asking, newer(&asking, &format!("{CONSENTS}/{consent}"))).await.ok(204);
        read(&asking, &consent).await.refused_with(400, "U011", "");
    }
}

#[tokio::test]
async fn rw_015_018_a_consent_of_v3_1_is_read_used_and_deleted_through_v4_0() {
    for bank in Bank::each_engine().await {
        let mut asking = FundsTpp::robot(&bank).await;
        let mut body = about(&current(&bank, "amelia").await);
        body["Data"]["ExpirationDateTime"] = json!((bank.now() + SignedDuration::from_mins(10)).to_string());
        let ending = asking.consent(&body).await;
        let (consent, token) = asking.agreed(&current(&bank, "amelia").await).await;
        let old = asking.read(&consent).await.ok(200);
        let new = read(&asking, &consent).await.ok(200);
        for same in ["ConsentId", "CreationDateTime", "StatusUpdateDateTime", "DebtorAccount"] {
            assert_eq!(old["Data"][same], new["Data"][same], "RW-018: {same}");
        }
        assert_eq!((old["Data"].text("Status"), new["Data"].text("Status")), ("Authorised", "AUTH"));
        post(&asking, &token, QUESTIONS, &question(&consent, "r", "1.00", "GBP")).await.ok(201);

        asking.tokens(&ending).await;
        bank.clock.advance(SignedDuration::from_mins(10));
        assert_eq!(asking.status(&ending).await, "Authorised", "CBP-016");
        assert_eq!(status(&asking, &ending).await, told("EXPD", &["TKXP"]), "RW-019");
        delete(&asking, newer(&asking, &format!("{CONSENTS}/{consent}"))).await.ok(204);
        asking.read(&consent).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
    }
}

#[tokio::test]
async fn cbp_001_what_is_wrong_with_a_proxy_is_told_at_its_place() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let good = about(&current(&bank, "amelia").await);
    for (proxy, code, path) in [
        (json!({"Code": "TELE"}), "U004", "Identification"),
        (json!({"Identification": "x"}), "U004", "Code"),
        (json!({"Identification": "x", "Code": "PHONE"}), "U002", "Code"),
        (json!({"Identification": "", "Code": "TELE"}), "U002", "Identification"),
    ] {
        let mut body = good.clone();
        body["Data"]["DebtorAccount"]["Proxy"] = proxy;
        let path = format!("Data.DebtorAccount.Proxy.{path}");
        post(&asking, &asking.own, CONSENTS, &body).await.refused_with(400, code, &path);
    }
}
