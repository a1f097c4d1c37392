//! Certificates and trust anchors are replaced while the server runs. Source: TLS-005, TLS-008.

use super::raw::{connect, read_answer};
use crate::harness::{Authority, Bank, Engine, ExchangeExt, until};
use lombard_tpp::TlsIdentity;
use rcgen::ExtendedKeyUsagePurpose;
use serde_json::json;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

const CALLERS: usize = 4;
/// Each caller calls this often: 500 calls a second by all of them.
const CALL_EVERY: Duration = Duration::from_millis(8);
/// Calls on one connection before the next one is opened.
const CALLS_OF_A_CONNECTION: u32 = 50;
/// Within what a file that was replaced is in force.
const IN_FORCE: Duration = Duration::from_secs(5);

/// A bank on SQLite that trusts the anchors of this file too.
async fn bank_with_anchors(anchors: &[&Authority]) -> (Bank, PathBuf) {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let file = bank.data_dir().join("anchors.pem");
    write_anchors(&file, anchors);
    bank.restart_with(&[("tls.tpp_anchors_file", file.to_str().unwrap())]).await;
    (bank, file)
}

/// Written by rename, as careful tools do.
fn write_anchors(file: &PathBuf, anchors: &[&Authority]) {
    let next = file.with_extension("next");
    fs::write(&next, anchors.iter().map(|anchor| anchor.pem()).collect::<String>()).unwrap();
    fs::rename(next, file).unwrap();
}

fn client_of(authority: &Authority) -> TlsIdentity {
    let issued = authority.issue("tpp", &[ExtendedKeyUsagePurpose::ClientAuth]);
    TlsIdentity { chain: vec![issued.der()], key: Arc::new(issued.key_der()) }
}

/// The server's certificate, as a new connection is shown it.
async fn shown_certificate(bank: &Bank) -> Vec<u8> {
    let stream = connect(bank, &bank.endpoints().mtls, None).await.unwrap();
    stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
}

/// The first line of the answer to a call without a token, on a new connection.
async fn answer_to(bank: &Bank, identity: &TlsIdentity) -> io::Result<String> {
    let mut stream = connect(bank, &bank.endpoints().mtls, Some(identity)).await?;
    stream.write_all(b"GET /open-banking/v3.1/aisp/accounts HTTP/1.1\r\nhost: localhost\r\n\r\n").await?;
    read_answer(&mut stream).await
}

/// What a caller asks for: an answer that is signed, or one that is not.
#[derive(Debug, Clone)]
struct Asked {
    path: &'static str,
    token: String,
    is_signed: bool,
}

