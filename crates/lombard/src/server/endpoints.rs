//! `endpoints.json`: the addresses of a running server, for tools on the same machine.

use super::StartError;
use crate::ops_client;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The file's name in the data directory.
const NAME: &str = "endpoints.json";

/// The addresses of a server. URLs have no trailing slash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoints {
    /// The issuer of its tokens. Source: AS-002.
    pub issuer: String,
    /// The public listener.
    pub public: String,
    /// The listener that asks for client certificates.
    pub mtls: String,
    /// The ops listener.
    pub ops: String,
    /// The base address of the Read/Write API.
    pub resource_base: String,
    /// The discovery document.
    pub well_known: String,
    /// The program's version.
    pub version: String,
    /// The server's process id.
    pub pid: u32,
}

impl Endpoints {
    pub(super) fn new(public: String, mtls: String, ops: String) -> Self {
        Self {
            issuer: public.clone(),
            resource_base: format!("{mtls}/open-banking"),
            well_known: format!("{public}/.well-known/openid-configuration"),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            public,
            mtls,
            ops,
        }
    }

    /// The endpoints of the server that runs on this data, if it responds.
    pub async fn of_running(data_dir: &Path) -> Option<Self> {
        let text = fs::read_to_string(data_dir.join(NAME)).ok()?;
        let endpoints: Self = serde_json::from_str(&text).ok()?;
        ops_client::is_alive(&endpoints.ops).await.then_some(endpoints)
    }
}

/// Creates the data directory, accessible to its owner only.
pub(super) fn folder(data_dir: &Path) -> Result<(), StartError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(data_dir);
    made.map_err(|source| StartError::Folder { path: data_dir.to_owned(), source })
}

/// The file of one server. It is removed on drop, however the server ends.
#[derive(Debug)]
pub(super) struct EndpointsFile {
    path: PathBuf,
    is_written: bool,
}

impl EndpointsFile {
    /// Creates the data directory, fails if a running server uses it, and removes the file of a dead one.
    pub(super) async fn claim(data_dir: &Path) -> Result<Self, StartError> {
        folder(data_dir)?;
        if let Some(running) = Endpoints::of_running(data_dir).await {
            return Err(StartError::Running { path: data_dir.to_owned(), pid: running.pid });
        }
        let path = data_dir.join(NAME);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(StartError::Folder { path, source }),
            _ => Ok(Self { path, is_written: false }),
        }
    }

    /// Writes the file by rename, so that a reader never sees a part of it.
    pub(super) fn write(&mut self, endpoints: &Endpoints) -> Result<(), StartError> {
        let failed = |source| StartError::Folder { path: self.path.clone(), source };
        let text = serde_json::to_string_pretty(endpoints).map_err(|error| failed(error.into()))?;
        let fresh = self.path.with_extension("json.new");
        fs::write(&fresh, format!("{text}\n")).and_then(|()| fs::rename(&fresh, &self.path)).map_err(failed)?;
        self.is_written = true;
        Ok(())
    }
}

impl Drop for EndpointsFile {
    /// If this fails, the next start removes the file.
    fn drop(&mut self) {
        if self.is_written
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!(%error, "endpoints.json cannot be removed");
        }
    }
}
