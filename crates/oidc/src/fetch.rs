//! HTTP calls of the provider, which are bounded in time and size and follow no redirects.

use crate::error::{ProviderError, SetupError};
use crate::meters::{ActiveCall, ProviderCall};
use crate::settings::{ClientTls, OidcSettings};
use http::{HeaderMap, StatusCode};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use std::time::Duration;
use url::{Host, Url};

/// The most bytes of a response.
const BYTES_MAX: usize = 256 * 1024;

/// Sends requests to the provider.
pub(crate) struct Fetcher {
    client: Client,
    plain_loopback: bool,
    has_certificate: bool,
}

/// A response whose body has been read completely.
pub(crate) struct Fetched {
    pub status: StatusCode,
    pub body: Vec<u8>,
}

impl Fetcher {
    pub(crate) fn new(settings: &OidcSettings, tls: ClientTls) -> Result<Self, SetupError> {
        Self::with_limits(settings.timeout, settings.plain_loopback, tls)
    }

    /// A fetcher with this time limit of calls, which may call addresses of this machine without TLS if that is allowed.
    pub(crate) fn with_limits(timeout: Duration, plain_loopback: bool, tls: ClientTls) -> Result<Self, SetupError> {
        let refused = |error: rustls::Error| SetupError::Tls(error.to_string());
        let mut roots = RootCertStore::empty();
        for anchor in tls.anchors {
            roots.add(anchor).map_err(refused)?;
        }
        let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(refused)?
            .with_root_certificates(roots);
        let has_certificate = tls.identity.is_some();
        let config = match tls.identity {
            Some((chain, key)) => builder.with_client_auth_cert(chain, key).map_err(refused)?,
            None => builder.with_no_client_auth(),
        };
        let client = Client::builder()
            .tls_backend_preconfigured(config)
            .https_only(!plain_loopback)
            .redirect(Policy::none())
            .timeout(timeout)
            .no_proxy()
            .build()
            .map_err(|error| SetupError::Tls(error.to_string()))?;
        Ok(Self { client, plain_loopback, has_certificate })
    }

    /// Whether connections authenticate the server by a certificate.
    pub(crate) const fn has_certificate(&self) -> bool {
        self.has_certificate
    }

    /// Whether an address may be called: it is `https`, or of this machine if that is allowed, and has no user information.
    pub(crate) fn may_call(&self, address: &str) -> bool {
        let Ok(url) = Url::parse(address) else { return false };
        let is_loopback = match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        };
        let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        is_plain && (url.scheme() == "https" || (url.scheme() == "http" && is_loopback && self.plain_loopback))
    }

    pub(crate) async fn get(&self, call: ProviderCall, address: &str) -> Result<Fetched, ProviderError> {
        self.send(call, self.client.get(self.allowed(address)?)).await
    }

    pub(crate) async fn post_form(
        &self,
        call: ProviderCall,
        address: &str,
        form: &[(&str, &str)],
    ) -> Result<Fetched, ProviderError> {
        self.send(call, self.client.post(self.allowed(address)?).form(form)).await
    }

    fn allowed<'a>(&self, address: &'a str) -> Result<&'a str, ProviderError> {
        if self.may_call(address) { Ok(address) } else { Err(ProviderError::Unusable("an address is not https")) }
    }

    async fn send(&self, call: ProviderCall, request: RequestBuilder) -> Result<Fetched, ProviderError> {
        let active = ActiveCall::start(call);
        let span = active.span.clone();
        let fetched = span.around(self.exchange(request)).await;
        active.end(fetched.as_ref().map(|it| it.status));
        fetched
    }

    async fn exchange(&self, request: RequestBuilder) -> Result<Fetched, ProviderError> {
        let mut headers = HeaderMap::new();
        lombard_traces::write_headers(&mut headers, None);
        let request = request.headers(headers);
        let mut response = request.send().await.map_err(ProviderError::Unreachable)?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(ProviderError::Unreachable)? {
            if body.len().saturating_add(chunk.len()) > BYTES_MAX {
                return Err(ProviderError::Unusable("an answer is too long"));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Fetched { status, body })
    }
}
