//! A server in production: a core in another process, and the bank's provider.

use super::provider::Provider;
use super::{Visit, settings, write_client_key, write_secret};
use crate::harness::{Authority, Bank, Engine, TestCore};
use crate::payments::books::count;
use crate::workers::rows::change;
use http::Method;
use lombard_ports::clock::Clock;
use lombard_tpp::{HttpCall, IssuedTokens};
use serde_json::json;
use std::net::TcpListener;

/// Ports that nobody uses. A server in production is told its addresses, so they must be known before it listens.
fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind(("127.0.0.1", 0)).unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

/// A server in production on this engine, and its provider. Its data are those of a sandbox, as if production had made them.
async fn start(engine: Engine) -> (Bank, Provider) {
    let mut bank = Bank::unstarted_with(engine, TestCore::Process).await;
    let marked = "UPDATE settings SET value = 'production' WHERE name = 'installation_mode'";
    assert_eq!(change(&bank, marked).await, 1);
    change(&bank, "UPDATE clients SET headless_psu_id = NULL").await;

    let authority = Authority::new("authority of a test");
    let file = |name: &str| bank.data_dir().join(name).display().to_string();
    let provider = Provider::start_with_tls(bank.clock.now().as_second(), &authority.issue("localhost", &[])).await;
    write_secret(file("provider-ca.pem").as_ref(), &authority.pem());
    write_secret(file("staff-ca.pem").as_ref(), &Authority::new("staff").pem());
    let key = write_client_key(&bank);
    let [public, mtls] = free_ports();
    let own = [
        ("mode", "production".to_owned()),
        ("server.public_url", format!("https://localhost:{public}")),
        ("server.public_port", public.to_string()),
        ("server.mtls_url", format!("https://localhost:{mtls}")),
        ("server.mtls_port", mtls.to_string()),
        ("tls.rsa_certificate_file", file("private/server-rsa.pem")),
        ("tls.rsa_key_file", file("private/server-rsa.key")),
        ("tls.tpp_anchors_file", file("tpp-ca.pem")),
        ("tls.revocation", "off".to_owned()),
        ("ops.staff", "mtls".to_owned()),
        ("ops.staff_ca_file", file("staff-ca.pem")),
        ("signing.key_encryption_key_file", file("private/key-encryption.key")),
        ("signing.organisation_id", "0015800001041RHAAY".to_owned()),
        ("payments.products", "domestic-payment".to_owned()),
        ("identity.anchors_file", file("provider-ca.pem")),
    ];
    let on_sqlite =
        [("database.url", format!("sqlite://{}", file("lombard.db"))), ("database.allow_sqlite", "true".into())];
    let mut all = settings(&provider.issuer, key.to_str().unwrap());
    all.extend(own.iter().map(|(name, value)| (*name, value.as_str())));
    if engine == Engine::Sqlite {
        all.extend(on_sqlite.iter().map(|(name, value)| (*name, value.as_str())));
    }
    bank.run_core().await;
    bank.restart_server_with(&all).await;
    (bank, provider)
}

#[tokio::test]
async fn a_server_in_production_serves_a_journey_with_a_core_and_a_provider() {
    for engine in Engine::at_hand() {
        let (bank, provider) = start(engine).await;
        let mut visit = Visit::new(&bank).await;
        let location = visit.reach_provider().await;
        let page = visit.browser.open(&provider.log_in(&location, "amelia").url()).await;
        let agreed = visit.browser.agree(&page).await;
        let told = visit.told(&agreed);
        let (code, _) = told.expect_code(&visit.request.state).unwrap();
        let tokens = IssuedTokens::from_exchange(visit.tpp.exchange_code(code).await.unwrap()).unwrap();
        let accounts = visit.tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap();
        assert_eq!(accounts.status, 200, "{}", accounts.text());
        assert!(accounts.text().contains("AccountId"), "{}", accounts.text());
        assert_eq!(bank.ops_get("/sandbox/psus").await.status, 404, "there are no controls");
        // Faults cannot be planted, and a request cannot ask for one.
        for method in [Method::GET, Method::PUT, Method::DELETE] {
            let call = HttpCall::new(method, format!("{}/sandbox/faults", bank.endpoints().ops));
            assert_eq!(bank.ops(call.with_json(&json!([{"status": 503}]))).await.status, 404);
        }
        let asking = HttpCall::get(visit.tpp.resource_url("aisp/accounts")).with_bearer(&tokens.access_token);
        for fault in ["status=503", "cut=before", "nonsense"] {
            let asking = asking.clone().with_header("accept", "application/json").with_header("x-lombard-fault", fault);
            assert_eq!(visit.tpp.send(asking).await.unwrap().status, 200, "{fault}");
        }
        let own = match engine {
            Engine::Sqlite => "SELECT count(*) FROM sqlite_master WHERE name = 'ledger_accounts'",
            Engine::Postgres => "SELECT count(*) FROM information_schema.tables WHERE table_name = 'ledger_accounts'",
        };
        assert_eq!(count(&bank, own).await, 0, "no table of the built-in bank");
    }
}
