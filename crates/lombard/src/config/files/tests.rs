//! Tests of each fault of a file.

use super::*;
use crate::config::declaration::dotted;
use crate::config::reference::all_settings;
use crate::config::testing::{Pair, set_mode, write_secret};
use crate::config::{BankKind, Mode};
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

/// The year in which an expired certificate ends; the next constant is that of a valid one.
const PAST: i32 = 2024;
const FUTURE: i32 = 2040;

/// A folder with valid files, and settings that name them.
struct Files {
    folder: TempDir,
    server: Pair,
    config: Config,
}

impl Files {
    fn new(mode: Mode) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = Pair::write(folder.path(), "server", FUTURE);
        let mut files = Self { folder, server, config: Config::from_parts("", &[]).unwrap() };
        files.config.mode = mode;
        files.config.data_dir = files.path("data");
        files.config.tls.ec_certificate_file = Some(files.server.certificate.clone());
        files.config.tls.ec_key_file = Some(files.server.key.clone());
        files.config.tls.tpp_anchors_file = Some(files.pair("authority", FUTURE).certificate);
        files.config.auth.jwks_anchors_file = files.config.tls.tpp_anchors_file.clone();
        files.config.database.url_file = Some(files.secret("url", "postgres://lombard:hunter2@db/bank"));
        files.config.signing.key_encryption_key_file = Some(files.secret("sealing.key", &"7".repeat(64)));
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn pair(&self, name: &str, until: i32) -> Pair {
        Pair::write(self.folder.path(), name, until)
    }

    fn secret(&self, name: &str, text: &str) -> PathBuf {
        write_secret(&self.path(name), text);
        self.path(name)
    }

    /// The faults that the checks find: setting and message.
    fn found(&self) -> Vec<(String, String)> {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        check(&self.config, now).into_iter().map(|it| (it.at, it.message)).collect()
    }

    /// Checks that exactly one fault is found, of this setting and with these words.
    fn has_one(&self, setting: &str, words: &str) {
        let found = self.found();
        let [(at, message)] = &found[..] else { panic!("{setting}, {words}: {found:?}") };
        assert!(at == setting && message.contains(words), "{setting}, {words}: {found:?}");
        assert!(!message.contains("hunter2"), "{message}");
    }
}

#[test]
fn files_in_order_are_accepted_in_both_modes() {
    for mode in [Mode::Production, Mode::Sandbox] {
        assert_eq!(Files::new(mode).found(), [], "{mode:?}");
    }
}

#[test]
fn files_that_do_not_exist_are_refused_all_at_once() {
    for mode in [Mode::Production, Mode::Sandbox] {
        let mut files = Files::new(mode);
        let none = Some(files.path("none"));
        files.config.tls.ec_certificate_file = none.clone();
        files.config.tls.ec_key_file = none.clone();
        files.config.tls.tpp_anchors_file = none.clone();
        files.config.database.url_file = none.clone();
        files.config.auth.jwks_anchors_file = none.clone();
        files.config.signing.key_encryption_key_file = none;
        let found = files.found();
        let at: Vec<_> = found.iter().map(|(at, _)| at.as_str()).collect();
        let expected = [
            "tls.ec_certificate_file",
            "tls.ec_key_file",
            "tls.tpp_anchors_file",
            "database.url_file",
            "auth.jwks_anchors_file",
            "signing.key_encryption_key_file",
        ];
        assert_eq!(at, expected, "{mode:?}");
        assert!(found.iter().all(|(_, message)| message.contains("/none cannot be read (No such file")), "{found:?}");
    }
}

