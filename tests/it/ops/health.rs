use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, access};
use crate::tls::raw::read_line;
use lombard_tpp::HttpCall;
use serde_json::Value;
use std::fs;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn a_bank_that_serves_is_alive_and_ready() {
    for bank in Bank::each_engine().await {
        assert_eq!(bank.ops_get("/healthz").await.status, 200);
        assert_eq!(bank.ops_get("/readyz").await.status, 200);
        assert_eq!(bank.ops_get("/health/database").await.status, 200);
        assert_eq!(bank.ops_get("/nothing").await.status, 404);
    }
}

/// What a browser asks for that opens the address of a listener.
#[tokio::test]
async fn the_listeners_answer_a_browser() {
    let bank = Bank::start().await;
    let endpoints = bank.endpoints();
    for (path, shown) in [("/", "Find a consent"), ("/role", "/operations/keys/rotate")] {
        let page = bank.ops_get(path).await;
        assert_eq!((page.status.as_u16(), page.head("content-type")), (200, "text/html; charset=utf-8"));
        assert!(page.text().contains(shown), "{}", page.text());
    }
    let tpp = bank.tpp("acme");
    for listener in [&endpoints.public, &endpoints.ops] {
        let mark = tpp.send(HttpCall::get(format!("{listener}/favicon.ico"))).await.unwrap();
        assert_eq!((mark.status.as_u16(), mark.head("content-type")), (200, "image/svg+xml"), "{listener}");
    }
}

#[tokio::test]
async fn metrics_count_by_route_and_status_and_hold_nothing_personal() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let account = access.account_ids().await.remove(0);
    access.read(&format!("aisp/accounts/{account}/balances")).await;
    access.tpp.get("garbage", &format!("aisp/accounts/{account}/balances")).await.unwrap().unauthorised();
    let answer = bank.ops_get("/metrics").await;
    assert_eq!(answer.status, 200);
    let text = answer.text();
    let route = "/open-banking/v3.1/aisp/accounts/{AccountId}/balances";
    let has = |class: &str| {
        text.lines()
            .any(|line| line.starts_with("lombard_http_requests_total") && line.contains(route) && line.contains(class))
    };
    assert!(has("2xx") && has("4xx"), "{text}");
    for name in ["lombard_http_request_duration_seconds_bucket", "lombard_http_requests_in_flight"] {
        assert!(text.contains(name), "{name}");
    }
    for secret in [access.token(), &access.own, &account, &access.consent, "amelia"] {
        assert!(!text.contains(secret), "{secret} is in the metrics");
    }
}

#[tokio::test]
async fn pages_of_other_origins_and_other_names_are_refused() {
    let bank = Bank::start().await;
    let ops = bank.endpoints().ops;
    for (name, value) in [("host", "evil.example"), ("origin", "https://evil.example"), ("origin", "null")] {
        for path in ["/metrics", "/readyz"] {
            let answer = bank.ops(HttpCall::get(format!("{ops}{path}")).with_header(name, value)).await;
            assert!(answer.status.is_client_error(), "{name}: {value}: {}", answer.status);
        }
        let rotate =
            HttpCall::post(format!("{ops}/operations/keys/rotate")).with_header(name, value).with_json(&Value::Null);
        assert!(bank.ops(rotate).await.status.is_client_error(), "{name}: {value}");
    }
    let form = HttpCall::post(format!("{ops}/operations/keys/rotate"))
        .with_header("content-type", "text/plain")
        .with_body("null");
    assert!(bank.ops(form).await.status.is_client_error(), "a form of a page cannot say JSON");
}

/// What balancers and orchestrators send: any name, none in HTTP/1.0, and the address of a pod.
#[tokio::test]
async fn the_health_listener_answers_any_host_and_serves_nothing_else() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("server.health_port", "0")]).await;
    let endpoints = fs::read_to_string(bank.data_dir().join("endpoints.json")).unwrap();
    let endpoints: Value = serde_json::from_str(&endpoints).unwrap();
    let address = endpoints["health"].as_str().and_then(|url| url.strip_prefix("http://")).unwrap();
    let status = async |request: String| {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        read_line(&mut stream).await.unwrap()
    };
    for path in ["/healthz", "/readyz", "/health/database", "/metrics"] {
        let without_host = status(format!("GET {path} HTTP/1.0\r\n\r\n")).await;
        assert!(without_host.contains(" 200 "), "{path}: {without_host}");
        for name in ["bank.example", "10.0.0.1:9091", "lombard"] {
            let named = status(format!("GET {path} HTTP/1.1\r\nhost: {name}\r\nconnection: close\r\n\r\n")).await;
            assert!(named.contains(" 200 "), "{path} of {name}: {named}");
        }
        let posted = status(format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n")).await;
        assert!(posted.contains(" 405 "), "{path}: {posted}");
    }
    for path in ["/operations/keys", "/operations/tpps", "/sandbox/clock", "/sandbox/psus", "/jwks", "/token"] {
        let other = status(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")).await;
        assert!(other.contains(" 404 "), "{path}: {other}");
    }
    bank.stop().await;
    assert!(TcpStream::connect(address).await.is_err(), "it is closed with the server");
}
