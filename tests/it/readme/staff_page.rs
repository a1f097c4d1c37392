//! The documentation page about staff: its requests, its configurations, and the certificates that it makes.

use super::{blocks, run_script};
use crate::harness::{Bank, Engine};
use lombard_tpp::{HttpCall, TlsIdentity};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::Arc;

const PAGE: &str = include_str!("../../../docs/operating/staff.md");

#[tokio::test]
async fn the_request_of_the_page_is_answered_in_a_sandbox() {
    let bank = Bank::start().await;
    let scripts = blocks(PAGE, "sh");
    let script = scripts.iter().find(|block| block.contains("curl ")).unwrap();
    let script = script.replace("http://127.0.0.1:9090", &bank.endpoints().ops);
    let out = run_script(&script.replace("data/", &format!("{}/", bank.data_dir().display()))).await;
    assert!(out.contains("\"keys\""), "{out}");
}

#[test]
fn the_configurations_of_the_page_can_be_read() {
    let found = blocks(PAGE, "toml");
    assert_eq!(found.len(), 2);
    for text in found {
        lombard::config::Config::from_parts(&text, &[]).unwrap_or_else(|error| panic!("{error}: {text}"));
    }
}

#[tokio::test]
async fn the_certificates_of_the_page_identify_a_member_of_staff() {
    let folder = tempfile::tempdir().unwrap();
    let scripts = blocks(PAGE, "sh");
    let script = scripts.iter().find(|block| block.contains("openssl ")).unwrap();
    run_script(&format!("cd {}\n{script}", folder.path().display())).await;
    let file = |name: &str| folder.path().join(name);
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("ops.staff", "mtls"), ("ops.staff_ca_file", file("staff-ca.pem").to_str().unwrap())]).await;
    bank.clock.advance_to_present();
    let chain = vec![CertificateDer::from_pem_file(file("ada.pem")).unwrap()];
    let identity = TlsIdentity { chain, key: Arc::new(PrivateKeyDer::from_pem_file(file("ada.key")).unwrap()) };
    let page = HttpCall::get(format!("{}/role", bank.endpoints().ops));
    let page = bank.ops_as(Some(&identity), page).await.unwrap();
    assert!(page.text().contains("Ada Lovelace") && page.text().contains("security"), "{}", page.text());
}
