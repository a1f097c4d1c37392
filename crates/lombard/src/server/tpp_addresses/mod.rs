//! Calls URLs of TPPs over HTTPS: fetches their key sets (AS-009) and logos, and notifies them of answered backchannel requests (AS-160).
//!
//! The module belongs to this crate because the edge crates send no requests. It needs only the configured hosts and trust anchors.

use super::StartError;
use super::identities::certificates;
use crate::config::{CalledHost, Config};
use async_trait::async_trait;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use lombard_ports::key_source::{KeySource, KeySourceError, NoKeySource};
use lombard_ports::logo_source::{LogoSource, LogoSourceError, NoLogoSource};
use lombard_ports::notification::{BackchannelNotification, NoNotifications, NotificationError, NotificationSender};
use lombard_traces::{Span, SpanKind, write_headers};
use reqwest::redirect::Policy;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The largest key set in bytes. Source: AS-009.
const BYTES_MAX: usize = 256 * 1024;
/// The time limit of a call, from the first byte sent to the last one read. Source: AS-009.
const CALL_WITHIN: Duration = Duration::from_secs(5);

/// The configured source of key sets, which fetches only from the listed hosts.
pub(super) fn key_source(config: &Config) -> Result<Arc<dyn KeySource>, StartError> {
    let hosts = &config.auth.jwks_hosts;
    let anchors = config.auth.jwks_anchors_file.as_deref();
    let trusted = TrustedHosts::open("auth.jwks_anchors_file", hosts, anchors)?;
    Ok(trusted.map_or_else(|| Arc::new(NoKeySource) as Arc<dyn KeySource>, |trusted| Arc::new(trusted)))
}

/// The configured sender of notifications, which notifies only the listed hosts.
pub(super) fn notification_sender(config: &Config) -> Result<Arc<dyn NotificationSender>, StartError> {
    let hosts = &config.auth.notification_hosts;
    let anchors = config.auth.notification_anchors_file.as_deref();
    let trusted = TrustedHosts::open("auth.notification_anchors_file", hosts, anchors)?;
    Ok(trusted.map_or_else(|| Arc::new(NoNotifications) as Arc<dyn NotificationSender>, |trusted| Arc::new(trusted)))
}

/// The configured source of logos, which fetches only from the listed hosts.
pub(super) fn logo_source(config: &Config) -> Result<Arc<dyn LogoSource>, StartError> {
    let hosts = &config.pages.logo_hosts;
    let anchors = config.pages.logo_anchors_file.as_deref();
    let trusted = TrustedHosts::open("pages.logo_anchors_file", hosts, anchors)?;
    Ok(trusted.map_or_else(|| Arc::new(NoLogoSource) as Arc<dyn LogoSource>, |trusted| Arc::new(trusted)))
}

/// Calls only these hosts, whose certificates must chain to these trust anchors.
#[derive(Debug)]
struct TrustedHosts {
    client: reqwest::Client,
    hosts: Vec<CalledHost>,
}

impl TrustedHosts {
    /// Opens the hosts of two settings; `None` if there are none.
    fn open(setting: &'static str, hosts: &[CalledHost], anchors: Option<&Path>) -> Result<Option<Self>, StartError> {
        let Some(file) = anchors.filter(|_| !hosts.is_empty()) else { return Ok(None) };
        let trusted = Self::new(hosts.to_vec(), certificates(setting, file)?);
        trusted.map(Some).map_err(|error| StartError::unusable_file(setting, file, error))
    }

    fn new(hosts: Vec<CalledHost>, anchors: Vec<Vec<u8>>) -> Result<Self, String> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls_client(anchors)?)
            .https_only(true)
            .redirect(Policy::none())
            .no_proxy()
            .timeout(CALL_WITHIN)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self { client, hosts })
    }

    /// Returns the URL if it may be called: its scheme is `https`, its host and port are on the list, and it has no user information.
    fn allowed(&self, url: &str) -> Option<Url> {
        let url = Url::parse(url).ok()?;
        let listed = self.hosts.iter().any(|host| host.is_host_of(&url));
        let plain = url.username().is_empty() && url.password().is_none();
        (url.scheme() == "https" && listed && plain).then_some(url)
    }
}

/// The TLS configuration for calls to servers whose certificates must chain to these trust anchors (DER).
pub(super) fn tls_client(anchors: Vec<Vec<u8>>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    for anchor in anchors {
        roots.add(CertificateDer::from(anchor)).map_err(|error| error.to_string())?;
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// Reads the body of a response that has at most this many bytes.
pub(super) async fn read_bounded(
    mut response: reqwest::Response,
    bytes_max: usize,
) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let mut document = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if document.len().saturating_add(chunk.len()) > bytes_max {
            return Err(format!("it is longer than {bytes_max} bytes").into());
        }
        document.extend_from_slice(&chunk);
    }
    Ok(document)
}

#[async_trait]
impl KeySource for TrustedHosts {
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError> {
        let url = self.allowed(url).ok_or(KeySourceError::NotAllowed)?;
        let span = Span::child("fetch key set", SpanKind::Client);
        span.set("server.address", url.host_str().unwrap_or_default().to_owned());
        span.around(self.fetch_allowed_key_set(url)).await.inspect_err(|_| span.fail("no key set was fetched"))
    }
}

impl TrustedHosts {
    async fn fetch_allowed_key_set(&self, url: Url) -> Result<String, KeySourceError> {
        let failed = |error: reqwest::Error| KeySourceError::Unavailable(error.into());
        let mut headers = HeaderMap::new();
        write_headers(&mut headers, None);
        let response = self.client.get(url).headers(headers).send().await.map_err(failed)?;
        if matches!(response.status(), StatusCode::NOT_FOUND | StatusCode::GONE) {
            return Err(KeySourceError::Absent);
        }
        if response.status() != StatusCode::OK {
            return Err(KeySourceError::Unavailable(format!("it answered {}", response.status()).into()));
        }
        let document = read_bounded(response, BYTES_MAX).await.map_err(KeySourceError::Unavailable)?;
        String::from_utf8(document).map_err(|error| KeySourceError::Unavailable(error.into()))
    }
}

#[async_trait]
impl LogoSource for TrustedHosts {
    async fn fetch_logo(&self, url: &str, bytes_max: usize) -> Result<Vec<u8>, LogoSourceError> {
        let url = self.allowed(url).ok_or(LogoSourceError::NotAllowed)?;
        let response = self.client.get(url).send().await.map_err(|error| LogoSourceError::Unavailable(error.into()))?;
        if response.status() != StatusCode::OK {
            return Err(LogoSourceError::Unavailable(format!("it answered {}", response.status()).into()));
        }
        read_bounded(response, bytes_max).await.map_err(LogoSourceError::Unavailable)
    }
}

#[async_trait]
impl NotificationSender for TrustedHosts {
    async fn notify(&self, notification: &BackchannelNotification<'_>) -> Result<(), NotificationError> {
        let url = self.allowed(notification.endpoint).ok_or(NotificationError::NotAllowed)?;
        let body = serde_json::json!({ "auth_req_id": notification.auth_req_id }).to_string();
        let request = self.client.post(url).bearer_auth(notification.token).header(CONTENT_TYPE, "application/json");
        // The response body is not read, because it has no meaning.
        let response = request.body(body).send().await.map_err(|error| NotificationError::Failed(error.into()))?;
        match response.status() {
            status if status.is_success() => Ok(()),
            status if status.is_server_error() => {
                Err(NotificationError::Failed(format!("it answered {status}").into()))
            }
            status => Err(NotificationError::Refused(status.as_u16())),
        }
    }
}

#[cfg(test)]
mod tests;