#[test]
fn each_setting_that_names_a_file_is_checked() {
    let mut checked = 0;
    for setting in all_settings() {
        let at = dotted(setting.section, setting.key);
        // The person who types a command has these files, and the server may not read them.
        if at.starts_with("ops.command_") {
            continue;
        }
        let value = match at.rsplit_once('_') {
            Some((_, "file")) => "\"/nowhere/file\"",
            Some((_, "files")) => "[\"/nowhere/file\"]",
            _ => continue,
        };
        let text = format!("[{}]\n{} = {value}", setting.section, setting.key);
        let (config, _) = Config::parse_and_check(&text, &[]).unwrap();
        let found = check(&config, "2026-11-22T12:00:00Z".parse().unwrap());
        let [problem] = &found[..] else { panic!("{at}: {found:?}") };
        assert!(problem.at == at && problem.message.contains("/nowhere/file"), "{at}: {found:?}");
        checked += 1;
    }
    assert!(checked >= 25, "{checked} settings name files");
}

#[test]
fn secret_files_that_others_may_use_are_refused_in_production() {
    type Secret = fn(&Config) -> &Option<PathBuf>;
    let secrets: [(&str, Secret); 3] = [
        ("tls.ec_key_file", |config| &config.tls.ec_key_file),
        ("database.url_file", |config| &config.database.url_file),
        ("signing.key_encryption_key_file", |config| &config.signing.key_encryption_key_file),
    ];
    for (setting, secret) in secrets {
        for mode in [0o604, 0o660, 0o620, 0o601] {
            let mut files = Files::new(Mode::Production);
            set_mode(secret(&files.config).as_ref().unwrap(), mode);
            files.has_one(
                setting,
                &format!("is open to other users (mode {mode:04o}); leave it to its owner with chmod 600"),
            );
            files.config.mode = Mode::Sandbox;
            assert_eq!(files.found(), [], "{setting}");
        }
    }
}

#[test]
fn certificates_and_keys_that_do_not_fit_are_refused_in_both_modes() {
    for mode in [Mode::Production, Mode::Sandbox] {
        let mut files = Files::new(mode);
        files.config.tls.ec_key_file = Some(files.pair("other", FUTURE).key);
        files.has_one("tls.ec_key_file", "is not the key of the first certificate in");
        files.config.tls.ec_key_file = Some(files.server.certificate.clone());
        set_mode(&files.server.certificate, 0o600);
        files.has_one("tls.ec_key_file", "cannot be read as a PKCS#8 private key in PEM");
        let mut files = Files::new(mode);
        files.config.tls.ec_certificate_file = Some(files.server.key.clone());
        files.has_one("tls.ec_certificate_file", "holds no PEM certificate");
    }
}

#[test]
fn certificates_that_cannot_be_read_are_refused_in_both_modes() {
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for mode in [Mode::Production, Mode::Sandbox] {
        for (text, server, authorities) in [
            (
                broken,
                "has a certificate (number 1) that cannot be read",
                "has a certificate (number 1) that cannot be used",
            ),
            ("-----BEGIN CERTIFICATE-----\nAAAA", "cannot be read as PEM", "cannot be read as PEM"),
            ("", "holds no PEM certificate", "holds no PEM certificate"),
        ] {
            let mut files = Files::new(mode);
            files.config.tls.ec_key_file = None;
            files.config.tls.ec_certificate_file = Some(files.secret("odd.pem", text));
            files.has_one("tls.ec_certificate_file", server);
            let mut files = Files::new(mode);
            files.config.auth.jwks_anchors_file = Some(files.secret("odd.pem", text));
            files.has_one("auth.jwks_anchors_file", authorities);
        }
    }
}

#[test]
fn certificates_out_of_their_time_are_refused_in_production() {
    let mut files = Files::new(Mode::Production);
    let past = files.pair("past", PAST);
    (files.config.tls.ec_certificate_file, files.config.tls.ec_key_file) = (Some(past.certificate), Some(past.key));
    files.has_one("tls.ec_certificate_file", "(number 1) that expired at 2024-01-01T00:00:00Z; renew it");
    files.config.mode = Mode::Sandbox;
    assert_eq!(files.found(), []);

    let mut files = Files::new(Mode::Production);
    std::fs::copy(&files.pair("past", PAST).certificate, files.path("anchors.pem")).unwrap();
    files.config.tls.tpp_anchors_file = Some(files.path("anchors.pem"));
    files.has_one("tls.tpp_anchors_file", "holds only certificates that have expired");
    let both =
        [files.path("anchors.pem"), files.server.certificate.clone()].map(|it| std::fs::read_to_string(it).unwrap());
    std::fs::write(files.path("anchors.pem"), both.concat()).unwrap();
    assert_eq!(files.found(), [], "one authority is current");

    let files = Files::new(Mode::Production);
    let early = check(&files.config, "2019-12-31T00:00:00Z".parse().unwrap());
    let early: Vec<_> =
        early.iter().map(|it| (it.at.as_str(), it.message.contains("not valid before 2020-01-01"))).collect();
    assert_eq!(early, [("tls.ec_certificate_file", true)]);
}

