//! Signing keys in a security module: SoftHSM2, whose settings are in the environment of the server's process.

use crate::harness::{Bank, Engine, ExchangeExt, ServerProcess, until};
use crate::tls::program;
use crate::tour::pass_every_check_at;
use lombard_jose::SigningKey;
use lombard_ports::clock::Clocks;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::Command;

const PIN: &str = "1234";

/// A token of one test, and the settings of a server that uses it.
struct Token {
    folder: TempDir,
    util: PathBuf,
    library: PathBuf,
}

impl Token {
    /// A token without keys; `None` if SoftHSM2 is not on this machine, which is said loudly.
    async fn new() -> Option<Self> {
        let util = program("LOMBARD_TEST_SOFTHSM", "softhsm2-util")?;
        let folders = ["/usr/lib/softhsm", "/usr/lib64/softhsm", "/usr/local/lib/softhsm", "/opt/homebrew/lib/softhsm"];
        let library = folders.iter().map(|folder| Path::new(folder).join("libsofthsm2.so")).find(|file| file.is_file());
        let token = Self { folder: tempfile::tempdir().unwrap(), util, library: library.expect("SoftHSM2's library") };
        fs::create_dir(token.tokens()).unwrap();
        let conf = format!("directories.tokendir = {}\nobjectstore.backend = file\n", token.tokens().display());
        fs::write(token.conf(), conf).unwrap();
        fs::write(token.pin_file(), PIN).unwrap();
        fs::set_permissions(token.pin_file(), fs::Permissions::from_mode(0o600)).unwrap();
        token.run(&["--init-token", "--free", "--label", "bank", "--so-pin", PIN, "--pin", PIN]).await;
        Some(token)
    }

    fn tokens(&self) -> PathBuf {
        self.folder.path().join("tokens")
    }

    fn conf(&self) -> PathBuf {
        self.folder.path().join("softhsm2.conf")
    }

    fn pin_file(&self) -> PathBuf {
        self.folder.path().join("pin")
    }

    async fn run(&self, arguments: &[&str]) {
        let mut util = Command::new(&self.util);
        util.args(arguments).env("SOFTHSM2_CONF", self.conf()).stdin(Stdio::null());
        let run = util.output().await.unwrap();
        assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    }

    /// Brings a key into the token, as a bank does that has made it elsewhere.
    async fn bring(&self, key: &SigningKey, label: &str, id: &str) {
        let file = self.folder.path().join("key.pem");
        fs::write(&file, key.pkcs8_pem().unwrap().as_bytes()).unwrap();
        let file = file.to_str().unwrap();
        self.run(&["--import", file, "--token", "bank", "--label", label, "--id", id, "--pin", PIN]).await;
    }

    async fn serve(&self, bank: &Bank, further: &[(&str, &str)]) -> ServerProcess {
        let library = self.library.clone();
        let pin = self.pin_file();
        let conf = self.conf();
        let mut settings = vec![
            ("signing.pkcs11_module_file", library.to_str().unwrap()),
            ("signing.pkcs11_token_label", "bank"),
            ("signing.pkcs11_pin_file", pin.to_str().unwrap()),
        ];
        settings.extend(further);
        ServerProcess::start_with(bank, &settings, &[("SOFTHSM2_CONF", conf.to_str().unwrap())]).await
    }
}

async fn keys(bank: &Bank) -> Vec<Value> {
    bank.ops_get("/operations/keys").await.ok(200)["keys"].as_array().unwrap().clone()
}

