//! Customers log in at the bank's own OpenID provider. Source: AS-141, AS-142.

mod app_to_app;
mod contract;
mod journeys;
mod npm;
mod pages;
mod production;
pub(crate) mod provider;
mod refusals;

use crate::authorise::interactive::Visit;
use crate::harness::{Bank, Browser, Engine, Page};
use lombard_ports::clock::Clock;
use lombard_tpp::{AuthorisationResponse, HttpExchange};
use provider::{ACR, CLIENT, CLIENT_KEY, Provider};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A bank whose customers log in at a provider.
struct ProviderBank {
    bank: Bank,
    provider: Provider,
}

impl ProviderBank {
    async fn start() -> Self {
        Self::start_on(Engine::Sqlite).await
    }

    async fn start_on(engine: Engine) -> Self {
        Self::start_with(engine, &[]).await
    }

    /// With further settings.
    async fn start_with(engine: Engine, further: &[(&str, &str)]) -> Self {
        let mut bank = Bank::unstarted(engine).await;
        let provider = Provider::start(bank.clock.now().as_second()).await;
        let key = write_client_key(&bank);
        let mut settings = settings(&provider.issuer, key.to_str().unwrap());
        settings.extend(further);
        bank.restart_with(&settings).await;
        Self { bank, provider }
    }
}

/// The file with the key that a bank's server signs its requests with.
fn write_client_key(bank: &Bank) -> PathBuf {
    let key = bank.data_dir().join("identity.key");
    write_secret(&key, &CLIENT_KEY.pkcs8_pem().unwrap());
    key
}

/// Writes a file that only its owner may read.
fn write_secret(file: &Path, text: &str) {
    let mut options = std::fs::OpenOptions::new();
    let opened = options.write(true).create(true).truncate(true).mode(0o600).open(file).unwrap();
    std::io::Write::write_all(&mut &opened, text.as_bytes()).unwrap();
}

/// The settings of a bank whose customers log in at this issuer.
fn settings<'a>(issuer: &'a str, key_file: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("identity.kind", "oidc"),
        ("identity.issuer", issuer),
        ("identity.client_id", CLIENT),
        ("identity.key_file", key_file),
        ("identity.acr_values", ACR),
        ("identity.customer_claim", "customer"),
    ]
}

/// Customers of a TPP on the way to the provider.
impl Visit {
    /// Opens the journey and goes on to the provider: the address there.
    async fn reach_provider(&mut self) -> String {
        let url = self.request.url(&self.tpp.folder.signing).unwrap();
        let page = self.browser.open(&url).await;
        on_to_provider(&mut self.browser, &page).await
    }

    /// What the TPP is told.
    fn told(&self, exchange: &HttpExchange) -> AuthorisationResponse {
        AuthorisationResponse::parse_redirect(exchange, self.tpp.redirect_uri().unwrap()).unwrap()
    }
}

/// Presses the button that leads to the provider: the address there.
pub(crate) async fn on_to_provider(browser: &mut Browser, page: &Page) -> String {
    assert!(page.forms.iter().all(|form| form.values("password").is_empty()), "the bank's pages ask for no password");
    let form = page.forms.iter().find(|form| form.action.path().ends_with("/login"));
    let form = form.unwrap_or_else(|| panic!("no way to the provider: {}", page.exchange.text()));
    let sent = browser.post(form, &[]).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    sent.header("location").unwrap().to_owned()
}
