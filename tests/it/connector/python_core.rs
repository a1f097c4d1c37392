//! The core of `examples/core-python` in a process of its own.

use crate::harness::Authority;
use lombard_connector::{ConnectorSettings, CoreIdentity};
use rcgen::ExtendedKeyUsagePurpose;
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
    settings: ConnectorSettings,
}

impl PythonCore {
    /// Starts the example, or with a fault the wrapper that plants it.
    pub(super) async fn start(fault: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let authority = Authority::new("Authority of a test");
        let server = authority.issue("localhost", &[ExtendedKeyUsagePurpose::ServerAuth]);
        let client = authority.issue("connector", &[ExtendedKeyUsagePurpose::ClientAuth]);
        for (name, text) in [("ca.pem", authority.pem()), ("core.pem", server.pem()), ("core.key", server.key_pem())] {
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
        let identity = CoreIdentity { chain: vec![client.der()], key: Arc::new(client.key_der()) };
        Self {
            folder,
            process,
            settings: ConnectorSettings::new(url.parse().unwrap(), vec![authority.der()], identity),
        }
    }

    /// How a connector reaches it.
    pub(super) fn settings(&self) -> ConnectorSettings {
        self.settings.clone()
    }

    /// Ends the process, then removes its folder.
    pub(super) async fn stop(mut self) {
        self.process.kill().await.unwrap();
        drop(self.folder);
    }
}
