//! Tests of starting and stopping servers, each with its own folder and ports.

use super::testing::empty_core;
use super::*;
use crate::config::testing::write_secret;
use crate::config::{DatabaseUrl, Mode};
use crate::ops_client::{self, OpsClient, OpsError};
use async_trait::async_trait;
use lombard_ops::{CertificateForm, NewTpp, OperationError, TppAuthentication, TransportKeyType};
use lombard_ports::clock::Clocks;
use lombard_ports::store::{FailedWork, Quarantine, QuarantinedWork, StoreError, WorkKind};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;

fn config(folder: &Path, text: &str) -> Config {
    let ports = "[server]\npublic_port = 0\nmtls_port = 0\nops_port = 0\n";
    let config = Config::from_parts(&format!("{text}\n{ports}"), &[]).unwrap();
    Config { data_dir: folder.join("data"), ..config }
}

async fn start(folder: &Path) -> Server {
    Server::start(config(folder, ""), Overrides::system()).await.unwrap()
}

fn order(name: &str) -> NewTpp {
    NewTpp {
        ciba: false,
        notification_endpoint: None,
        name: name.to_owned(),
        roles: vec!["aisp".to_owned()],
        auth: TppAuthentication::TlsClientAuth,
        headless: None,
        profile: None,
        redirect_uris: Vec::new(),
        certificates: CertificateForm::Obwac,
        transport_key: TransportKeyType::P256,
        unregistered: false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_says_where_it_is_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let data = server.data_dir().to_owned();
    let endpoints = Endpoints::of_running(&data).await.expect("a running server");
    assert_eq!(endpoints, *server.endpoints());
    assert_eq!(endpoints.resource_base, format!("{}/open-banking", endpoints.mtls));
    let ops = OpsClient::of_sandbox(&data, &endpoints.ops).unwrap();
    assert!(ops_client::call_operation(&ops, "/readyz", &Value::Null).await.is_err(), "readiness is read, not done");

    let again = Server::start(config(folder.path(), ""), Overrides::system()).await;
    assert!(matches!(again, Err(StartError::Running { pid, .. }) if pid == std::process::id()));
    server.stop_server().await;
    assert!(!data.join("endpoints.json").exists());
    assert!(Endpoints::of_running(&data).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_keeps_its_identity_over_restarts_and_its_secrets_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(folder.path()).await;
    let data = first.data_dir().to_owned();
    let read = |name: &str| std::fs::read_to_string(data.join(name)).unwrap();
    let card = |name: &str| serde_json::from_str::<Value>(&read(&format!("tpps/{name}/tpp.json"))).unwrap();
    let anchor = read("ca.pem");
    let robot = card("robot");
    assert_eq!(robot["headless"], "amelia");
    assert_eq!(card("acme")["token_endpoint_auth_method"], "private_key_jwt");
    assert_eq!(card("rival")["token_endpoint_auth_method"], "tls_client_auth");
    assert_eq!(robot["redirect_uris"][0], "https://localhost:8445/callback");
    assert_eq!(robot["redirect_uris"][1], format!("{}/portal/callback", first.endpoints().public));
    for private in ["private/key-encryption.key", "tpps/robot/signing.key", "tpps/robot/transport.key"] {
        assert_eq!(std::fs::metadata(data.join(private)).unwrap().permissions().mode() & 0o777, 0o600, "{private}");
    }
    first.stop_server().await;

    let second = start(folder.path()).await;
    assert_eq!(read("ca.pem"), anchor);
    assert_eq!(card("robot")["client_id"], robot["client_id"]);
    second.stop_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_that_was_interrupted_is_completed_with_its_key() {
    let key = "private/key-encryption.key";
    for left in [&[][..], &["lombard.db"], &["private/key-encryption.key.aB3dE6gH.new", "lombard.db"]] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir_all(data.join("private")).unwrap();
        write_secret(&data.join(key), &"7".repeat(64));
        for name in left {
            std::fs::write(data.join(name), "").unwrap();
        }
        for _ in 0..2 {
            start(folder.path()).await.stop_server().await;
            assert_eq!(std::fs::read_to_string(data.join(key)).unwrap().trim(), "7".repeat(64), "{left:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_leaves_no_temporary_files() {
    let folder = tempfile::tempdir().unwrap();
    start(folder.path()).await.stop_server().await;
    let mut folders = vec![folder.path().join("data")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            assert_ne!(path.extension().and_then(|it| it.to_str()), Some("new"), "{}", path.display());
            folders.extend(path.is_dir().then_some(path));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_file_of_the_data_folder_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let described: Vec<_> = crate::stored_files::STORED_FILES.iter().flat_map(|it| it.name.split(", ")).collect();
    for entry in std::fs::read_dir(server.data_dir()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let name = if entry.file_type().unwrap().is_dir() { format!("{name}/") } else { name };
        assert!(described.contains(&name.as_str()), "{name}");
    }
    server.stop_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn as_008_a_rotated_key_is_published_now_and_signs_later() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let before = Clocks::system().wall_now();
    let ops = OpsClient::of_sandbox(server.data_dir(), &server.endpoints().ops).unwrap();
    let rotated = ops_client::call_operation(&ops, "/operations/keys/rotate", &Value::Null).await.unwrap();
    let active_from: jiff::Timestamp = rotated["active_from"].as_str().unwrap().parse().unwrap();
    assert!(active_from.duration_since(before) >= jiff::SignedDuration::from_mins(59));
    server.stop_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tpp_is_made_by_the_server_while_it_runs_and_by_the_command_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let ops = OpsClient::of_sandbox(server.data_dir(), &server.endpoints().ops).unwrap();
    let made = ops_client::call_operation(&ops, "/operations/tpps", &json!(order("mine"))).await.unwrap();
    assert!(Path::new(made["folder"].as_str().unwrap()).join("transport.pem").exists());
    for (refused, why) in [
        (order("mine"), "there is a TPP called mine already"),
        (NewTpp { roles: vec!["king".to_owned()], ..order("other") }, "roles are aisp, pisp and cbpii"),
        (
            NewTpp { profile: Some("fapi3".to_owned()), ..order("other") },
            "security profiles are fapi1, fapi2, fapi2-message-signing",
        ),
        (NewTpp { headless: Some("nobody".to_owned()), ..order("other") }, "the headless customer does not exist"),
    ] {
        let error = ops_client::call_operation(&ops, "/operations/tpps", &json!(refused)).await.unwrap_err();
        assert!(matches!(&error, OpsError::Refused(said) if said == why), "{error}");
    }
    server.stop_server().await;

    let operator = open_operator(&config(folder.path(), ""), Overrides::system()).await.unwrap();
    let made = operator.tpp_create(&command_act(None), order("yours")).await.unwrap();
    assert!(made.folder.join("tpp.json").exists());
    let again = operator.tpp_create(&command_act(None), order("mine")).await;
    assert!(matches!(again, Err(OperationError::Refused(_))));
}

/// A quarantine with one item.
#[derive(Debug)]
struct OneOrder;

#[async_trait]
impl Quarantine for OneOrder {
    async fn contents(&self, _: u32) -> Result<(Vec<QuarantinedWork>, Vec<(WorkKind, u64)>), StoreError> {
        let work = FailedWork { kind: WorkKind::BankOrder, subject: "o".to_owned(), cause: "it is odd".to_owned() };
        let work = QuarantinedWork { number: 3, work, since: jiff::Timestamp::UNIX_EPOCH };
        Ok((vec![work], self.counts().await?))
    }

    async fn counts(&self) -> Result<Vec<(WorkKind, u64)>, StoreError> {
        Ok(vec![(WorkKind::BankOrder, 1)])
    }

    async fn release(&self, _: Option<i64>) -> Result<u64, StoreError> {
        Ok(1)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_without_a_server_sees_the_quarantine_of_an_embedded_core() {
    let folder = tempfile::tempdir().unwrap();
    let embedded = config(folder.path(), "[bank]\nkind = \"embedded\"\n[identity]\nkind = \"embedded\"");
    let core = Core { quarantine: Some(Arc::new(OneOrder)), ..empty_core() };
    let operator = open_operator(&embedded, Overrides { core: Some(core), ..Overrides::system() }).await.unwrap();
    let shown = operator.quarantined().await.unwrap();
    assert_eq!(shown.work.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["bank-3"]);
    assert_eq!(operator.quarantine_release(&command_act(None), Some("bank-3")).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn production_does_not_start_on_what_a_sandbox_made() {
    let folder = tempfile::tempdir().unwrap();
    start(folder.path()).await.stop_server().await;
    let data = folder.path().join("data");
    let key = data.join("private/key-encryption.key");
    let text = format!(
        "mode = \"production\"\n\
         [bank]\nkind = \"embedded\"\n[identity]\nkind = \"embedded\"\n\
         [tls]\nrsa_certificate_file = \"a\"\nrsa_key_file = \"b\"\ntpp_anchors_file = \"c\"\nrevocation = \"off\"\n\
         [database]\nurl = \"sqlite://{}\"\nallow_sqlite = true\n\
         [signing]\nkey_encryption_key_file = \"{}\"\norganisation_id = \"o\"\n\
         [payments]\nrates = [\"EUR 1.16\", \"USD 1.27\"]\n[ops]\nstaff = \"mtls\"\nstaff_ca_file = \"d\"\n",
        data.join("lombard.db").display(),
        key.display(),
    );
    let urls = [
        ("LOMBARD__SERVER__PUBLIC_URL".to_owned(), "https://bank.example".to_owned()),
        ("LOMBARD__SERVER__MTLS_URL".to_owned(), "https://api.bank.example".to_owned()),
        ("LOMBARD__SERVER__PUBLIC_PORT".to_owned(), "0".to_owned()),
        ("LOMBARD__SERVER__MTLS_PORT".to_owned(), "0".to_owned()),
        ("LOMBARD__SERVER__OPS_PORT".to_owned(), "0".to_owned()),
    ];
    let production = Config { data_dir: data, ..Config::from_parts(&text, &urls).unwrap() };
    let overrides = Overrides { core: Some(empty_core()), ..Overrides::system() };
    let error = Server::start(production, overrides).await.unwrap_err();
    let StartError::NotForProduction(found) = error else { panic!("{error}") };
    assert!(
        found.iter().any(|it| it.contains("sandbox")) && found.iter().any(|it| it.contains("headless")),
        "{found:?}"
    );
}

#[tokio::test]
async fn production_does_not_migrate_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("bank.db");
    let key = folder.path().join("sealing.key");
    write_secret(&key, &"7".repeat(64));
    let mut production = config(folder.path(), "");
    production.mode = Mode::Production;
    production.database.url = DatabaseUrl::parse(&format!("sqlite://{}", database.display()));
    production.signing.key_encryption_key_file = Some(key);
    let error = CoreServices::open(&production, Overrides::system()).await.unwrap_err();
    assert!(matches!(error, StartError::NotMigrated { .. }), "{error}");
    assert!(error.to_string().contains("run `lombard migrate`") && !database.exists(), "{error}");
    assert!(!migrate_database(&production).await.unwrap().is_empty());
    CoreServices::open(&production, Overrides::system()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_fails_names_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut in_use = config(folder.path(), "");
    in_use.server.mtls_port = taken.local_addr().unwrap().port();
    let error = Server::start(in_use, Overrides::system()).await.unwrap_err();
    assert!(error.to_string().contains("server.mtls_port"), "{error}");

    start(folder.path()).await.stop_server().await;
    std::fs::write(folder.path().join("data/private/key-encryption.key"), "0".repeat(64)).unwrap();
    let error = Server::start(config(folder.path(), ""), Overrides::system()).await.unwrap_err();
    assert!(error.to_string().contains("signing.key_encryption_key_file"), "{error}");
}
