//! The HTTP client of a core: mutual TLS, no redirects, no proxies, and a bounded number of persistent connections.
//!
//! Every call of an account resource is one exchange, so this module uses hyper's client directly, without the redirects, cookies and
//! address parsing of a general web client. A request that an idle connection did not accept is sent on another connection.

use crate::settings::{ConnectorError, ConnectorSettings};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;
use std::time::Duration;

/// The time limit for a TCP connection. The TLS handshake is limited by the deadline of the call.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long an idle connection is kept; shorter than the time limit of the built-in bank's listener.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);

/// Why an exchange returned no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExchangeError {
    /// No complete answer arrived.
    #[error("the core cannot be reached, or its answer was cut off")]
    Lost(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The answer exceeds the size limit; the rest was not read.
    #[error("the answer is too large")]
    TooLarge,
}

/// Sends requests to a core.
#[derive(Debug)]
pub(crate) struct CoreClient {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    answer_bytes_max: usize,
}

impl CoreClient {
    /// Makes a client that presents the configured certificate. The core chooses between HTTP/2, which shares a connection between
    /// concurrent calls, and HTTP/1.1 with one connection for each.
    pub(crate) fn new(settings: &ConnectorSettings) -> Result<Self, ConnectorError> {
        Ok(Self::over_tls(settings.tls_with_certificate()?, settings))
    }

    /// Makes a client that presents no certificate, which a core must refuse.
    pub(crate) fn without_certificate(settings: &ConnectorSettings) -> Result<Self, ConnectorError> {
        Ok(Self::over_tls(settings.tls_without_certificate()?, settings))
    }

    fn over_tls(tls: ClientConfig, settings: &ConnectorSettings) -> Self {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        let https = HttpsConnectorBuilder::new().with_tls_config(tls);
        // Only this crate's own tests connect without TLS.
        let https = if cfg!(test) { https.https_or_http() } else { https.https_only() };
        let client = Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(settings.calls_max)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_timer(TokioTimer::new())
            .build(https.enable_all_versions().wrap_connector(tcp));
        Self { client, answer_bytes_max: settings.answer_bytes_max }
    }

    /// Sends a request and reads the whole answer.
    pub(crate) async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Response<Bytes>, ExchangeError> {
        let response = self.client.request(request).await.map_err(|error| ExchangeError::Lost(error.into()))?;
        let (head, body) = response.into_parts();
        match Limited::new(body, self.answer_bytes_max).collect().await {
            Ok(body) => Ok(Response::from_parts(head, body.to_bytes())),
            Err(error) if error.is::<LengthLimitError>() => Err(ExchangeError::TooLarge),
            Err(error) => Err(ExchangeError::Lost(error)),
        }
    }
}