#[test]
fn secrets_that_are_not_what_they_should_be_are_refused() {
    for key in ["", "7", &"g".repeat(64), &"7".repeat(66), &"7+".repeat(32)] {
        let mut files = Files::new(Mode::Production);
        files.config.signing.key_encryption_key_file = Some(files.secret("odd.key", key));
        files.has_one("signing.key_encryption_key_file", "must hold 64 hexadecimal digits and nothing else");
    }
    let mut files = Files::new(Mode::Production);
    files.config.database.url_file = Some(files.secret("odd.url", "mysql://lombard:hunter2@db/bank"));
    files.has_one("database.url_file", "must hold sqlite://PATH or postgres://… and nothing else");
}

#[test]
fn sqlite_in_a_file_is_refused_like_sqlite_in_a_setting() {
    let mut files = Files::new(Mode::Production);
    files.config.database.url_file = Some(files.secret("sqlite.url", "sqlite:///var/lib/bank.db\n"));
    files.has_one("database.url_file", "database.allow_sqlite = true");
    files.config.database.allow_sqlite = true;
    assert_eq!(files.found(), []);
}

#[test]
fn files_that_the_databases_url_names_are_checked() {
    let url = |files: &Files, name: &str, query: &str| {
        files.secret(name, &format!("postgres://lombard:hunter2@db/bank?sslmode=verify-full&{query}"))
    };
    let mut files = Files::new(Mode::Production);
    let client = files.pair("client", FUTURE);
    let other = files.pair("other", FUTURE);
    let root = client.certificate.display().to_string();
    let (certificate, key, other) = (root.clone(), client.key.display().to_string(), other.key.display().to_string());
    let whole = format!("sslrootcert={root}&sslcert={certificate}&sslkey={key}");
    files.config.database.url_file = Some(url(&files, "whole", &whole));
    assert_eq!(files.found(), []);
    for (name, query, words) in [
        ("missing", "sslrootcert=/nowhere/root.pem".to_owned(), "sslrootcert: /nowhere/root.pem cannot be read"),
        ("key", format!("sslrootcert={key}"), "holds no PEM certificate"),
        ("pair", whole.replace(&key, &other), "is not the key of the first certificate in"),
        ("certificate", whole.replace(&format!("sslkey={key}"), &format!("sslkey={root}")), "open to other users"),
        ("name", format!("sslrootcert={root}&sslcerts=a"), "did you mean sslcert?"),
    ] {
        files.config.database.url_file = Some(url(&files, name, &query));
        let found = files.found();
        assert!(found.iter().all(|(at, _)| at == "database.url_file"), "{found:?}");
        assert!(found.iter().any(|(_, message)| message.contains(words)), "{name}: {found:?}");
    }
    set_mode(&client.key, 0o644);
    files.config.database.url_file = Some(url(&files, "whole", &whole));
    files.has_one("database.url_file", "chmod 600");
}

#[test]
fn the_key_that_a_sandbox_makes_need_not_exist_yet() {
    let mut files = Files::new(Mode::Sandbox);
    files.config.signing.key_encryption_key_file = Some(sandbox_key_file(&files.config.data_dir));
    assert_eq!(files.found(), []);
    files.config.mode = Mode::Production;
    files.has_one("signing.key_encryption_key_file", "cannot be read");
}

