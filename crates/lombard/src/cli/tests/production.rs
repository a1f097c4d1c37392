//! Tests of the messages of `lombard config check` and `lombard serve` for a production installation. Each message lists all faults.

use super::*;
use crate::config::Sources;
use crate::config::testing::{Pair, set_mode, staff_settings};
use crate::server::{DatabaseCheck, EmbeddedCore, check_installation};
use lombard_ports::clock::Clocks;
use std::fs;

/// A valid production installation on SQLite that is not migrated. Tests add faults to it.
struct Installation {
    folder: tempfile::TempDir,
}

impl Installation {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for name in ["server", "tpps"] {
            Pair::write(folder.path(), name, 2040);
        }
        write_secret(&folder.path().join("sealing.key"), &"7".repeat(64));
        let text = format!(
            "mode = \"production\"\n[server]\npublic_url = \"https://bank.example\"\n\
             mtls_url = \"https://api.bank.example\"\n\
             [tls]\nrsa_certificate_file = \"{}\"\nrsa_key_file = \"{}\"\ntpp_anchors_file = \"{}\"\nrevocation = \"off\"\n\
             [database]\nurl = \"sqlite://{}\"\nallow_sqlite = true\n\
             [signing]\nkey_encryption_key_file = \"{}\"\norganisation_id = \"o\"\n\
             [payments]\nproducts = [\"domestic-payment\"]\n[bank]\nkind = \"embedded\"\n\
             [identity]\nkind = \"embedded\"\n",
            path("server.pem"),
            path("server.key"),
            path("tpps.pem"),
            path("bank.db"),
            path("sealing.key"),
        );
        let text = format!("{text}{}", staff_settings(folder.path()));
        fs::write(folder.path().join("bank.toml"), text).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Replaces a part of the configuration.
    fn edit(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.path("bank.toml")).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(self.path("bank.toml"), text.replace(from, to)).unwrap();
    }

    /// The error message of a command; empty if it succeeds.
    async fn run(&self, line: &str) -> String {
        let config = self.path("bank.toml");
        let data = self.path("data");
        let line = format!("lombard {line} --config {} --data {}", config.display(), data.display());
        let done = match Arguments::try_parse_from(line.split(' ')).unwrap().command.unwrap() {
            Command::Config(ConfigCommand::Check(command)) => check::check(command).await.map(drop),
            Command::Serve(place) => Box::pin(serve::serve(place)).await,
            Command::Migrate(command) => migrate::migrate(command).await,
            other => panic!("{other:?}"),
        };
        done.err().map(|error| error.to_string()).unwrap_or_default()
    }
}

#[tokio::test]
async fn serve_and_config_check_name_everything_that_is_wrong_at_once() {
    let bank = Installation::new();
    bank.edit("allow_sqlite = true", "");
    bank.edit("organisation_id = \"o\"", "");
    bank.edit(&bank.path("tpps.pem").display().to_string(), "/nowhere/tpps.pem");
    fs::copy(bank.path("tpps.key"), bank.path("server.key")).unwrap();
    set_mode(&bank.path("sealing.key"), 0o644);
    let offline = [
        "database.url: names SQLite",
        "signing.organisation_id: is required in production",
        "server.key is not the key of the first certificate in",
        "tls.tpp_anchors_file: /nowhere/tpps.pem cannot be read",
        "signing.key_encryption_key_file: ",
        "sealing.key holds a secret and is open to other users (mode 0644)",
    ];
    let online = "database.url: the database is not migrated";
    for (line, is_online) in [("config check", false), ("config check --online", true), ("serve", true)] {
        let said = bank.run(line).await;
        for words in offline {
            assert!(said.contains(words), "{line}: {words}\n{said}");
        }
        assert_eq!(said.contains(online), is_online, "{line}: {said}");
    }
    assert!(!bank.path("bank.db").exists() && !bank.path("data").exists(), "nothing was made");
}

#[tokio::test]
async fn serve_and_config_check_both_refuse_a_missing_embedded_core() {
    let bank = Installation::new();
    assert_eq!(bank.run("migrate").await, "");
    for line in ["config check", "config check --online", "serve"] {
        let said = bank.run(line).await;
        assert!(said.contains("bank.kind: is `embedded`, but this program brings no core"), "{line}: {said}");
    }
    bank.edit("kind = \"embedded\"", "");
    for line in ["config check", "serve"] {
        let said = bank.run(line).await;
        for setting in ["bank.kind", "identity.kind"] {
            assert!(
                said.contains(&format!("{setting}: is required in production, and not `builtin`")),
                "{line}: {said}"
            );
        }
    }
}

#[tokio::test]
async fn a_database_is_refused_until_it_is_migrated() {
    let bank = Installation::new();
    assert_eq!(bank.run("migrate --plan").await, "");
    assert!(!bank.path("bank.db").exists(), "a plan makes nothing");
    for line in ["serve", "config check --online"] {
        let said = bank.run(line).await;
        assert!(said.contains("is not migrated") && said.contains("run `lombard migrate`"), "{line}: {said}");
    }
    assert_eq!(bank.run("migrate").await, "");
    let said = bank.run("config check --online").await;
    assert!(!said.contains("migrate"), "{said}");
}

