//! The application as it is registered, and what a sandbox lets its developers change.

use super::Developer;
use crate::harness::{Bank, ExchangeExt, ValueExt};

#[tokio::test]
async fn an_application_is_shown_changed_and_made_in_a_sandbox() {
    let bank = Bank::start().await;
    let mut developer = Developer::of(&bank, "acme").await;
    let tpp = bank.tpp("acme");
    let page = developer.read("/portal/application").await;
    for said in [tpp.client_id().as_str(), "private_key_jwt", "transport.pem", "signing.pem", "RSA PS256", "tpps/acme"]
    {
        assert!(page.contains(said), "{said}: {page}");
    }

    let path = "/portal/application";
    let uris = "https://acme.example/a\r\n\r\n https://acme.example/b ";
    let (status, text) = developer.send(path, "/portal/application/redirect-uris", &[("redirect_uris", uris)]).await;
    assert!(status == 200 && text.contains("The redirect URIs are changed."), "{text}");
    let shown = bank.ops_get("/operations/tpps/acme").await.ok(200);
    assert_eq!(shown.list("/redirect_uris"), ["https://acme.example/a", "https://acme.example/b"]);
    let bad = [("redirect_uris", "ftp://acme.example/")];
    let (status, text) = developer.send(path, "/portal/application/redirect-uris", &bad).await;
    assert!(status == 422 && text.contains("redirect URI number 1"), "{text}");
    let (_, text) = developer.send(path, "/portal/application/roles", &[("role", "AISP")]).await;
    assert!(text.contains("The roles are changed."), "{text}");
    assert_eq!(bank.ops_get("/operations/tpps/acme").await.ok(200).list("/roles"), ["AISP"]);
    let others = bank.ops_get("/operations/tpps/rival").await.ok(200);
    assert_eq!(others.list("/roles").len(), 3, "another application stays as it is");

    let (status, text) = developer.send(path, "/portal/application/create", &[("name", "../up")]).await;
    assert_eq!(status, 422, "{text}");
    let (status, text) = developer.send(path, "/portal/application/create", &[("name", "second-app")]).await;
    assert!(status == 200 && text.contains("second-app"), "{text}");
    bank.tpp("second-app").client_credentials("accounts").await.unwrap();
}
