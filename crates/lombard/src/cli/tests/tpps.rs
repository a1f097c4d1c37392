//! Tests of `lombard tpp` in production, with and without a running server. Source: AS-113, DCR-009, DCR-042, DCR-043.

use super::*;
use lombard_database::{Database, StoreOptions};
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks, KeySetAddress};
use lombard_domain::scope::TppRole;
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_jose::base64url;
use lombard_ports::store::StoreError;

/// A production client with the roles AISP and PISP, whose software statement has two redirect URIs.
fn client(id: &str, name: &str) -> Client {
    let claims =
        r#"{"software_roles":["AISP","PISP"],"software_redirect_uris":["https://a.example/","https://b.example/"]}"#;
    let header = base64url(br#"{"alg":"PS256","kid":"k"}"#);
    Client {
        id: id.into(),
        status: ClientStatus::Active,
        org_id: "0015800001HQQrZAAX".into(),
        org_name: "Shops Limited".to_owned(),
        software_id: format!("software-{id}").as_str().into(),
        software_name: name.to_owned(),
        on_behalf_of: None,
        roles: vec![TppRole::Aisp],
        redirect_uris: vec!["https://a.example/".to_owned()],
        authentication: ClientAuthentication::PrivateKeyJwt,
        jwks: Jwks::Remote(KeySetAddress { url: "https://keys.example/".to_owned(), revoked_url: None }),
        software_statement: format!("{header}.{}.{}", base64url(claims.as_bytes()), base64url(b"s")),
        backchannel: None,
        registration: None,
        profile: SecurityProfile::Fapi1Advanced,
        signed_messages: SignedMessages::default(),
        headless: None,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        epoch: 0,
    }
}

/// Stores two clients that production could have registered.
async fn register(folder: &Path) {
    let options = StoreOptions::new(format!("sqlite://{}", folder.join("bank.db").display()));
    let database = Database::open(&options, &[&lombard_store::SCHEMA]).await.unwrap();
    let store = lombard_store::on_database(database);
    let insert = |tx: &mut dyn lombard_ports::store::ServerTransaction| {
        tx.client_insert(&client("c-1", "First Shop"))?;
        tx.client_insert(&client("c-2", "Second Shop"))
    };
    store.write::<_, StoreError, _>(insert).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn dcr_042_production_tpps_are_managed_by_the_server_or_in_its_database() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = "[server]\npublic_port = 0\nmtls_port = 0\nops_port = 0\n";
    let sandbox = Config { data_dir: folder.path().join("sandbox"), ..Config::from_parts(sandbox, &[]).unwrap() };
    Server::start(sandbox, Overrides::system()).await.unwrap().stop_server().await;
    let settings = production(folder.path());
    let data = folder.path().join("production");
    let config = Config::load(&Sources::of_process(Some(settings.clone()))).unwrap();
    let config = Config { data_dir: data.clone(), ..config };
    migrate_database(&config).await.unwrap();
    register(folder.path()).await;
    // The error message of a command; empty if the command succeeds.
    let said = async |line: &str| {
        let line = format!("lombard tpp {line} --config {} --data {}", settings.display(), data.display());
        let Command::Tpp(command) = Arguments::try_parse_from(line.split(' ')).unwrap().command.unwrap() else {
            panic!("{line}")
        };
        operations::tpp(command).await.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let overrides = Overrides { core: Some(empty_core()), ..Overrides::system() };
    let mut server = Some(Server::start(config.clone(), overrides).await.unwrap());
    for (id, running) in [("c-1", true), ("c-2", false)] {
        for (line, refusal) in [
            ("list", ""),
            ("show c-1", ""),
            ("show software-c-1", ""),
            ("roles c-1", ""),
            ("redirect-uris c-1", ""),
            ("disable c-1 --reason fraud", ""),
            ("disable c-1", ""),
            ("enable c-1", ""),
            ("roles c-1 --set pisp,aisp", ""),
            ("roles c-1 --set cbpii", "does not grant the role CBPII"),
            ("roles c-1 --set admin", "roles are aisp, pisp and cbpii"),
            ("redirect-uris c-1 --set https://b.example/", ""),
            (
                "redirect-uris c-1 --set https://c.example/",
                "not among the redirect URIs of the TPP's software statement.",
            ),
            ("redirect-uris c-1 --set http://a.example/", "it is not an https:// URI"),
            ("profile c-1", ""),
            ("profile c-1 --set fapi2 --reason moves", ""),
            ("profile c-1 --set fapi3", "security profiles are fapi1, fapi2, fapi2-message-signing"),
            ("show nobody", "There is no TPP with this client id, software id or name."),
            ("disable ../c-1", "There is no TPP with this client id, software id or name."),
        ] {
            let said = said(&line.replace("c-1", id)).await;
            let is_expected = if refusal.is_empty() { said.is_empty() } else { said.contains(refusal) };
            assert!(is_expected, "{line}, running: {running}: {said}");
        }
        let shared = said("show 0015800001HQQrZAAX").await;
        assert!(shared.starts_with("There is no TPP"), "an organisation's id is no name: {shared}");
        assert_eq!(said(&format!("delete {id} --reason left")).await, "");
        let refused = said(&format!("enable {id}")).await;
        assert!(refused.contains("was deleted") && refused.ends_with('.'), "{refused}");
        if let Some(server) = server.take() {
            server.stop_server().await;
            // The remaining commands work on the database, with the client that still exists.
            let operator = crate::server::open_operator(&config, Overrides::system()).await.unwrap();
            assert_eq!(operator.find_tpp("c-1").await.unwrap().status, "deleted");
            assert_eq!(operator.find_tpp("Shops Limited").await.unwrap().client_id.as_str(), "c-2");
        }
    }
}
