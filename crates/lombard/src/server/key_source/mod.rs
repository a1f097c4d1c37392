//! Key sets of TPPs over HTTPS. Source: AS-009.
//!
//! In the wiring and not in `lombard-http`, which answers requests and makes none: all this needs is what the operator
//! says of hosts and authorities.

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

/// Most bytes of a key set. Source: AS-009.
const BYTES_MAX: usize = 256 * 1024;
/// The longest a fetch may take, from the first byte sent to the last one read. Source: AS-009.
const FETCH_WITHIN: Duration = Duration::from_secs(5);

/// The source that the configuration describes: hosts that may be asked, or none.
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

/// Key sets of these hosts, whose certificates these authorities vouch for.
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

    /// The address, if it is one that may be asked: `https`, a host on the list by its name, its port named there too
    /// unless it is the usual one, nobody's password.
    fn allowed(&self, url: &str) -> Option<Url> {
        let url = Url::parse(url).ok()?;
        let Some(Host::Domain(name)) = url.host() else { return None };
        let host = url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"));
        let listed = self.hosts.iter().any(|known| known.eq_ignore_ascii_case(&host));
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
