use super::waiting;
use crate::harness::{Bank, ExchangeExt};
use lombard_tpp::Call;
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
            Call::get(format!("{ops}/sandbox/clock")),
            Call::get(format!("{ops}/sandbox/psus")),
            Call::get(format!("{ops}/sandbox/seed")),
            Call::post(format!("{ops}/sandbox/seed")).json(&json!({"Version": 1})),
            Call::post(format!("{ops}/sandbox/clock")).json(&json!({"advance_secs": 86_400})),
            Call::post(format!("{ops}/sandbox/consents/{consent}/authorise")).json(&decision),
            Call::post(format!("{ops}/sandbox/consents/{consent}/revoke")),
        ] {
            let answer = bank.ops(call.header(header, value)).await;
            assert_eq!(answer.status, status, "{header}: {value} at {}", answer.url);
            answer.decent();
        }
    }
    let form = Call::post(format!("{ops}/sandbox/clock")).form([("advance_secs", "1")]);
    assert_eq!(bank.ops(form).await.status, 415, "a form of a page cannot say JSON");
    let path = format!("aisp/account-access-consents/{consent}");
    assert_eq!(tpp.get(&own, &path).await.unwrap().ok(200)["Data"]["Status"], "AwaitingAuthorisation");
    let now: jiff::Timestamp = bank.ops_get("/sandbox/clock").await.text_at("/now").unwrap().parse().unwrap();
    assert_eq!(now, bank.now());
}
