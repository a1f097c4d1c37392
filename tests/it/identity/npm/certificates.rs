//! The bank's server authenticates at its provider by a certificate. Source: RFC 8705 sections 2 and 5.

use super::{NpmBank, NpmOptions};
use crate::harness::{Authority, Bank, Engine};
use crate::identity::{Visit, write_secret};
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

/// The name in the certificate that the provider knows.
const NAME: &str = "server.bank.test";

/// An authority with the certificates of the provider and of a client.
struct Certificates {
    folder: TempDir,
    /// As `provider.mjs` takes them.
    provider: Value,
}

impl Certificates {
    /// The client's certificate has this name. It is signed by the authority that the provider trusts, or by another one.
    fn new(name: &str, is_trusted: bool) -> Self {
        let trusted = Authority::new("trusted authority");
        let other = Authority::new("other authority");
        let folder = tempfile::tempdir().unwrap();
        let own = trusted.issue("127.0.0.1", &[]);
        let provider = json!({"ca": trusted.pem(), "certificate": own.pem(), "key": own.key_pem()});
        let client = if is_trusted { &trusted } else { &other }.issue(name, &[]);
        write_secret(&folder.path().join("anchors.pem"), &trusted.pem());
        write_secret(&folder.path().join("certificate.pem"), &client.pem());
        write_secret(&folder.path().join("key.pem"), &client.key_pem());
        Self { folder, provider }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A bank whose server has the certificate, and a provider that asks for one.
    async fn bank(&self, options: NpmOptions) -> Option<NpmBank> {
        let mut configuration = options.configuration();
        configuration["tls"] = self.provider.clone();
        let files = ["anchors.pem", "certificate.pem", "key.pem"].map(|name| self.file(name));
        let [anchors, certificate, key] = files.each_ref().map(|file| file.to_str().unwrap());
        let settings = [
            ("identity.anchors_file", anchors),
            ("identity.certificate_file", certificate),
            ("identity.certificate_key_file", key),
        ];
        let metadata = json!({
            "token_endpoint_auth_method": "tls_client_auth", "tls_client_auth_san_dns": NAME,
            "token_endpoint_auth_signing_alg": null,
        });
        NpmBank::with(Engine::Sqlite, configuration, &settings, metadata).await
    }
}

/// The page at the beginning of a journey of a bank at the provider.
async fn first_page(bank: &Bank) -> (Visit, u16) {
    let mut visit = Visit::new(bank).await;
    let url = visit.request.url(&visit.tpp.folder.signing).unwrap();
    let page = visit.browser.open(&url).await;
    let form = page.form_with("form_token").clone();
    let status = visit.browser.post(&form, &[]).await.status.as_u16();
    (visit, status)
}

#[tokio::test]
async fn a_server_authenticates_at_its_provider_by_a_certificate() {
    for takes_pushed in [true, false] {
        let options = NpmOptions { takes_pushed, knows_details: true };
        let Some(mut at) = Certificates::new(NAME, true).bank(options).await else { return };
        let mut visit = Visit::new(&at.bank).await;
        let location = visit.reach_provider().await;
        let back = at.log_in(&location, "amelia").await;
        let page = visit.browser.open(&back).await;
        assert!(page.exchange.text().contains("Amelia"), "{}", page.exchange.text());
        let agreed = visit.browser.agree(&page).await;
        visit.told(&agreed).expect_code(&visit.request.state).unwrap();
    }
}

#[tokio::test]
async fn a_certificate_that_the_provider_does_not_know_is_no_authentication() {
    for (name, is_trusted) in [("other.bank.test", true), (NAME, false)] {
        let options = NpmOptions { takes_pushed: true, knows_details: true };
        let Some(mut at) = Certificates::new(name, is_trusted).bank(options).await else { return };
        let (visit, status) = first_page(&at.bank).await;
        assert_eq!(status, 503, "{name}");
        assert_eq!(visit.status().await, "AwaitingAuthorisation");
        let failures = at.provider.command("failures", Value::Null).await;
        let reason = if is_trusted { "does not match the registered one" } else { "was not verified" };
        let detail = failures[0]["detail"].as_str().unwrap_or_default();
        assert!(detail.ends_with(reason), "{name}, {is_trusted}: {failures}");
    }
}