async fn metric(bank: &Bank, name: &str) -> f64 {
    let metrics = bank.ops_get("/metrics").await.text().into_owned();
    let values = metrics.lines().filter_map(|line| line.strip_prefix(name)?.rsplit(' ').next()?.parse::<f64>().ok());
    values.sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn as_007_the_tour_passes_with_a_key_that_was_made_in_the_module() {
    for engine in Engine::at_hand() {
        let Some(token) = Token::new().await else { return };
        let bank = Bank::bare(engine).await;
        let _server = token.serve(&bank, &[]).await;
        let listed = keys(&bank).await;
        assert_eq!((listed.len(), &listed[0]["origin"], &listed[0]["state"]), (1, &json!("token"), &json!("signing")));
        assert!(listed[0]["label"].as_str().unwrap().starts_with("lombard-"), "{listed:?}");
        pass_every_check_at(&bank, Clocks::system()).await;
        let threads = metric(&bank, "lombard_signing_threads").await;
        let sessions = metric(&bank, "lombard_pkcs11_sessions").await;
        assert!(threads >= 2.0 && (1.0..=threads).contains(&sessions), "{threads} threads, {sessions} sessions");
        assert!(metric(&bank, "lombard_pkcs11_duration_seconds_count{operation=\"sign\"}").await >= 10.0);
        assert!(metric(&bank, "lombard_signing_duration_seconds_count").await >= 10.0);
        assert_eq!(metric(&bank, "lombard_pkcs11_failures_total").await, 0.0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn as_008_keys_of_the_module_are_imported_requested_and_rotated() {
    let Some(token) = Token::new().await else { return };
    let [first, next] = [SigningKey::generate().unwrap(), SigningKey::generate().unwrap()];
    token.bring(&first, "ceremony-1", "01").await;
    let bank = Bank::bare(Engine::Sqlite).await;
    let _server = token.serve(&bank, &[("signing.pkcs11_key_label", "ceremony-1")]).await;
    let signing = keys(&bank).await.remove(0);
    assert_eq!((&signing["kid"], &signing["label"]), (&json!(first.id()), &json!("ceremony-1")));

    let import = async |order: Value| bank.ops_post("/operations/keys/import", &order).await;
    let (status, said) = import(json!({"label": "ceremony-2"})).await;
    assert!(status == 400 && said["error"].as_str().unwrap().contains("this label"), "{said}");
    token.bring(&next, "ceremony-2", "02").await;
    let imported =
        until(async || Some(import(json!({"label": "ceremony-2"})).await).filter(|(status, _)| *status == 200));
    let (_, imported) = imported.await;
    assert_eq!((&imported["kid"], &imported["origin"]), (&json!(next.id()), &json!("token")));
    let (status, requested) = bank.ops_post("/operations/keys/csr", &json!({"kid": next.id()})).await;
    assert!(status == 200 && requested["request"].as_str().unwrap().contains("CERTIFICATE REQUEST"), "{requested}");
    let (status, rotated) = bank.ops_post("/operations/keys/rotate", &json!(null)).await;
    assert_eq!(status, 200, "{rotated}");
    assert_eq!(keys(&bank).await.last().unwrap()["origin"], "token", "keys are made in the module from now on");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_hsm_module_signing_is_503_and_other_requests_are_served() {
    let Some(token) = Token::new().await else { return };
    let bank = Bank::bare(Engine::Sqlite).await;
    let _server = token.serve(&bank, &[]).await;
    let tpp = bank.tpp("robot");
    let access = tpp.client_credentials("payments").await.unwrap().access_token;
    let path = "/open-banking/v3.1/pisp/domestic-payment-consents/none";
    let ask = async || {
        let call = HttpCall::get(format!("{}{path}", bank.endpoints().mtls));
        tpp.send(call.with_header("authorization", format!("Bearer {access}"))).await.unwrap()
    };
    assert_eq!(ask().await.status.as_u16(), 400, "a refusal that is signed");
    let away = token.tokens().with_extension("away");
    fs::rename(token.tokens(), &away).unwrap();
    let refused = until(async || Some(ask().await).filter(|answer| answer.status.as_u16() == 503)).await;
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert!(refused.json().unwrap()["Errors"].is_array(), "an error that says what happened: {}", refused.text());
    assert_eq!(
        tpp.client_credentials("accounts").await.unwrap().token_type.to_lowercase(),
        "bearer",
        "needs no signature"
    );
    assert_eq!(bank.ops_get("/readyz").await.status.as_u16(), 200);
    assert!(metric(&bank, "lombard_pkcs11_failures_total").await >= 1.0);
    fs::rename(&away, token.tokens()).unwrap();
    until(async || Some(ask().await).filter(|answer| answer.status.as_u16() == 400)).await;
}

/// A module locks after a few failed logins, so a wrong PIN is tried once.
#[tokio::test(flavor = "multi_thread")]
async fn a_pin_that_the_hsm_refuses_is_tried_once_until_somebody_acts() {
    let Some(token) = Token::new().await else { return };
    let bank = Bank::bare(Engine::Sqlite).await;
    // The first start makes a key in the token.
    token.serve(&bank, &[]).await.kill().await;
    fs::write(token.pin_file(), "4321").unwrap();
    let _server = token.serve(&bank, &[]).await;
    let tpp = bank.tpp("robot");
    let access = tpp.client_credentials("payments").await.unwrap().access_token;
    let ask = async || tpp.get(&access, "pisp/domestic-payment-consents/none").await.unwrap().status.as_u16();
    let logins = async || metric(&bank, "lombard_pkcs11_logins_total{outcome=\"refused\"}").await;

    for _ in 0..4 {
        assert_eq!(ask().await, 503);
    }
    assert_eq!(logins().await, 1.0);
    let ready = bank.ops_get("/readyz").await;
    assert_eq!(ready.status, 503);
    assert!(ready.text().contains("refused the PIN"), "{}", ready.text());

    let (status, refused) = bank.ops_post("/operations/keys/login", &json!(null)).await;
    assert!(status == 400 && refused["error"].as_str().unwrap().contains("refuses the PIN"), "{refused}");
    assert_eq!((logins().await, ask().await), (2.0, 503), "an operator asked for one more");

    fs::write(token.pin_file(), PIN).unwrap();
    until(async || Some(ask().await).filter(|status| *status == 400)).await;
    assert_eq!((logins().await, bank.ops_get("/readyz").await.status.as_u16()), (2.0, 200));
}