impl Files {
    /// Settings of a core over HTTP, which use the server's certificate and key for the connector.
    fn with_core(mode: Mode, key: &Path) -> Self {
        let mut files = Self::new(mode);
        let core = serde_json::json!({
            "url": "https://core.bank.example",
            "ca": "authority.pem",
            "certificate": files.server.certificate,
            "key": key,
        });
        fs::write(files.path("core.json"), core.to_string()).unwrap();
        files.config.bank.kind = BankKind::Http;
        files.config.bank.core_file = Some(files.path("core.json"));
        files
    }
}

#[test]
fn a_core_file_is_read_with_the_files_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = Pair::write(folder.path(), "foreign", FUTURE);
    for mode in [Mode::Production, Mode::Sandbox] {
        let mut files = Files::with_core(mode, &foreign.key);
        files.has_one("bank.core_file", "is not the key of the first certificate");
        let core = fs::read_to_string(files.path("core.json")).unwrap();
        let own = core.replace(&foreign.key.display().to_string(), &files.server.key.display().to_string());
        fs::write(files.path("core.json"), &own).unwrap();
        assert_eq!(files.found(), [], "{mode:?}");
        for (text, words) in [
            ("", "cannot be read as a core file"),
            ("{}", "missing field `url`"),
            (&own.replace("https:", "http:"), "not an https address"),
            (&own.replace("authority.pem", "none.pem"), "none.pem cannot be read"),
        ] {
            fs::write(files.path("core.json"), text).unwrap();
            files.has_one("bank.core_file", words);
        }
        files.config.bank.core_file = Some(files.path("no.json"));
        files.has_one("bank.core_file", "cannot be read");
    }
}

#[test]
fn a_connector_key_that_is_open_to_others_is_refused() {
    let mut files = Files::new(Mode::Production);
    let connector = files.pair("connector", FUTURE);
    files.config.bank.kind = BankKind::Http;
    files.config.bank.ca_file = files.config.tls.tpp_anchors_file.clone();
    files.config.bank.certificate_file = Some(connector.certificate);
    files.config.bank.key_file = Some(connector.key.clone());
    assert_eq!(files.found(), []);
    fs::set_permissions(&connector.key, fs::Permissions::from_mode(0o644)).unwrap();
    files.has_one("bank.key_file", "chmod 600");
    files.config.bank.certificate_file = Some(files.path("none.pem"));
    assert_eq!(files.found().len(), 2, "all at once");
}

#[test]
fn further_key_encryption_key_and_security_module_files_are_checked() {
    for mode in [Mode::Production, Mode::Sandbox] {
        let mut files = Files::new(mode);
        files.config.signing.other_key_encryption_key_files = vec![files.secret("other.key", &"8".repeat(64))];
        files.config.signing.pkcs11_module_file = Some(files.secret("module.so", "code"));
        files.config.signing.pkcs11_pin_file = Some(files.secret("pin", "1234\n"));
        assert_eq!(files.found(), [], "{mode:?}");
    }
    let mut files = Files::new(Mode::Production);
    files.config.signing.other_key_encryption_key_files = vec![files.secret("other.key", "short")];
    files.has_one("signing.other_key_encryption_key_files", "must hold 64 hexadecimal digits");
    files.config.signing.other_key_encryption_key_files = vec![files.secret("other.key", &"8".repeat(64))];
    set_mode(&files.path("other.key"), 0o660);
    files.has_one("signing.other_key_encryption_key_files", "is open to other users (mode 0660)");

    let mut files = Files::new(Mode::Production);
    files.config.signing.pkcs11_pin_file = Some(files.secret("pin", " \n"));
    files.has_one("signing.pkcs11_pin_file", "must hold the PIN and nothing else");
    files.config.signing.pkcs11_pin_file = Some(files.secret("pin", "hunter2"));
    set_mode(&files.path("pin"), 0o604);
    files.has_one("signing.pkcs11_pin_file", "is open to other users (mode 0604)");
    files.config.signing.pkcs11_pin_file = None;
    files.config.signing.pkcs11_module_file = Some(files.path("none"));
    files.has_one("signing.pkcs11_module_file", "is no file");
}
