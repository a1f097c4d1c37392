//! The record of a request that is still being answered.

use super::body::{BodyBeginning, BodyForm, RecordedBody};
use super::headers::MaskedHeaders;
use super::holders::CertificateHolders;
use super::log::RequestLog;
use super::owner::RecordOwner;
use super::record::{Record, RecordedMessage};
use super::refusal::{AnsweredErrorId, BodyIsKept, PlantedEffect, RefusedBy};
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
    record: Record,
    /// What the body of the request is.
    form: BodyForm,
    /// The beginning of the request's body, if there is one that can be shown.
    beginning: Option<BodyBeginning>,
    certificate: Option<Arc<ClientCertificate>>,
    /// Whether it reads a resource: its answer holds no credential.
    is_read: bool,
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

    /// Notes the answer, and its body if that was there as a whole.
    pub(crate) fn note_response(&mut self, recorder: &RequestRecorder, response: &Response, body: Option<Bytes>) {
        let body_bytes_max = recorder.log.settings().body_bytes_max;
        // A reason names the place of a fault, which may be a name that the caller made up.
        let extensions = response.extensions();
        self.record.refused = extensions.get::<RefusedBy>().map(RefusedBy::masked);
        self.record.error_id = extensions.get::<AnsweredErrorId>().map(|id| id.0.clone());
        self.record.fault = extensions.get::<PlantedEffect>().map(|effect| effect.0.clone());
        self.record.response.headers = MaskedHeaders::of(response.headers());
        self.record.response.body = match body {
            // Also where another answer took the place of the one that was made.
            _ if response.body().is_end_stream() => RecordedBody::None,
            Some(body) if self.is_read => {
                RecordedBody::of_read(body, body_bytes_max, extensions.get::<BodyIsKept>().is_some())
            }
            Some(body) => {
                let is_whole = body.len() <= body_bytes_max;
                BodyForm::Json.masked(body.get(..body_bytes_max).unwrap_or(&body), is_whole)
            }
            None => RecordedBody::Other,
        };
    }

    /// Finds whose certificate came with a request that nothing else attributes.
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
