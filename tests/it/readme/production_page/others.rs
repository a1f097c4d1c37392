//! Those whom the page's reader deals with: the authorities, PostgreSQL, the core, the identity provider and the directory.

use crate::harness::{Authority, Bank};
use crate::identity::provider::Provider;
use crate::own_server::{OwnServer, Programs};
use crate::registration::{statement, unregistered};
use jiff::Timestamp;
use lombard_ports::clock::{Clock, SystemClock};
use lombard_tpp::Tpp;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The line in `pg_hba.conf` for those who make the tests' server ready.
const OF_ADMINISTRATORS: &str = "host all lombard 127.0.0.1/32 trust";

pub(super) fn now() -> Timestamp {
    SystemClock.now()
}

/// An authority with its files in a folder, by OpenSSL.
pub(super) struct FileAuthority(PathBuf);

impl FileAuthority {
    pub(super) async fn make(folder: PathBuf) -> Self {
        std::fs::create_dir(&folder).unwrap();
        let it = Self(folder);
        let request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=Authority";
        it.openssl(&format!("{request} -keyout ca.key -out ca.pem")).await;
        it
    }

    /// Its certificate.
    pub(super) fn file(&self) -> PathBuf {
        self.0.join("ca.pem")
    }

    /// Certifies a request as it is; writes the certificate, with that of the authority after it.
    pub(super) async fn certify(&self, request: &Path, certificate: &Path) {
        let arguments = "-CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -copy_extensions copyall";
        let files = format!("-in {} -out {}", request.display(), certificate.display());
        self.openssl(&format!("x509 -req {arguments} {files}")).await;
        let chain = [certificate, &self.file()].map(|file| std::fs::read_to_string(file).unwrap()).concat();
        std::fs::write(certificate, chain).unwrap();
    }

    /// A certificate for `localhost` and its key, of these names in its folder.
    pub(super) async fn issue(&self, name: &str) -> [PathBuf; 2] {
        let request = "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -addext subjectAltName=DNS:localhost";
        self.openssl(&format!("{request} -subj /CN={name} -keyout {name}.key -out {name}.csr")).await;
        let [certificate, key, request] = ["pem", "key", "csr"].map(|end| self.0.join(format!("{name}.{end}")));
        self.certify(&request, &certificate).await;
        [certificate, key]
    }

    async fn openssl(&self, arguments: &str) {
        let mut command = Command::new("openssl");
        let ended = command.args(arguments.split(' ')).current_dir(&self.0).output().await.unwrap();
        assert!(ended.status.success(), "{arguments}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}

/// A PostgreSQL with TLS that admits by this line of the page.
pub(super) async fn database(programs: &Arc<Programs>, authority: &FileAuthority, line: &str) -> OwnServer {
    let [certificate, key] = authority.issue("database").await;
    let read = |file: &Path| std::fs::read_to_string(file).unwrap();
    let mut server = OwnServer::made(programs).await;
    let certificate = server.write("server.pem", &read(&certificate));
    let key = server.write("server.key", &read(&key));
    server.configure(&format!("ssl = on\nssl_cert_file = '{certificate}'\nssl_key_file = '{key}'"));
    let line = line.replace("10.0.1.0/24", "127.0.0.1/32");
    server.admit(&format!("{OF_ADMINISTRATORS}\n{line}\n{}\n", line.replace("127.0.0.1/32", "::1/128")));
    server.run().await;
    server
}

/// The core of `examples/core-python`, whose callers must show a certificate of this authority.
pub(super) struct Core {
    pub(super) url: String,
    _process: Child,
}

impl Core {
    pub(super) async fn start(folder: &Path, authority: &FileAuthority) -> Self {
        let [certificate, key] = authority.issue("core").await;
        let mut command = Command::new("python3");
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/core-python/core.py"));
        command.arg("--database").arg(folder.join("core.db")).args(["--port", "0"]);
        command.arg("--certificate").arg(certificate).arg("--key").arg(key);
        command.arg("--client-ca").arg(authority.file()).env("PYTHONDONTWRITEBYTECODE", "1");
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap_or_default();
        let url = line.strip_prefix("The core listens on ").unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { url, _process: process }
    }
}

/// A provider over TLS, and the file of its authority.
pub(super) async fn provider(folder: &Path) -> (Provider, PathBuf) {
    let authority = Authority::new("authority of the web");
    let provider = Provider::start_with_tls(now().as_second(), &authority.issue("localhost", &[])).await;
    let file = folder.join("web.pem");
    std::fs::write(&file, authority.pem()).unwrap();
    (provider, file)
}

/// The directory, which is that of a sandbox, and a TPP that it lists.
pub(super) struct Directory {
    sandbox: Bank,
    tpp: Tpp,
}

/// The folder of the TPP.
const TPP: &str = "first-shop";

impl Directory {
    pub(super) async fn start() -> Self {
        let sandbox = Bank::start().await;
        let tpp = unregistered(&sandbox, TPP, &json!({})).await;
        Self { sandbox, tpp }
    }

    /// Its address, without `https://`.
    pub(super) fn host(&self) -> String {
        self.sandbox.endpoints().public.replace("https://", "")
    }

    /// The certificates that its address and its TPPs are verified with.
    pub(super) fn anchors(&self) -> [PathBuf; 2] {
        ["ca.pem", "tpp-ca.pem"].map(|name| self.sandbox.data_dir().join(name))
    }

    /// The folder of the TPP.
    pub(super) fn tpp_folder(&self) -> PathBuf {
        self.sandbox.data_dir().join("tpps").join(TPP)
    }

    /// The statement of the TPP's software, as this issuer signs it now.
    pub(super) fn statement(&self, issuer: &str, name: &str) -> String {
        statement(&self.sandbox, &self.tpp, |claims| {
            claims["iss"] = issuer.into();
            claims["iat"] = now().as_second().into();
            claims["software_mode"] = "Live".into();
            claims["software_environment"] = "live".into();
            claims["software_client_name"] = name.into();
        })
    }
}
