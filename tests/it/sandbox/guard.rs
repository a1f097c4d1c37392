use super::waiting;
use crate::harness::{Bank, ExchangeExt};
use lombard_tpp::HttpCall;
use serde_json::json;

#[tokio::test]
async fn pages_of_other_origins_and_other_names_control_nothing() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let (own, consent) = waiting(&tpp).await;
    let ops = bank.endpoints().ops;
    let decision = json!({"psu": "amelia", "decision": "approve"});
    for (header, value, status) in [
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("origin", "http://localhost:3000", 403),
        ("host", "evil.example", 421),
    ] {
        for call in [
            HttpCall::get(format!("{ops}/sandbox/clock")),
            HttpCall::get(format!("{ops}/sandbox/psus")),
            HttpCall::get(format!("{ops}/sandbox/seed")),
            HttpCall::post(format!("{ops}/sandbox/seed")).with_json(&json!({"Version": 1})),
            HttpCall::post(format!("{ops}/sandbox/clock")).with_json(&json!({"advance_secs": 86_400})),
            HttpCall::post(format!("{ops}/sandbox/consents/{consent}/authorise")).with_json(&decision),
            HttpCall::post(format!("{ops}/sandbox/consents/{consent}/revoke")),
        ] {
            let answer = bank.ops(call.with_header(header, value)).await;
            assert_eq!(answer.status, status, "{header}: {value} at {}", answer.url);
            answer.decent();
        }
    }
    let form = HttpCall::post(format!("{ops}/sandbox/clock")).with_form([("advance_secs", "1")]);
    assert_eq!(bank.ops(form).await.status, 415, "a form of a page cannot say JSON");
    let path = format!("aisp/account-access-consents/{consent}");
    assert_eq!(tpp.get(&own, &path).await.unwrap().ok(200)["Data"]["Status"], "AwaitingAuthorisation");
    let now: jiff::Timestamp = bank.ops_get("/sandbox/clock").await.text_at("/now").unwrap().parse().unwrap();
    assert_eq!(now, bank.now());
}
