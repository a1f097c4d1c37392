//! `endpoints.json`: the addresses of a running server, for tools on the same machine.

use super::StartError;
use super::run_file::RunFile;
use crate::ops_client;
use lombard_files::FileLifetime;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The file's name in the data directory.
const NAME: &str = "endpoints.json";

/// The addresses of a server. URLs have no trailing slash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoints {
    /// The issuer of the server's tokens. Source: AS-002.
    pub issuer: String,
    /// The public listener.
    pub public: String,
    /// The listener that asks for client certificates.
    pub mtls: String,
    /// The ops listener.
    pub ops: String,
    /// The health listener, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<String>,
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
    pub(super) fn new(public: String, mtls: String, ops: String, health: Option<String>) -> Self {
        Self {
            issuer: public.clone(),
            resource_base: format!("{mtls}/open-banking"),
            well_known: format!("{public}/.well-known/openid-configuration"),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            public,
            mtls,
            ops,
            health,
        }
    }

    /// Returns the endpoints of the server that runs on this data, if it responds.
    pub async fn of_running(data_dir: &Path) -> Option<Self> {
        let text = fs::read_to_string(data_dir.join(NAME)).ok()?;
        let endpoints: Self = serde_json::from_str(&text).ok()?;
        ops_client::is_alive(&endpoints.ops).await.then_some(endpoints)
    }
}

/// Claims the data directory, unless a running server uses it. `lifetime` tells how long the files in it are needed.
pub(super) async fn claim(data_dir: &Path, lifetime: FileLifetime) -> Result<RunFile, StartError> {
    if let Some(running) = Endpoints::of_running(data_dir).await {
        return Err(StartError::Running { path: data_dir.to_owned(), pid: running.pid });
    }
    RunFile::claim(data_dir, NAME, lifetime)
}
