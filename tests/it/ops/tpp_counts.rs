//! Requests are counted by TPP, for TPPs that have authenticated.

use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, ServerProcess, access};
use lombard_tpp::HttpCall;

fn count(metrics: &str, client: &str, status: &str) -> Option<u64> {
    let series = format!("lombard_tpp_requests_total{{client_id=\"{client}\",status=\"{status}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&series)).map(|count| count.parse().unwrap())
}

#[tokio::test]
async fn requests_are_counted_by_the_tpp_that_has_authenticated() {
    let bank = Bank::unstarted(Engine::Sqlite).await;
    // A process of its own: this one has counted the TPPs of other tests.
    let _server = ServerProcess::start(&bank).await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let client = access.tpp.client_id().to_string();
    let metrics = async || bank.ops_get("/metrics").await.text().into_owned();
    let before = count(&metrics().await, &client, "2xx").unwrap();
    for _ in 0..3 {
        access.read("aisp/accounts").await;
    }
    access.tpp.get(access.token(), "aisp/accounts/none").await.unwrap();
    // A caller without a valid token may name any client.
    let rival = bank.tpp("rival");
    rival.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
    rival.send(HttpCall::get(rival.resource_url("aisp/accounts"))).await.unwrap();
    let after = metrics().await;
    assert_eq!(count(&after, &client, "2xx"), Some(before + 3));
    assert!(count(&after, &client, "4xx").is_some_and(|requests| requests >= 1));
    assert!(!after.contains(rival.client_id().as_str()), "{after}");
    assert!(after.lines().any(|line| line == "lombard_node_ready 1"));
    assert!(after.contains("lombard_build_info{version=\"") && after.contains("process_open_fds "));
}
