//! The record of a request that is still being answered.

use super::body::{BodyBeginning, BodyForm, KeptBody};
use super::holders::CertificateHolders;
use super::log::RequestLog;
use super::owner::RecordOwner;
use super::record::{Record, RecordedMessage, RecordedRefusal};
use super::refusal::{AnsweredErrorId, BodyIsKept, PlantedEffect, RefusedBy};
use super::text;
use super::texts::RequestTexts;
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
    /// When it came: microseconds since 1970 (wall clock).
    at_micros: i64,
    method: Method,
    texts: RequestTexts,
    /// What the body of the request is.
    form: BodyForm,
    /// The beginning of the request's body, if there is one that can be shown.
    beginning: Option<BodyBeginning>,
    /// Whether there is a body that cannot be shown.
    has_other_body: bool,
    certificate: Option<Arc<ClientCertificate>>,
    /// Whether it reads a resource: its answer holds no credential.
    is_read: bool,
    response_body: KeptBody,
    refused: Option<RefusedBy>,
    error_id: Option<Box<str>>,
    fault: Option<Box<str>>,
    /// The clients whose certificate came with it, if nothing else says who called.
    holders: Option<Arc<[ClientId]>>,
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
        Some(Box::new(Self {
            at_micros: log.now().as_microsecond(),
            method: text::method(request.method()),
            texts: RequestTexts::of(request),
            form,
            has_other_body: has_body && beginning.is_none(),
            beginning,
            certificate: request.extensions().get().cloned(),
            is_read,
            response_body: KeptBody::None,
            refused: None,
            error_id: None,
            fault: None,
            holders: None,
        }))
    }

    /// Notes the answer, and its body if that was there as a whole.
    pub(crate) fn note_response(&mut self, recorder: &RequestRecorder, response: &Response, body: Option<Bytes>) {
        let body_bytes_max = recorder.log.settings().body_bytes_max;
        // A reason names the place of a fault, which may be a name that the caller made up.
        let extensions = response.extensions();
        self.refused = extensions.get::<RefusedBy>().map(RefusedBy::masked);
        self.error_id = extensions.get::<AnsweredErrorId>().map(|id| id.0.clone());
        self.fault = extensions.get::<PlantedEffect>().map(|effect| effect.0.clone());
        self.texts.add_response(response.headers());
        self.response_body = match body {
            // Also where another answer took the place of the one that was made.
            _ if response.body().is_end_stream() => KeptBody::None,
            Some(body) if self.is_read => {
                KeptBody::of_read(body, body_bytes_max, extensions.get::<BodyIsKept>().is_some())
            }
            Some(body) => {
                let is_whole = body.len() <= body_bytes_max;
                BodyForm::Json.masked(body.get(..body_bytes_max).unwrap_or(&body), is_whole)
            }
            None => KeptBody::Other,
        };
    }

    /// Finds whose certificate came with a request that nothing else attributes.
    pub(crate) async fn find_holders(&mut self, recorder: &RequestRecorder) {
        if let (Some(holders), Some(certificate)) = (&recorder.holders, &self.certificate) {
            self.holders = Some(holders.find(certificate).await);
        }
    }

    /// Adds the record to the log, if this client's requests are recorded.
    pub(crate) fn finish(&self, recorder: &RequestRecorder, request: FinishedRequest<'_>) {
        let FinishedRequest { status, interaction, client, took } = request;
        let recorded = &recorder.log.settings().recorded;
        let found = self.holders.as_deref().filter(|_| client.is_none()).unwrap_or_default();
        let holders = recorded.among(found);
        if !recorded.include(client) && holders.is_empty() {
            return;
        }
        let body = match &self.beginning {
            Some(beginning) => beginning.take(self.form),
            None if self.has_other_body => KeptBody::Other,
            None => KeptBody::None,
        };
        let owner = match (client, holders, &self.certificate) {
            (Some(client), _, _) | (None, [client], _) => RecordOwner::Client(client.as_str()),
            (None, _, Some(certificate)) => RecordOwner::Certificate(certificate.thumbprint()),
            (None, _, None) => RecordOwner::Anonymous,
        };
        let refused = self.refused.as_ref();
        let record = Record {
            at_micros: self.at_micros,
            method: self.method.as_str(),
            target: self.texts.target(),
            status: status.as_u16(),
            interaction: interaction.as_str(),
            client: client.map(ClientId::as_str),
            holders: holders.iter().map(ClientId::as_str).collect(),
            took,
            refused: refused.map(|it| RecordedRefusal { rule: it.rule, reason: &it.reason }),
            error_id: self.error_id.as_deref(),
            fault: self.fault.as_deref(),
            request: RecordedMessage { headers: self.texts.request_headers(), body: body.recorded() },
            response: RecordedMessage { headers: self.texts.response_headers(), body: self.response_body.recorded() },
            beside: self.response_body.beside(),
        };
        recorder.log.add(owner, &record);
    }
}
