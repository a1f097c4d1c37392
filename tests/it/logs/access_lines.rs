//! The line of a request says whom and what it is about, and nothing personal.

use crate::harness::{Bank, EVERYTHING, Engine, PayingTpp, ServerProcess, access};
use lombard_domain::payment::PaymentProduct;
use serde_json::Value;

/// The access lines of these logs.
fn lines(logs: &str) -> Vec<Value> {
    let lines =
        logs.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["target"] == "lombard::access").collect()
}

/// The lines of a route.
fn of_route<'l>(lines: &'l [Value], method: &str, route: &str) -> Vec<&'l Value> {
    let is_of = |line: &&Value| line["http.method"] == method && line["http.route"].as_str().unwrap().ends_with(route);
    let found: Vec<_> = lines.iter().filter(is_of).collect();
    assert!(!found.is_empty(), "{method} {route}");
    found
}

#[tokio::test]
async fn the_line_of_a_request_names_caller_consent_order_and_bytes() {
    let bank = Bank::unstarted(Engine::Sqlite).await;
    let server = ServerProcess::logging(&bank, "info").await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let account = access.account_ids().await.remove(0);
    let balances = access.tpp.get(access.token(), &format!("aisp/accounts/{account}/balances")).await.unwrap();
    access.tpp.get(&access.own, &access.consent_path()).await.unwrap();
    access.tpp.get(&access.own, "aisp/account-access-consents/claimed").await.unwrap();
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
    let (order, _) = paying.ordered(&agreed).await;
    paying.order_now(PaymentProduct::DomesticPayment, &order).await;
    bank.tpp("robot").discovery().await.unwrap();
    let lines = lines(&server.kill().await);

    let created = of_route(&lines, "POST", "/account-access-consents");
    assert_eq!(created[0]["consent.id"], access.consent.as_str());
    assert!(created[0]["request.bytes"].as_u64().unwrap() > 20 && created[0]["response.bytes"].as_u64().unwrap() > 20);
    let read = of_route(&lines, "GET", "/aisp/accounts/{AccountId}/balances");
    assert_eq!(read[0]["consent.id"], access.consent.as_str(), "that of the token");
    assert_eq!(read[0]["response.bytes"], balances.body.len());
    let address = read[0]["caller.address"].as_str().unwrap();
    assert!(["127.0.0.1", "::1"].contains(&address), "{address}");
    let consents = of_route(&lines, "GET", "/account-access-consents/{ConsentId}");
    assert_eq!(consents[0]["consent.id"], access.consent.as_str());
    assert!(consents[1].get("consent.id").is_none(), "an id that a caller claims is not taken for a consent");
    let ordered = of_route(&lines, "POST", "/domestic-payments");
    assert_eq!((&ordered[0]["order.id"], &ordered[0]["consent.id"]), (&order.clone().into(), &agreed.consent.into()));
    let read = of_route(&lines, "GET", "/domestic-payments/{DomesticPaymentId}");
    assert_eq!(read[0]["order.id"], order.as_str());
    for line in of_route(&lines, "GET", "/.well-known/openid-configuration") {
        assert!(line.get("caller.address").is_none(), "the addresses of customers' browsers are personal: {line}");
    }
    for line in &lines {
        assert!(!line.to_string().contains(&account) && !line.to_string().contains("amelia"), "{line}");
    }
}
