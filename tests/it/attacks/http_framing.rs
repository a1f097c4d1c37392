//! Requests of HTTP/1.1 that two readers could take for different ones, at both listeners of TPPs. Source: RFC 9112, RFC 9110 section 6.5.

use crate::harness::Bank;
use crate::tls::raw::{connect, read_line};
use tokio::io::AsyncWriteExt;

const DISCOVERY: &str = "/.well-known/openid-configuration";
const CONSENTS: &str = "/open-banking/v3.1/aisp/account-access-consents";

#[tokio::test]
async fn rfc_9112_a_request_names_one_host_and_its_lines_end_with_cr_and_lf() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    let authorised = format!("Authorization: Bearer {token}\r\n");
    let endpoints = bank.endpoints();
    let listeners = [
        (&endpoints.public, None, DISCOVERY, "", 200),
        (&endpoints.mtls, Some(&tpp.folder.identity), "/open-banking/v3.1/aisp/none", authorised.as_str(), 404),
    ];
    for (base, identity, path, headers, usual) in listeners {
        for (lines, expected) in [
            ("Host: localhost\r\n", usual),
            ("Host: [::1]:8443\r\n", usual),
            ("", 400),
            ("Host:\r\n", 400),
            ("Host: a b\r\n", 400),
            ("Host: x@y\r\n", 400),
            ("Host: localhost\r\nHost: localhost\r\n", 400),
            ("Host: localhost\nX-A: b\r\n", 400),
            ("Host: localhost\r\nX-A: b\n", 400),
        ] {
            let request = format!("GET {path} HTTP/1.1\r\n{lines}{headers}\r\n");
            let mut stream = connect(&bank, base, identity).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
            let answer = read_line(&mut stream).await.unwrap();
            assert!(answer.starts_with(&format!("HTTP/1.1 {expected}")), "{base} {lines:?}: {answer}");
        }
    }
}

#[tokio::test]
async fn rfc_9110_6_5_a_trailer_behind_a_body_is_ignored() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    let body = r#"{"Data":{"Permissions":["ReadAccountsBasic"]},"Risk":{}}"#;
    let request = format!(
        "POST {CONSENTS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nTrailer: x-checksum\r\n\r\n{:x}\r\n{body}\r\n0\r\nx-checksum: 1\r\n\r\n",
        body.len()
    );
    let mut stream = connect(&bank, &bank.endpoints().mtls, Some(&tpp.folder.identity)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(read_line(&mut stream).await.unwrap(), "HTTP/1.1 201 Created\r\n");
}

#[tokio::test]
async fn a_sandbox_is_reached_by_both_addresses_of_localhost() {
    let bank = Bank::start().await;
    let endpoints = bank.endpoints();
    for base in [&endpoints.public, &endpoints.mtls, &endpoints.ops] {
        let port: u16 = base.rsplit(':').next().unwrap().parse().unwrap();
        tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        if let Err(error) = tokio::net::TcpStream::connect(("::1", port)).await {
            assert_ne!(error.kind(), std::io::ErrorKind::ConnectionRefused, "{base}: this machine has IPv6");
        }
    }
}
