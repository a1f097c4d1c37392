//! Builds the settings of client registration: the directories, and the sources of their key sets.

use super::{Endpoints, Sandbox, StartError, tpp_addresses};
use crate::config::{Config, DirectoryKeysSetting, read_key_set};
use async_trait::async_trait;
use lombard_auth::registration::{Directory, DirectoryKeys, RegistrationSettings};
use lombard_domain::client::KeySetAddress;
use lombard_jose::KeySet;
use lombard_oauth::DIRECTORY_PATH;
use lombard_ports::key_source::{KeySource, KeySourceError};
use std::sync::Arc;

/// The largest age of a software statement in production, in seconds. Source: DCR-021.
const STATEMENT_AGE_SECS_MAX: u64 = 1800;

/// The settings of client registration; `None` if no directory is configured.
pub(super) fn settings(config: &Config, sandbox: Option<&Sandbox>) -> Result<Option<RegistrationSettings>, StartError> {
    let dcr = &config.dcr;
    let mut directories = Vec::new();
    for directory in &dcr.directories {
        let keys = match &directory.keys {
            DirectoryKeysSetting::Url(url) => {
                DirectoryKeys::Published(KeySetAddress { url: url.clone(), revoked_url: None })
            }
            DirectoryKeysSetting::File(file) => {
                let read = read_key_set(file);
                let keys = read.map_err(|reason| StartError::unusable_file("dcr.directories", file, reason))?;
                DirectoryKeys::Local(Arc::new(keys))
            }
        };
        directories.push(Directory { issuer: directory.issuer.clone(), keys });
    }
    let mut audiences = dcr.audiences.clone();
    audiences.extend(config.signing.organisation_id.clone());
    if let Some(sandbox) = sandbox {
        let trust = sandbox.trust();
        let keys = DirectoryKeys::Local(Arc::new(KeySet::from_iter([trust.directory_key().clone()])));
        directories.push(Directory { issuer: trust.directory_issuer().to_owned(), keys });
        audiences.push(sandbox.organisation());
    }
    if directories.is_empty() {
        return Ok(None);
    }
    let usual_age = if config.is_sandbox() { 0 } else { STATEMENT_AGE_SECS_MAX };
    let age = i64::try_from(dcr.ssa_max_age_s.unwrap_or(usual_age)).unwrap_or(i64::MAX);
    Ok(Some(RegistrationSettings {
        directories,
        audiences,
        statement_age_secs_max: Some(age).filter(|age| *age > 0),
        live_software_only: !config.is_sandbox(),
        policy: dcr.policy,
        allowed: dcr.allowed.clone(),
        software_registrations_max: dcr.software_registrations_max,
    }))
}

/// The source of the key sets of TPPs and directories. Key sets of the sandbox's own directory are read without a request to this server;
/// others are fetched from the configured hosts.
pub(super) fn key_source(
    config: &Config,
    endpoints: &Endpoints,
    sandbox: Option<&Sandbox>,
) -> Result<Arc<dyn KeySource>, StartError> {
    let hosts = tpp_addresses::key_source(config)?;
    let Some(sandbox) = sandbox else { return Ok(hosts) };
    let own = format!("{}{DIRECTORY_PATH}/", endpoints.public);
    Ok(Arc::new(SandboxKeySource { own, directory: sandbox.directory(), hosts }))
}

#[derive(Debug)]
struct SandboxKeySource {
    /// The prefix of the URLs of the sandbox's directory.
    own: String,
    directory: Arc<dyn KeySource>,
    hosts: Arc<dyn KeySource>,
}

#[async_trait]
impl KeySource for SandboxKeySource {
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError> {
        let source = if url.starts_with(&self.own) { &self.directory } else { &self.hosts };
        source.fetch_key_set(url).await
    }
}
