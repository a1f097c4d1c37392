//! A request that is recorded while it is answered.

use super::body::{BodyBeginning, BodyForm, RecordedBody};
use super::headers::PackedHeaders;
use super::holders::CertificateHolders;
use super::log::RequestLog;
use super::record::{Record, RecordedMessage};
use super::refusal::{AnsweredErrorId, PlantedEffect, RefusedBy};
use super::ring::RecordOwner;
use super::text;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::{Method, StatusCode};
use http_body::Body as _;
use jiff::Timestamp;
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use std::sync::Arc;
use std::time::Duration;

/// How the paths of resources begin.
const RESOURCES: &str = "/open-banking/";

/// Records the requests of a listener.
#[derive(Debug, Clone)]
pub struct RequestRecorder {
    /// Where to.
    pub log: Arc<RequestLog>,
    /// Which of them.
    pub routes: RecordedRoutes,
    /// Whose certificates there are, where certificates are asked for.
    pub holders: Option<CertificateHolders>,
}

/// Which requests of a listener are those of TPPs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedRoutes {
    /// All: only TPPs call here.
    All,
    /// Authorisation requests: everything else is the customers'.
    Authorisation,
}

impl RecordedRoutes {
    fn include(self, path: &str) -> bool {
        match self {
            Self::All => true,
            Self::Authorisation => path == OAuthEndpoint::Authorization.path(),
        }
    }
}

/// A record that is not finished.
#[derive(Debug)]
pub(crate) struct RecordDraft {
    log: Arc<RequestLog>,
    at: Timestamp,
    method: Method,
    target: String,
    headers: PackedHeaders,
    form: BodyForm,
    /// The beginning of the request's body, if there is one that can be shown.
    beginning: Option<BodyBeginning>,
    /// Whether there is a body that cannot be shown.
    has_other_body: bool,
    certificate: Option<Arc<ClientCertificate>>,
    /// Whether it reads a resource: its answer holds no credential.
    is_read: bool,
    response: RecordedMessage,
    refused: Option<RefusedBy>,
    error_id: Option<Box<str>>,
    fault: Option<Box<str>>,
    /// The clients whose certificate came with it, if nothing else says who called.
    holders: Arc<[ClientId]>,
}

/// What is known of a request when it is over.
pub(crate) struct FinishedRequest<'a> {
    pub(crate) status: StatusCode,
    pub(crate) interaction: &'a FapiInteractionId,
    pub(crate) client: Option<&'a ClientId>,
    pub(crate) took: Duration,
}

impl RecordDraft {
    /// Begins a record of the request, whose body is watched from now on.
    pub(crate) fn begin(recorder: &RequestRecorder, request: &mut Request) -> Option<Self> {
        let path = request.uri().path();
        if !recorder.routes.include(path) {
            return None;
        }
        let log = Arc::clone(&recorder.log);
        let is_read = request.method() == Method::GET && path.starts_with(RESOURCES);
        let form = BodyForm::of(request.headers());
        let has_body = !request.body().is_end_stream();
        let beginning = (has_body && form != BodyForm::Other).then(|| {
            let body = std::mem::replace(request.body_mut(), Body::empty());
            let (body, beginning) = BodyBeginning::watch(body, log.settings().body_bytes_max);
            *request.body_mut() = body;
            beginning
        });
        Some(Self {
            at: log.now(),
            method: text::method(request.method()),
            target: text::target(request.uri()),
            headers: PackedHeaders::of(request.headers()),
            form,
            has_other_body: has_body && beginning.is_none(),
            beginning,
            certificate: request.extensions().get().cloned(),
            is_read,
            response: RecordedMessage::default(),
            refused: None,
            error_id: None,
            fault: None,
            holders: Arc::default(),
            log,
        })
    }

    /// Notes the answer, and its body if that was there as a whole.
    pub(crate) fn note_response(&mut self, response: &Response, body: Option<Bytes>) {
        // A reason names the place of a fault, which may be a name that the caller made up.
        let extensions = response.extensions();
        self.refused = extensions.get::<RefusedBy>().map(RefusedBy::masked);
        self.error_id = extensions.get::<AnsweredErrorId>().map(|id| id.0.clone());
        self.fault = extensions.get::<PlantedEffect>().map(|effect| effect.0.clone());
        let body = match body {
            // Also where another answer took the place of the one that was made.
            _ if response.body().is_end_stream() => RecordedBody::None,
            Some(body) => self.recorded(&body),
            None => RecordedBody::Other,
        };
        self.response = RecordedMessage { headers: PackedHeaders::of(response.headers()), body };
    }

    fn recorded(&self, body: &Bytes) -> RecordedBody {
        let bytes_max = self.log.settings().body_bytes_max;
        let beginning = body.get(..bytes_max);
        let is_whole = beginning.is_none_or(|beginning| beginning.len() == body.len());
        match beginning.filter(|_| !is_whole) {
            _ if !self.is_read => BodyForm::Json.masked(beginning.unwrap_or(body), is_whole),
            // A part of the bytes would keep all of them in memory.
            Some(beginning) => RecordedBody::Sent(Bytes::copy_from_slice(beginning), false),
            None => RecordedBody::Sent(body.clone(), true),
        }
    }

    /// Finds whose certificate came with a request that nothing else attributes.
    pub(crate) async fn find_holders(&mut self, recorder: &RequestRecorder) {
        if let (Some(holders), Some(certificate)) = (&recorder.holders, &self.certificate) {
            self.holders = holders.find(certificate).await;
        }
    }

    /// Adds the record to the log, if this client's requests are recorded.
    pub(crate) fn finish(self, request: FinishedRequest<'_>) {
        let FinishedRequest { status, interaction, client, took } = request;
        let recorded = &self.log.settings().recorded;
        let holders = if client.is_none() { recorded.among(self.holders) } else { Arc::default() };
        if !recorded.include(client) && holders.is_empty() {
            return;
        }
        let body = match &self.beginning {
            Some(beginning) => beginning.take(self.form),
            None if self.has_other_body => RecordedBody::Other,
            None => RecordedBody::None,
        };
        let owner = match (client, &*holders, &self.certificate) {
            (Some(client), _, _) | (None, [client], _) => RecordOwner::Client(client.clone()),
            (None, _, Some(certificate)) => RecordOwner::Certificate(certificate.thumbprint()),
            (None, _, None) => RecordOwner::Anonymous,
        };
        let record = Record {
            at: self.at,
            method: self.method,
            target: self.target,
            status: status.as_u16(),
            interaction: interaction.clone(),
            client: client.cloned(),
            holders,
            took,
            refused: self.refused,
            error_id: self.error_id,
            fault: self.fault,
            request: RecordedMessage { headers: self.headers, body },
            response: self.response,
        };
        self.log.add(owner, record);
    }
}
