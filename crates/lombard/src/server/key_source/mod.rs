//! Key sets of TPPs over HTTPS. Source: AS-009.
//!
//! It is part of the wiring and not of `lombard-http`, which sends no requests. It needs only the configured hosts and trust
//! anchors.

use super::StartError;
use super::identities::certificates;
use crate::config::Config;
use async_trait::async_trait;
use lombard_ports::key_source::{KeySource, KeySourceError, NoKeySource};
use reqwest::redirect::Policy;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use std::time::Duration;
use url::{Host, Url};

/// The largest key set in bytes. Source: AS-009.
const BYTES_MAX: usize = 256 * 1024;
/// The time limit of a fetch, from the first byte sent to the last one read. Source: AS-009.
const FETCH_WITHIN: Duration = Duration::from_secs(5);

/// The configured key source, with the hosts it may fetch from.
pub(super) fn of(config: &Config) -> Result<Arc<dyn KeySource>, StartError> {
    const SETTING: &str = "auth.jwks_anchors_file";
    match (&config.auth.jwks_anchors_file, config.auth.jwks_hosts.is_empty()) {
        (Some(file), false) => {
            let anchors = certificates(SETTING, file)?;
            let source = HttpsKeySource::new(config.auth.jwks_hosts.clone(), anchors);
            Ok(Arc::new(source.map_err(|error| StartError::unusable_file(SETTING, file, error))?))
        }
        (Some(_) | None, _) => Ok(Arc::new(NoKeySource)),
    }
}

/// Fetches key sets from these hosts, whose certificates must chain to these trust anchors.
#[derive(Debug)]
struct HttpsKeySource {
    client: reqwest::Client,
    hosts: Vec<String>,
}

impl HttpsKeySource {
    fn new(hosts: Vec<String>, anchors: Vec<Vec<u8>>) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        for anchor in anchors {
            roots.add(CertificateDer::from(anchor)).map_err(|error| error.to_string())?;
        }
        let tls = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .https_only(true)
            .redirect(Policy::none())
            .timeout(FETCH_WITHIN)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self { client, hosts })
    }

    /// Returns the URL if it may be fetched: `https`, a host name on the list, with the default port or the one listed, and
    /// without user information.
    fn allowed(&self, url: &str) -> Option<Url> {
        let url = Url::parse(url).ok()?;
        let Some(Host::Domain(name)) = url.host() else { return None };
        let host = url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"));
        // A URL does not keep the default port.
        let mut hosts = self.hosts.iter().map(|known| known.strip_suffix(":443").unwrap_or(known));
        let listed = hosts.any(|known| known.eq_ignore_ascii_case(&host));
        let plain = url.username().is_empty() && url.password().is_none();
        (url.scheme() == "https" && listed && plain).then_some(url)
    }
}

#[async_trait]
impl KeySource for HttpsKeySource {
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError> {
        let url = self.allowed(url).ok_or(KeySourceError::NotAllowed)?;
        let failed = |error: reqwest::Error| KeySourceError::Unavailable(error.into());
        let mut response = self.client.get(url).send().await.map_err(failed)?;
        if response.status() != http::StatusCode::OK {
            return Err(KeySourceError::Unavailable(format!("it answered {}", response.status()).into()));
        }
        let mut document = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if document.len().saturating_add(chunk.len()) > BYTES_MAX {
                return Err(KeySourceError::Unavailable(format!("it is longer than {BYTES_MAX} bytes").into()));
            }
            document.extend_from_slice(&chunk);
        }
        String::from_utf8(document).map_err(|error| KeySourceError::Unavailable(error.into()))
    }
}

#[cfg(test)]
mod tests;
