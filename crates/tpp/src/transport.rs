//! HTTP calls over TLS, with or without a client certificate. Redirects are never followed; they are returned as responses.

use crate::error::with_causes;
use crate::{HttpExchange, TppError};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// The time limit of a call in seconds.
const CALL_SECS_MAX: u64 = 60;

/// A function that is called with every completed exchange.
#[derive(Clone)]
pub struct ExchangeObserver(Arc<dyn Fn(&HttpExchange) + Send + Sync>);

impl ExchangeObserver {
    /// Creates an observer from a function.
    pub fn new(look: impl Fn(&HttpExchange) + Send + Sync + 'static) -> Self {
        Self(Arc::new(look))
    }
}

impl fmt::Debug for ExchangeObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// A client certificate chain with its key.
#[derive(Clone)]
pub struct TlsIdentity {
    /// The certificate chain, leaf first.
    pub chain: Vec<CertificateDer<'static>>,
    /// The key of the leaf.
    pub key: Arc<PrivateKeyDer<'static>>,
}

impl fmt::Debug for TlsIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsIdentity").field("certificates", &self.chain.len()).finish_non_exhaustive()
    }
}

/// The HTTP version to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The version negotiated by ALPN.
    Any,
    /// Only HTTP/1.1.
    Http1,
}

/// Builds a TPP's TLS configuration with aws-lc-rs, these trust anchors and this client certificate.
///
/// # Errors
/// [`TppError::Tls`] if the TLS library refuses any of these.
pub fn tls_config(
    anchors: &[CertificateDer<'static>],
    identity: Option<&TlsIdentity>,
    protocol: Protocol,
) -> Result<ClientConfig, TppError> {
    let refused = |error: rustls::Error| TppError::Tls(error.to_string());
    let mut roots = RootCertStore::empty();
    for anchor in anchors {
        roots.add(anchor.clone()).map_err(refused)?;
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(refused)?
        .with_root_certificates(roots);
    let mut config = match identity {
        Some(it) => builder.with_client_auth_cert(it.chain.clone(), it.key.clone_key()).map_err(refused)?,
        None => builder.with_no_client_auth(),
    };
    config.alpn_protocols = match protocol {
        Protocol::Any => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        Protocol::Http1 => vec![b"http/1.1".to_vec()],
    };
    Ok(config)
}

/// An HTTP request to be sent.
#[derive(Debug, Clone)]
pub struct HttpCall {
    method: Method,
    url: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Bytes>,
}

impl HttpCall {
    /// Creates a call with this method.
    pub fn new(method: Method, url: impl Into<String>) -> Self {
        Self { method, url: url.into(), headers: Vec::new(), body: None }
    }

    /// Creates a GET call.
    pub fn get(url: impl Into<String>) -> Self {
        Self::new(Method::GET, url)
    }

    /// Creates a POST call.
    pub fn post(url: impl Into<String>) -> Self {
        Self::new(Method::POST, url)
    }

    /// Adds a header. The same name may be added several times.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// Adds an access token as bearer token.
    #[must_use]
    pub fn with_bearer(self, token: &str) -> Self {
        self.with_header("authorization", format!("Bearer {token}"))
    }

    /// Sets the body without a media type.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sets a JSON body.
    #[must_use]
    pub fn with_json(self, body: &Value) -> Self {
        self.with_header("content-type", "application/json").with_body(body.to_string())
    }

    /// Sets a form as the body.
    #[must_use]
    pub fn with_form<N: AsRef<str>, V: AsRef<str>>(self, fields: impl IntoIterator<Item = (N, V)>) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.with_header("content-type", "application/x-www-form-urlencoded").with_body(body)
    }
}

/// Sends HTTP calls over TLS. Clones share connections.
#[derive(Debug, Clone)]
pub struct Transport {
    client: reqwest::Client,
    observer: Option<ExchangeObserver>,
}

impl Transport {
    /// Creates a transport with these trust anchors and this client certificate.
    ///
    /// # Errors
    /// [`TppError::Tls`] if the TLS library refuses any of these.
    pub fn new(
        anchors: &[CertificateDer<'static>],
        identity: Option<&TlsIdentity>,
        protocol: Protocol,
        observer: Option<ExchangeObserver>,
    ) -> Result<Self, TppError> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls_config(anchors, identity, protocol)?)
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(CALL_SECS_MAX))
            .build()
            .map_err(|error| TppError::Tls(with_causes(&error)))?;
        Ok(Self { client, observer })
    }

    /// Sends a call and reads the whole response.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn send(&self, call: HttpCall) -> Result<HttpExchange, TppError> {
        let no_answer =
            |error: reqwest::Error| TppError::NoAnswer { url: call.url.clone(), reason: with_causes(&error) };
        let mut request = self.client.request(call.method.clone(), &call.url);
        for (name, value) in &call.headers {
            request = request.header(name, value.as_slice());
        }
        if let Some(body) = &call.body {
            request = request.body(body.clone());
        }
        let started = Instant::now();
        let response = request.send().await.map_err(no_answer)?;
        let status = response.status();
        let headers = response.headers().clone();
        let body = response.bytes().await.map_err(no_answer)?;
        let exchange = HttpExchange {
            url: Url::parse(&call.url).map_err(|error| TppError::Answer(format!("{}: {error}", call.url)))?,
            request_headers: header_map(&call.headers),
            method: call.method,
            status,
            headers,
            body,
            duration: started.elapsed(),
        };
        if let Some(observer) = &self.observer {
            (observer.0)(&exchange);
        }
        Ok(exchange)
    }
}

fn header_map(headers: &[(String, Vec<u8>)]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (name.parse::<http::HeaderName>(), HeaderValue::from_bytes(value)) {
            map.append(name, value);
        }
    }
    map
}