#[tokio::test]
async fn a_database_that_cannot_be_reached_is_named_only_when_it_is_looked_at() {
    let bank = Installation::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let sqlite = format!("sqlite://{}", bank.path("bank.db").display());
    bank.edit(&sqlite, &format!("postgres://lombard:hunter2@{free}/bank"));
    assert!(!bank.run("config check").await.contains("database"));
    for line in ["config check --online", "serve"] {
        let said = bank.run(line).await;
        assert!(said.contains("database.url: the database cannot be used"), "{line}: {said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}

/// Otherwise an outage of a directory would keep nodes from starting, and a wrong PIN in a loop of restarts would lock the module.
#[tokio::test]
async fn a_start_tries_neither_directories_nor_the_hsm() {
    let bank = Installation::new();
    assert_eq!(bank.run("migrate").await, "");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let path = |name: &str| bank.path(name).display().to_string();
    for name in ["module.so", "pin"] {
        write_secret(&bank.path(name), "1234");
    }
    let further = format!(
        "[auth]\njwks_hosts = [\"localhost:{free}\"]\njwks_anchors_file = \"{}\"\n\
         [dcr]\ndirectories = [\"Directory=https://localhost:{free}/keys\"]\n[payments]",
        path("tpps.pem")
    );
    bank.edit("[payments]", &further);
    let module = format!(
        "[signing]\npkcs11_module_file = \"{}\"\npkcs11_token_label = \"bank\"\npkcs11_pin_file = \"{}\"",
        path("module.so"),
        path("pin")
    );
    bank.edit("[signing]", &module);
    let sources = Sources { file: Some(bank.path("bank.toml")), environment: Vec::new() };
    let check = async |database| {
        let now = Clocks::system().wall_now();
        let checked = check_installation(&sources, bank.path("data"), now, database, EmbeddedCore::Present).await;
        checked.err().map(|problems| problems.iter().map(|it| it.at.clone()).collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(check(DatabaseCheck::InProduction).await, Vec::<String>::new());
    assert_eq!(check(DatabaseCheck::Always).await, ["signing.pkcs11_token_label", "dcr.directories"]);
}

#[tokio::test]
async fn a_sandbox_that_was_never_started_is_fine_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("lombard config check --online --data {}", folder.path().join("data").display());
    let command = Arguments::try_parse_from(line.split(' ')).unwrap().command.unwrap();
    let Command::Config(ConfigCommand::Check(command)) = command else { panic!("{command:?}") };
    let said = check::check(command).await.unwrap();
    assert!(said.contains("configuration is fine") && said.contains("migrations when it starts"), "{said}");
    assert!(!folder.path().join("data").exists(), "nothing was made");
}

#[tokio::test]
async fn the_example_for_production_passes_its_check() {
    let folder = tempfile::tempdir().unwrap();
    let secret = |name: &str| folder.path().join(name);
    for name in [
        "server-rsa",
        "server-ec",
        "core-client",
        "tpp-authorities",
        "staff-authorities",
        "core-authorities",
        "directory-authorities",
    ] {
        Pair::write(folder.path(), name, 2040);
    }
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    write_secret(&secret("identity.key"), &key.serialize_pem());
    write_secret(&secret("key-encryption.key"), &"7".repeat(64));
    write_secret(&secret("database-url"), "postgres://lombard:hunter2@db.bank.example/lombard");
    let text = include_str!("../../../../../deploy/lombard-production.toml")
        .replace("/etc/lombard/secrets", &folder.path().display().to_string())
        .replace("/etc/ssl/certs/ca-certificates.crt", &secret("directory-authorities.pem").display().to_string());
    fs::write(secret("bank.toml"), text).unwrap();
    let line = format!("lombard config check --config {}", secret("bank.toml").display());
    let command = Arguments::try_parse_from(line.split(' ')).unwrap().command;
    let Some(Command::Config(ConfigCommand::Check(command))) = command else { panic!("{command:?}") };
    let checked = check::check(command).await;
    assert!(checked.is_ok(), "{}", checked.unwrap_err());
}

#[test]
fn the_configuration_that_is_installed_makes_a_sandbox() {
    let config = Config::from_parts(include_str!("../../../../../deploy/lombard.toml"), &[]).unwrap();
    assert!(config.is_sandbox());
}

#[test]
fn the_commands_of_the_page_about_packages_are_commands() {
    let page = include_str!("../../../../../docs/operating/install.md");
    let commands: Vec<_> = page.lines().filter(|line| line.starts_with("lombard ")).collect();
    assert!(commands.len() >= 3, "{commands:?}");
    for line in commands {
        let words = line.split(" > ").next().unwrap_or_default();
        assert!(Arguments::try_parse_from(words.split(' ')).is_ok(), "{line}");
    }
}
