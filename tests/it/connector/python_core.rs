//! The core of `examples/core-python` in a process of its own.

use lombard_connector::{ConnectorSettings, CoreIdentity};
use rcgen::{BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The root of the repository.
pub(super) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Whether Python is installed. Says so loudly if it is not.
pub(super) async fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").stdout(Stdio::null()).status().await;
    let has_python = found.is_ok_and(|status| status.success());
    if !has_python {
        eprintln!("SKIPPED: python3 is not installed, so the core in Python is not tested");
    }
    has_python
}

/// The process, with its certificates.
pub(super) struct PythonCore {
    folder: TempDir,
    process: Child,
    url: String,
    chain: Vec<CertificateDer<'static>>,
    key: Arc<PrivateKeyDer<'static>>,
    anchor: CertificateDer<'static>,
}

impl PythonCore {
    /// Starts the example, or with a fault the wrapper that plants it.
    pub(super) async fn start(fault: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let authority_key = KeyPair::generate().unwrap();
        let mut authority = CertificateParams::new(Vec::new()).unwrap();
        authority.distinguished_name.push(DnType::CommonName, "Authority of a test");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let anchor = authority.self_signed(&authority_key).unwrap();
        let issuer = Issuer::new(authority, authority_key);
        let leaf = |name: &str, purpose: ExtendedKeyUsagePurpose| {
            let key = KeyPair::generate().unwrap();
            let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
            // A leaf whose subject is that of its issuer is taken for one that is self-signed.
            params.distinguished_name.push(DnType::CommonName, name);
            params.extended_key_usages = vec![purpose];
            (params.signed_by(&key, &issuer).unwrap(), key)
        };
        let (server, server_key) = leaf("localhost", ExtendedKeyUsagePurpose::ServerAuth);
        let (client, client_key) = leaf("connector", ExtendedKeyUsagePurpose::ClientAuth);
        for (name, text) in
            [("ca.pem", anchor.pem()), ("core.pem", server.pem()), ("core.key", server_key.serialize_pem())]
        {
            std::fs::write(at(name), text).unwrap();
        }
        let mut command = Command::new("python3");
        match fault {
            None => command.arg(repository().join("examples/core-python/core.py")),
            Some(fault) => command.arg(repository().join("tests/it/connector/faulty_core.py")).arg(fault),
        };
        for (option, name) in
            [("--database", "core.db"), ("--certificate", "core.pem"), ("--key", "core.key"), ("--client-ca", "ca.pem")]
        {
            command.arg(option).arg(at(name));
        }
        command.args(["--port", "0"]).env("PYTHONDONTWRITEBYTECODE", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap_or_default();
        let url = line.strip_prefix("The core listens on ").unwrap_or_else(|| panic!("{line}")).to_owned();
        let key = Arc::new(PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(client_key.serialize_der())));
        Self { folder, process, url, chain: vec![client.der().clone()], key, anchor: anchor.der().clone() }
    }

    /// How a connector reaches it.
    pub(super) fn settings(&self) -> ConnectorSettings {
        let identity = CoreIdentity { chain: self.chain.clone(), key: Arc::clone(&self.key) };
        ConnectorSettings::new(self.url.parse().unwrap(), vec![self.anchor.clone()], identity)
    }

    /// Ends the process, then removes its folder.
    pub(super) async fn stop(mut self) {
        self.process.kill().await.unwrap();
        drop(self.folder);
    }
}