/// Calls again and again, on kept connections and on new ones; gives what failed.
async fn keep_calling(bank: Arc<Bank>, asked: Asked, calls: Arc<AtomicUsize>, over: Arc<AtomicBool>) -> Vec<String> {
    let identity = bank.tpp("robot").folder.identity.clone();
    let Asked { path, token, is_signed } = asked;
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n");
    let mut due = interval(CALL_EVERY);
    due.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failed = Vec::new();
    while !over.load(Ordering::SeqCst) {
        let called = async {
            let mut stream = connect(&bank, &bank.endpoints().mtls, Some(&identity)).await?;
            for _ in 0..CALLS_OF_A_CONNECTION {
                due.tick().await;
                stream.write_all(request.as_bytes()).await?;
                let head = read_answer(&mut stream).await?;
                let signature = head.lines().any(|line| line.starts_with("x-jws-signature: "));
                if !head.starts_with("HTTP/1.1 400") || signature != is_signed {
                    return Err(io::Error::other(head));
                }
                calls.fetch_add(1, Ordering::SeqCst);
            }
            Ok::<_, io::Error>(())
        };
        failed.extend(called.await.err().map(|error| error.to_string()));
    }
    failed
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_008_certificates_anchors_and_key_are_replaced_without_failed_calls() {
    let [first, second] = ["first directory", "second directory"].map(Authority::new);
    let (bank, anchors) = bank_with_anchors(&[&first]).await;
    let bank = Arc::new(bank);
    let tpp = bank.tpp("robot");
    let [accounts, payments] = ["accounts", "payments"].map(|scope| tpp.client_credentials(scope));
    let accounts = accounts.await.unwrap().access_token;
    let payments = payments.await.unwrap().access_token;
    let asked = [
        Asked { path: "/open-banking/v3.1/aisp/account-access-consents/none", token: accounts, is_signed: false },
        Asked { path: "/open-banking/v3.1/pisp/domestic-payment-consents/none", token: payments, is_signed: true },
    ];
    let calls = Arc::<AtomicUsize>::default();
    let over = Arc::<AtomicBool>::default();
    let mut callers = JoinSet::new();
    for asked in asked.iter().cycle().take(CALLERS) {
        callers.spawn(keep_calling(Arc::clone(&bank), asked.clone(), Arc::clone(&calls), Arc::clone(&over)));
    }
    let more_calls = async || {
        let enough = calls.load(Ordering::SeqCst) + 200;
        until(async || (calls.load(Ordering::SeqCst) >= enough).then_some(())).await;
    };
    more_calls().await;

    let before = shown_certificate(&bank).await;
    let replaced = Instant::now();
    for name in ["private/server-rsa.pem", "private/server-p256.pem"] {
        // The sandbox's authority issues another one for a file that is gone.
        fs::remove_file(bank.data_dir().join(name)).unwrap();
    }
    until(async || (shown_certificate(&bank).await != before).then_some(())).await;
    assert!(replaced.elapsed() < IN_FORCE, "{:?}", replaced.elapsed());
    more_calls().await;

    let old_client = client_of(&first);
    let new_client = client_of(&second);
    assert!(answer_to(&bank, &old_client).await.unwrap().starts_with("HTTP/1.1 401"), "its route refuses, not TLS");
    assert!(answer_to(&bank, &new_client).await.is_err());
    let replaced = Instant::now();
    write_anchors(&anchors, &[&second]);
    until(async || answer_to(&bank, &new_client).await.ok()).await;
    assert!(replaced.elapsed() < IN_FORCE, "{:?}", replaced.elapsed());
    assert!(answer_to(&bank, &old_client).await.is_err());
    more_calls().await;

    // Another key is announced, and signs instead of the one that is taken back.
    let signing = async || bank.ops_get("/operations/keys").await.ok(200)["keys"].as_array().unwrap()[0]["kid"].clone();
    let old = signing().await;
    let (_, rotated) = bank.ops_post("/operations/keys/rotate", &json!(null)).await;
    more_calls().await;
    let path = format!("/operations/keys/{}/withdraw", old.as_str().unwrap());
    let (status, withdrawn) = bank.ops_post(&path, &json!(null)).await;
    assert_eq!((status, &withdrawn["signs_now"]), (200, &rotated["kid"]), "{withdrawn}");
    more_calls().await;
    assert_eq!(signing().await, rotated["kid"]);
    over.store(true, Ordering::SeqCst);
    let failed: Vec<_> = callers.join_all().await.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{} calls failed: {:?}", failed.len(), failed.first());
}

#[tokio::test]
async fn tls_005_unusable_files_leave_the_former_ones_active_and_are_reported() {
    let [first, second] = ["first directory", "second directory"].map(Authority::new);
    let (bank, anchors) = bank_with_anchors(&[&first]).await;
    let client = client_of(&first);
    let reload = async || bank.ops_post("/operations/tls/reload", &json!(null)).await;
    let (status, unchanged) = reload().await;
    assert_eq!((status, &unchanged["changed"]), (200, &json!(false)));
    assert_eq!((unchanged["certificates"].as_array().unwrap().len(), &unchanged["tpp_anchors"]), (2, &json!(2)));

    for useless in ["", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "secret"] {
        fs::write(&anchors, useless).unwrap();
        let (status, said) = reload().await;
        let said = said["error"].as_str().unwrap().to_owned();
        assert_eq!(status, 400, "{said}");
        assert!(said.contains("tls.tpp_anchors_file") && !said.contains("secret"), "{said}");
        assert!(answer_to(&bank, &client).await.unwrap().starts_with("HTTP/1.1 401"));
    }
    fs::remove_file(&anchors).unwrap();
    assert_eq!(reload().await.0, 400);
    assert!(answer_to(&bank, &client).await.is_ok());

    write_anchors(&anchors, &[&second]);
    let (status, changed) = reload().await;
    assert_eq!((status, &changed["tpp_anchors"]), (200, &json!(2)), "{changed}");
    assert!(answer_to(&bank, &client).await.is_err() && answer_to(&bank, &client_of(&second)).await.is_ok());
}
