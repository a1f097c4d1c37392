//! The documentation page about confirmation of funds: its examples can be sent unchanged.

use crate::harness::funds::{CONSENTS, QUESTIONS};
use crate::harness::{Bank, ExchangeExt, FundsTpp, ValueExt};
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../../docs/tpps/funds.md");

/// The bodies of the page's requests, in their order.
fn bodies() -> Vec<Value> {
    let blocks = PAGE.split("```\n").skip(1).step_by(2);
    blocks.map(|block| serde_json::from_str(&block[block.find('{').unwrap()..]).unwrap()).collect()
}

#[tokio::test]
async fn the_requests_of_the_page_are_answered_by_the_sandbox() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let [consent, mut question] = <[Value; 2]>::try_from(bodies()).unwrap();
    let named = &consent["Data"]["DebtorAccount"]["Identification"];
    let shown = bank.ops_get("/sandbox/psus").await.ok(200);
    let amelia = shown.list("/psus").into_iter().find(|customer| customer.text("login") == "amelia").unwrap();
    assert!(amelia.to_string().contains(&named.to_string()), "{named} is no account of amelia: {amelia}");

    let id = asking.post(&asking.own, CONSENTS, &consent).await.ok(201)["Data"].text("ConsentId").to_owned();
    let token = asking.tokens(&id).await.access_token;
    question["Data"]["ConsentId"] = json!(id);
    let answer = asking.post(&token, QUESTIONS, &question).await.ok(201);
    assert!(answer["Data"]["FundsAvailable"].is_boolean(), "{answer}");
}
