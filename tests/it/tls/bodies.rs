//! Requests whose bodies take long: refused without waiting for them, and counted until they are answered. Source: RW-025,
//! RW-112.

use super::raw::{connect, read_line};
use crate::harness::{Bank, Engine, ExchangeExt};
use lombard_tpp::TlsIdentity;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// A fraction of the time that a body may stand still.
const AT_ONCE: Duration = Duration::from_secs(15);

#[tokio::test]
async fn rw_025_a_refusal_does_not_wait_for_a_body_that_never_comes() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    let own = Some(&tpp.folder.identity);
    let endpoints = bank.endpoints();
    let consents = "/open-banking/v3.1/aisp/account-access-consents";
    let json = "content-type: application/json";
    let form = "content-type: application/x-www-form-urlencoded";
    for (base, identity, path, headers, status) in [
        (&endpoints.mtls, own, consents, json.to_owned(), 401),
        (&endpoints.mtls, own, consents, format!("authorization: Bearer {token}\r\ncontent-type: text/plain"), 415),
        (&endpoints.mtls, own, "/open-banking/v3.1/nothing", json.to_owned(), 404),
        (&endpoints.mtls, own, "/token", json.to_owned(), 400),
        (&endpoints.mtls, None, "/token", form.to_owned(), 401),
        (&endpoints.mtls, None, consents, json.to_owned(), 401),
        (&endpoints.public, None, "/apps/login", form.to_owned(), 303),
        (&endpoints.public, None, "/interaction/none/login", form.to_owned(), 404),
    ] {
        let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n{headers}\r\n\r\n{{");
        let answer = tokio::time::timeout(AT_ONCE, first_line(&bank, base, identity, &head)).await;
        let answer = answer.unwrap_or_else(|_| panic!("{path} waits for the body"));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
    }
}

#[tokio::test]
async fn rw_112_a_client_has_so_many_requests_under_way_and_others_go_on() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("limits.client_requests_max", "1")]).await;
    let tpp = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    let others = rival.client_credentials("accounts").await.unwrap().access_token;
    let consents = "/open-banking/v3.1/aisp/account-access-consents";
    let mut slow = connect(&bank, &bank.endpoints().mtls, Some(&tpp.folder.identity)).await.unwrap();
    let head = format!(
        "POST {consents} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\ncontent-type: application/json\r\n\
         authorization: Bearer {token}\r\nexpect: 100-continue\r\n\r\n"
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(read_line(&mut slow).await.unwrap(), "HTTP/1.1 100 Continue\r\n", "its body is waited for");
    let path = "aisp/account-access-consents/unknown";
    let refused = tpp.get(&token, path).await.unwrap();
    assert_eq!((refused.status.as_u16(), refused.head("retry-after"), refused.text().len()), (429, "1", 0));
    assert_eq!(rival.get(&others, path).await.unwrap().status, 400, "another client is not refused");
    drop(slow);
    while tpp.get(&token, path).await.unwrap().status != 400 {}
}

async fn first_line(bank: &Bank, base: &str, identity: Option<&TlsIdentity>, request: &str) -> String {
    let mut stream = connect(bank, base, identity).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    read_line(&mut stream).await.unwrap()
}
