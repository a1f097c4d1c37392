//! The login of developers: by a one-time link, and by the application's certificate.

use super::{Developer, link};
use crate::harness::{Bank, Browser, Engine, ExchangeExt};
use lombard_tpp::{HttpCall, Protocol};
use serde_json::{Value, json};

#[tokio::test]
async fn a_link_logs_in_once_and_only_by_its_button() {
    let bank = Bank::start().await;
    let url = link(&bank, "robot").await;
    let anybody = bank.tpp("robot").with_certificate(None, Protocol::Any).unwrap();
    for _ in 0..2 {
        let preview = anybody.send(HttpCall::get(&url)).await.unwrap();
        preview.decent();
        assert_eq!(preview.status, 200, "whatever previews links spends none");
    }
    let mut browser = Browser::new(&bank.tpp("robot"));
    let page = browser.open(&url).await;
    let form = page.form_with("link").clone();
    let opened = browser.post(&form, &[]).await;
    assert_eq!((opened.status.as_u16(), opened.head("location")), (303, "/portal/overview"));
    let cookie = opened.head("set-cookie");
    for part in ["__Host-portal=", "Path=/;", "Secure", "HttpOnly", "SameSite=Lax"] {
        assert!(cookie.contains(part), "{part}: {cookie}");
    }
    let session = browser.cookie("__Host-portal").unwrap();
    assert!(!url.contains(&session));
    let mut other = Browser::new(&bank.tpp("robot"));
    let spent = other.open(&url).await;
    assert_eq!(spent.exchange.status, 410);
    assert!(spent.exchange.text().contains("This link cannot be used"));
    let without_cookie = Browser::new(&bank.tpp("robot")).post(&form, &[]).await;
    assert_eq!(without_cookie.status, 410, "a form without the browser's cookie opens nothing");

    let mut stranger = Browser::new(&bank.tpp("robot"));
    let asked = stranger.open(&format!("{}/portal/requests", bank.endpoints().public)).await;
    assert_eq!((asked.exchange.url.path(), asked.exchange.status.as_u16()), ("/portal/login", 200));
}

#[tokio::test]
async fn a_session_is_valid_on_all_nodes_and_ends_with_logout_and_its_client() {
    for engine in Engine::at_hand() {
        let nodes = Bank::start_nodes(engine).await;
        let first = &nodes[0];
        let last = nodes.last().unwrap();
        let mut developer = Developer::of(first, "rival").await;
        developer.public = last.endpoints().public;
        assert!(developer.read("/portal/overview").await.contains("tls_client_auth"));
        let (status, page) = developer.send("/portal/overview", "/portal/logout", &[]).await;
        assert_eq!(status, 200);
        assert!(page.contains("Log in to the portal"), "{page}");

        let mut developer = Developer::of(first, "rival").await;
        let unused = link(first, "rival").await;
        let changed = first.ops_post("/operations/tpps/rival/disable", &json!({})).await;
        assert_eq!(changed.0, 200, "{}", changed.1);
        developer.public = last.endpoints().public;
        let (_, page) = developer.open("/portal/overview").await;
        assert_eq!(page.exchange.url.path(), "/portal/login");
        assert_eq!(Browser::new(&first.tpp("robot")).open(&unused).await.exchange.status, 410);
        let refused = first.ops_post("/operations/tpps/rival/login", &Value::Null).await;
        assert_eq!(refused.0, 400, "{}", refused.1);
        assert_eq!(first.ops_post("/operations/tpps/nobody/login", &Value::Null).await.0, 400);
    }
}

#[tokio::test]
async fn as_022_as_029_the_certificate_of_an_application_logs_in_to_it_alone() {
    let bank = Bank::start().await;
    let address = format!("{}/portal/login", bank.endpoints().mtls);
    for name in ["acme", "rival"] {
        let tpp = bank.tpp(name);
        let answer = tpp.send(HttpCall::get(&address)).await.unwrap();
        assert_eq!(answer.status, 302, "{}", answer.text());
        let mut browser = Browser::new(&tpp);
        let page = browser.open(answer.head("location")).await;
        let page = browser.submit(page.form_with("link"), &[]).await;
        assert!(page.exchange.text().contains(tpp.client_id().as_str()), "{name}");
        let other = bank.tpp("robot").client_id().clone();
        let foreign = tpp.send(HttpCall::get(format!("{address}?client_id={other}"))).await.unwrap();
        assert_eq!(foreign.status, 403, "another application's client id does not help");
    }
    let naked = bank.tpp("acme").with_certificate(None, Protocol::Any).unwrap();
    assert_eq!(naked.send(HttpCall::get(&address)).await.unwrap().status, 401);
    let log = bank.ops_get("/sandbox/requests?limit=100").await.text().into_owned();
    assert!(log.contains("/portal/login") && !log.contains("link=A") && log.contains("link=[masked]"), "{log}");
}
