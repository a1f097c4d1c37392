//! Checks the promises of the core API itself, which only raw responses show.

use crate::client::{CoreClient, ExchangeError};
use crate::recorder::ExchangeRecorder;
use crate::settings::{ConnectorError, ConnectorSettings};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use lombard_core_api::calls::{EligibleAccounts, write_request};
use lombard_core_api::{BASE_PATH, ErrorBody, ErrorCode};
use lombard_domain::ids::PsuId;
use lombard_ports::bank::CallContext;
use std::future::Future;
use std::pin::Pin;

/// The future of a check.
type WireChecking<'a> = Pin<Box<dyn Future<Output = Result<(), WireViolation>> + 'a>>;

/// A promise about raw responses.
pub(super) struct WirePromise {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) check: for<'a> fn(&'a WireClient, &'a PsuId) -> WireChecking<'a>,
}

/// Why a promise is broken.
#[derive(Debug, thiserror::Error)]
pub(super) enum WireViolation {
    #[error("no answer came")]
    NoAnswer(#[source] ExchangeError),
    #[error("the request cannot be made")]
    Request(#[from] http::Error),
    #[error("the answer has status {0}")]
    Status(StatusCode),
    #[error("the body is not an error of the core API: an object with Error, Message and Fault")]
    Body,
    #[error("the error is {0:?}")]
    Code(ErrorCode),
    #[error("no fault names the path `{0}`")]
    Fault(&'static str),
    #[error("a caller without a certificate was answered")]
    Answered,
}

/// The promises, in the order in which they are checked.
pub(super) const PROMISES: &[WirePromise] = &[
    WirePromise {
        name: "the core is healthy",
        about: "GET /core/v1/health answers 200.",
        check: |wire, _| Box::pin(is_healthy(wire)),
    },
    WirePromise {
        name: "a caller without a certificate is refused",
        about: "The handshake fails, or no answer is given.",
        check: |wire, _| Box::pin(refuses_strangers(wire)),
    },
    WirePromise {
        name: "an unknown method is an error of its own",
        about: "The answer is 404 with the error UnknownMethod.",
        check: |wire, _| Box::pin(knows_its_methods(wire)),
    },
    WirePromise {
        name: "a faulty request is answered with its faults",
        about: "The answer is 400 with the error Invalid; a fault names the path of a missing member.",
        check: |wire, _| Box::pin(names_faults(wire)),
    },
    WirePromise {
        name: "unknown members are skipped",
        about: "A request with a member that the core does not know is answered as without it.",
        check: |wire, customer| Box::pin(skips_members(wire, customer)),
    },
];

/// Sends requests with arbitrary content.
pub(super) struct WireClient {
    client: CoreClient,
    stranger: CoreClient,
    url: String,
    recorder: ExchangeRecorder,
}

impl WireClient {
    pub(super) fn new(settings: &ConnectorSettings, recorder: ExchangeRecorder) -> Result<Self, ConnectorError> {
        let url = [settings.url.as_str().trim_end_matches('/'), BASE_PATH, "/"].concat();
        let client = CoreClient::new(settings)?;
        let stranger = CoreClient::without_certificate(settings)?;
        Ok(Self { client, stranger, url, recorder })
    }

    fn request(&self, method: Method, path: &str) -> http::request::Builder {
        Request::builder().method(method).uri([&self.url, path].concat())
    }

    async fn send(
        &self,
        method: Method,
        path: &'static str,
        body: String,
    ) -> Result<(StatusCode, Vec<u8>), WireViolation> {
        self.recorder.take_last();
        let body = Bytes::from(body);
        let request = self.request(method, path).header(CONTENT_TYPE, "application/json");
        let request = request.body(Full::new(body.clone()))?;
        let (head, answer) = self.client.exchange(request).await.map_err(WireViolation::NoAnswer)?.into_parts();
        self.recorder.record(path, &body, head.status, &answer);
        Ok((head.status, answer.into()))
    }

    /// Sends a request that must be refused with this status and error.
    async fn refused(
        &self,
        path: &'static str,
        body: &str,
        (status, code): (StatusCode, ErrorCode),
    ) -> Result<ErrorBody, WireViolation> {
        let (found, answer) = self.send(Method::POST, path, body.to_owned()).await?;
        if found != status {
            return Err(WireViolation::Status(found));
        }
        let error = ErrorBody::from_json(&answer).ok_or(WireViolation::Body)?;
        if error.code == code { Ok(error) } else { Err(WireViolation::Code(error.code)) }
    }
}

async fn is_healthy(wire: &WireClient) -> Result<(), WireViolation> {
    let (status, _) = wire.send(Method::GET, "health", String::new()).await?;
    if status == StatusCode::OK { Ok(()) } else { Err(WireViolation::Status(status)) }
}

async fn refuses_strangers(wire: &WireClient) -> Result<(), WireViolation> {
    let request = wire.request(Method::GET, "health").body(Full::default())?;
    match wire.stranger.exchange(request).await {
        Err(_) => Ok(()),
        Ok(answer) if matches!(answer.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => Ok(()),
        Ok(_) => Err(WireViolation::Answered),
    }
}

async fn knows_its_methods(wire: &WireClient) -> Result<(), WireViolation> {
    wire.refused("no-such-method", "{}", (StatusCode::NOT_FOUND, ErrorCode::UnknownMethod)).await.map(drop)
}

async fn names_faults(wire: &WireClient) -> Result<(), WireViolation> {
    let expected = (StatusCode::BAD_REQUEST, ErrorCode::Invalid);
    for body in ["{", "[]", r#"{"PSU": 7}"#] {
        wire.refused("eligible-accounts", body, expected).await?;
    }
    let error = wire.refused("eligible-accounts", "{}", expected).await?;
    if error.faults.iter().any(|it| it.path == "PSU") { Ok(()) } else { Err(WireViolation::Fault("PSU")) }
}

async fn skips_members(wire: &WireClient, customer: &PsuId) -> Result<(), WireViolation> {
    let body = write_request(&CallContext::default(), &EligibleAccounts { psu: customer.clone() });
    let body = String::from_utf8_lossy(&body).replacen('{', r#"{"NoSuchMember":{"A":1},"#, 1);
    let (status, _) = wire.send(Method::POST, "eligible-accounts", body).await?;
    if status == StatusCode::OK { Ok(()) } else { Err(WireViolation::Status(status)) }
}
