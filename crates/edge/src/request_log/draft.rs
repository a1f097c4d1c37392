//! The record of a request in progress.

use super::body::{BodyBeginning, BodyForm, RecordedBody};
use super::headers::MaskedHeaders;
use super::holders::CertificateHolders;
use super::log::RequestLog;
use super::owner::RecordOwner;
use super::record::{Record, RecordedMessage};
use super::refusal::{AnsweredErrorId, BodyIsCached, InjectedEffect, RefusedBy};
use super::text;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::{Method, StatusCode};
use http_body::Body as _;
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use std::sync::Arc;
use std::time::Duration;

/// The start of the paths of resources.
const RESOURCES: &str = "/open-banking/";

/// Records the requests of a listener.
#[derive(Debug, Clone)]
pub struct RequestRecorder {
    /// The log that gets the records.
    pub log: Arc<RequestLog>,
    /// The requests that are recorded.
    pub routes: RecordedRoutes,
    /// The finder of certificate holders, on a listener with client certificates.
    pub holders: Option<CertificateHolders>,
}

/// The requests of a listener that are recorded, which are those of TPPs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedRoutes {
    /// All requests, because only TPPs call the listener.
    All,
    /// Authorisation requests only, because all other requests come from customers.
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

/// An unfinished record.
#[derive(Debug)]
pub(crate) struct RecordDraft {
    record: Record,
    /// The format of the request body.
    form: BodyForm,
    /// The beginning of the request body, if it has a format that can be shown.
    beginning: Option<BodyBeginning>,
    certificate: Option<Arc<ClientCertificate>>,
    /// Whether the request reads a resource, so that its response contains no credential.
    is_read: bool,
}

/// The facts about a finished request.
pub(crate) struct FinishedRequest<'a> {
    pub(crate) status: StatusCode,
    pub(crate) interaction: &'a FapiInteractionId,
    pub(crate) client: Option<&'a ClientId>,
    pub(crate) took: Duration,
}

impl RecordDraft {
    /// Begins a record of the request, whose body is recorded while it is read.
    pub(crate) fn begin(recorder: &RequestRecorder, request: &mut Request) -> Option<Box<Self>> {
        let path = request.uri().path();
        if !recorder.routes.include(path) {
            return None;
        }
        let log = &recorder.log;
        let is_read = request.method() == Method::GET && path.starts_with(RESOURCES);
        let has_body = !request.body().is_end_stream();
        let form = if has_body { BodyForm::of(request.headers()) } else { BodyForm::Other };
        let beginning = (has_body && form != BodyForm::Other).then(|| {
            let body = std::mem::replace(request.body_mut(), Body::empty());
            let (body, beginning) = BodyBeginning::watch(body, log.settings().body_bytes_max);
            *request.body_mut() = body;
            beginning
        });
        let record = Record {
            at_micros: log.now().as_microsecond(),
            method: text::method(request.method()),
            target: text::target(request.uri()),
            request: RecordedMessage {
                headers: MaskedHeaders::of(request.headers()),
                body: if has_body { RecordedBody::Other } else { RecordedBody::None },
            },
            ..Record::default()
        };
        let certificate = request.extensions().get().cloned();
        Some(Box::new(Self { record, form, beginning, certificate, is_read }))
    }

    /// Records the response, and its body if that was complete.
    pub(crate) fn note_response(&mut self, recorder: &RequestRecorder, response: &Response, body: Option<Bytes>) {
        let body_bytes_max = recorder.log.settings().body_bytes_max;
        // A reason contains the path of a fault, which may contain a name chosen by the caller.
        let extensions = response.extensions();
        self.record.refused = extensions.get::<RefusedBy>().map(RefusedBy::masked);
        self.record.error_id = extensions.get::<AnsweredErrorId>().map(|id| id.0.clone());
        self.record.fault = extensions.get::<InjectedEffect>().map(|effect| effect.0.clone());
        self.record.response.headers = MaskedHeaders::of(response.headers());
        self.record.response.body = match body {
            // This also applies if another response replaced the original one.
            _ if response.body().is_end_stream() => RecordedBody::None,
            Some(body) if self.is_read => {
                RecordedBody::of_read(body, body_bytes_max, extensions.get::<BodyIsCached>().is_some())
            }
            Some(body) => {
                let is_whole = body.len() <= body_bytes_max;
                BodyForm::Json.masked(body.get(..body_bytes_max).unwrap_or(&body), is_whole)
            }
            None => RecordedBody::Other,
        };
    }

    /// Finds the holders of the certificate of a request whose client is not known otherwise.
    pub(crate) async fn find_holders(&mut self, recorder: &RequestRecorder) {
        if let (Some(holders), Some(certificate)) = (&recorder.holders, &self.certificate) {
            self.record.holders = holders.find(certificate).await;
        }
    }

    /// Adds the record to the log, if this client's requests are recorded.
    pub(crate) fn finish(self, recorder: &RequestRecorder, request: FinishedRequest<'_>) {
        let FinishedRequest { status, interaction, client, took } = request;
        let Self { mut record, form, beginning, certificate, .. } = self;
        let recorded = &recorder.log.settings().recorded;
        if client.is_some() || !recorded.include_all(&record.holders) {
            record.holders = Arc::default();
        }
        if !recorded.include(client) && record.holders.is_empty() {
            return;
        }
        if let Some(beginning) = beginning {
            record.request.body = beginning.take(form);
        }
        record.status = status.as_u16();
        record.interaction = Some(interaction.clone());
        record.client = client.cloned();
        record.took = took;
        let owner = match (client, &*record.holders, certificate) {
            (Some(client), ..) | (None, [client], _) => RecordOwner::Client(client.clone()),
            (None, _, Some(certificate)) => RecordOwner::Certificate(certificate.thumbprint()),
            (None, _, None) => RecordOwner::Anonymous,
        };
        recorder.log.add(owner, record);
    }
}
