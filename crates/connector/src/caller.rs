//! Makes one call of the core, with deadline, repetitions, breaker and metrics.

use crate::breaker::{Admission, Breaker, BreakerSettings, BreakerState, CallOutcome};
use crate::client::{CoreClient, ExchangeError};
use crate::meters::{self, ANSWERED, CallMeters, CountedCall};
use crate::settings::{ConnectorError, ConnectorSettings};
use crate::transport::{CoreTransport, describe_faults};
use async_trait::async_trait;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use http::{Request, StatusCode, Uri};
use http_body_util::Full;
use lombard_core_api::calls::{ConfirmPayee, CoreCall, Method, methods};
use lombard_core_api::{BASE_PATH, ErrorBody, ErrorCode};
use lombard_ports::bank::{BankError, CallContext};
use lombard_ports::entropy::Entropy;
use lombard_traces::{Span, SpanKind, write_headers};
use metrics::Gauge;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

const INTERACTION_ID: HeaderName = HeaderName::from_static("x-fapi-interaction-id");

/// Why a call is refused or ended without waiting for the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum NoAnswer {
    /// The core responded that it is busy.
    #[error("the core says that it cannot answer")]
    CoreBusy,
    /// The breaker is open.
    #[error("the core failed several times in a row and is not called for a while")]
    BreakerOpen,
}

fn busy(retry_after: Option<Duration>, why: NoAnswer) -> BankError {
    BankError::Busy { retry_after, source: why.into() }
}

/// A part of a core that has its own breaker, because it can fail independently.
#[derive(Debug)]
struct CorePart {
    /// The name of the part in metrics and logs.
    name: &'static str,
    breaker: Breaker,
}

impl CorePart {
    fn new(name: &'static str, settings: BreakerSettings) -> Self {
        meters::show_breaker(name, false);
        Self { name, breaker: Breaker::new(settings) }
    }
}

/// A call in progress. Dropping it counts the call, so that a call that its caller gives up is counted too.
struct ActiveCall<'a> {
    part: &'a CorePart,
    called: &'a CalledMethod,
    admission: Admission,
    started: Instant,
    /// The outcome, and its name in metrics.
    outcome: (CallOutcome, &'static str),
    span: Span,
}

impl Drop for ActiveCall<'_> {
    fn drop(&mut self) {
        let (outcome, label) = self.outcome;
        self.called.meters.count(label, self.started.elapsed());
        self.span.set("lombard.core.outcome", label);
        if label != ANSWERED {
            self.span.fail(label);
        }
        let part = self.part.name;
        match self.part.breaker.record_outcome(self.admission, outcome, Instant::now()) {
            Some(BreakerState::Closed(_)) => {
                meters::show_breaker(part, false);
                tracing::info!(core.part = part, "the core answers again");
            }
            Some(BreakerState::Open(_) | BreakerState::HalfOpen(_)) => {
                meters::show_breaker(part, true);
                let method = self.called.method.name;
                tracing::warn!(
                    core.part = part,
                    core.method = method,
                    core.outcome = label,
                    "the core is not called for a while"
                );
            }
            None => {}
        }
    }
}

/// A method of the core.
#[derive(Debug)]
struct CalledMethod {
    method: &'static Method,
    address: Uri,
    meters: CallMeters,
}

/// Makes calls of one core.
#[derive(Debug)]
pub(crate) struct CoreCaller {
    client: CoreClient,
    /// The methods of the core API, by their names.
    methods: HashMap<&'static str, CalledMethod>,
    settings: ConnectorSettings,
    /// The part for all methods except Confirmation of Payee.
    core: CorePart,
    /// The part for Confirmation of Payee, for which a core asks other banks; its failure gives no information about the core.
    payees: CorePart,
    places: Semaphore,
    /// The calls that wait for a place, and those that have one.
    waiting: Gauge,
    under_way: Gauge,
    entropy: Arc<dyn Entropy>,
}

/// Why an attempt has no usable answer.
enum AttemptFailure {
    /// No complete answer arrived; the call may be sent again.
    Lost(ExchangeError),
    /// The core, or a proxy before it, responded that it is unavailable.
    Busy(Option<Duration>),
    /// The core answered something that cannot be used.
    Unusable(String),
    /// The core has no such method.
    UnknownMethod,
}

impl CoreCaller {
    pub(crate) fn new(settings: ConnectorSettings, entropy: Arc<dyn Entropy>) -> Result<Self, ConnectorError> {
        if settings.url.cannot_be_a_base() {
            return Err(ConnectorError::Address);
        }
        let address_of = |method: &'static Method| {
            let mut url = settings.url.clone();
            url.set_path(&[url.path().trim_end_matches('/'), BASE_PATH, "/", method.name].concat());
            let address = Uri::try_from(url.as_str()).map_err(|_| ConnectorError::Address)?;
            Ok((method.name, CalledMethod { method, address, meters: CallMeters::of(method.name) }))
        };
        let methods = methods().map(address_of).collect::<Result<_, ConnectorError>>()?;
        let client = CoreClient::new(&settings)?;
        let places = Semaphore::new(settings.calls_max);
        let core = CorePart::new("core", settings.breaker);
        let payees = CorePart::new(ConfirmPayee::METHOD.name, settings.breaker);
        meters::show_places(settings.calls_max);
        let (waiting, under_way) = (meters::waiting_calls(), meters::calls_under_way());
        Ok(Self { client, methods, core, payees, places, waiting, under_way, settings, entropy })
    }

    /// The part of the core that a method belongs to.
    fn part(&self, method: &'static Method) -> &CorePart {
        if method.name == ConfirmPayee::METHOD.name { &self.payees } else { &self.core }
    }

    /// Sends a request under the deadline, breaker and repetitions of its method, and returns the body of the answer.
    async fn send(
        &self,
        method: &'static Method,
        context: &CallContext,
        body: Bytes,
    ) -> Result<Option<Vec<u8>>, BankError> {
        let Some(called) = self.methods.get(method.name) else {
            return Err(BankError::Broken(format!("{}: the core API has no such method", method.name)));
        };
        let started = Instant::now();
        let part = self.part(method);
        let admission = part.breaker.admit(started).map_err(|until| {
            called.meters.count("not-tried", Duration::ZERO);
            busy(Some(until.duration_since(started)), NoAnswer::BreakerOpen)
        })?;
        let span = Span::child("core call", SpanKind::Client);
        span.set("lombard.core.method", method.name);
        let outcome = (CallOutcome::GivenUp, "given-up");
        let mut call = ActiveCall { part, called, admission, started, outcome, span: span.clone() };
        let percent = self.settings.deadline_percent.max(1);
        let deadline = method.deadline.saturating_mul(percent).checked_div(100).unwrap_or(method.deadline);
        let tried = span.around(tokio::time::timeout(deadline, self.attempts(called, context, &body))).await;
        let (outcome, label, answer) = match tried {
            Ok(Ok(answer)) => (CallOutcome::Answered, ANSWERED, Ok(answer)),
            Ok(Err(AttemptFailure::Unusable(cause))) => {
                (CallOutcome::Answered, "failed", Err(BankError::Broken(cause)))
            }
            Ok(Err(AttemptFailure::UnknownMethod)) => {
                (CallOutcome::Answered, "unknown", Err(BankError::UnknownMethod(method.name)))
            }
            Ok(Err(AttemptFailure::Busy(retry_after))) => {
                (CallOutcome::Failed, "busy", Err(busy(retry_after, NoAnswer::CoreBusy)))
            }
            Ok(Err(AttemptFailure::Lost(error))) => {
                (CallOutcome::Failed, "lost", Err(BankError::Unavailable(error.into())))
            }
            Err(late) => (CallOutcome::Failed, "late", Err(BankError::Unavailable(late.into()))),
        };
        call.outcome = (outcome, label);
        answer
    }

    /// Sends a request, and sends it again if its answer was lost and a repetition is safe.
    async fn attempts(
        &self,
        called: &CalledMethod,
        context: &CallContext,
        body: &Bytes,
    ) -> Result<Option<Vec<u8>>, AttemptFailure> {
        let waiting = CountedCall::new(&self.waiting);
        // The semaphore is never closed, and a waiting call ends at its deadline.
        let _place = self.places.acquire().await.ok();
        drop(waiting);
        let _under_way = CountedCall::new(&self.under_way);
        let attempts_max = if called.method.effect.may_be_repeated() { self.settings.attempts_max } else { 1 };
        let mut attempt = 1;
        loop {
            match self.attempt(called, context, body).await {
                Err(AttemptFailure::Lost(_)) if attempt < attempts_max => {
                    meters::count_repetition(called.method.name);
                    tokio::time::sleep(self.pause(attempt)).await;
                    attempt = attempt.saturating_add(1);
                }
                done => return done,
            }
        }
    }

    async fn attempt(
        &self,
        called: &CalledMethod,
        context: &CallContext,
        request_body: &Bytes,
    ) -> Result<Option<Vec<u8>>, AttemptFailure> {
        let method = called.method;
        let mut request = Request::new(Full::new(request_body.clone()));
        *request.method_mut() = http::Method::POST;
        *request.uri_mut() = called.address.clone();
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // A value that is not valid in a header is left out; the context in the body has it anyway.
        if let Some(Ok(id)) = context.interaction.as_ref().map(|id| HeaderValue::from_str(id.as_str())) {
            headers.insert(INTERACTION_ID, id);
        }
        write_headers(headers, context.trace_parent.as_ref().map(|parent| parent.as_str()));
        let response = match self.client.exchange(request).await {
            Ok(response) => response,
            Err(ExchangeError::TooLarge) => {
                return Err(AttemptFailure::Unusable(format!("{}: {}", method.name, ExchangeError::TooLarge)));
            }
            Err(lost) => return Err(AttemptFailure::Lost(lost)),
        };
        let (head, body) = response.into_parts();
        let status = head.status;
        if status == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        let after = head.headers.get(RETRY_AFTER).and_then(|it| it.to_str().ok()?.parse().ok());
        if let Some(recorder) = &self.settings.recorder {
            recorder.record(method.name, request_body, status, &body);
        }
        match status {
            StatusCode::OK => Ok(Some(body.into())),
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                Err(AttemptFailure::Busy(after.map(Duration::from_secs)))
            }
            StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => Err(AttemptFailure::Busy(None)),
            other => {
                let said = ErrorBody::from_json(&body);
                if other == StatusCode::NOT_FOUND && said.as_ref().is_some_and(|it| it.code == ErrorCode::UnknownMethod)
                {
                    return Err(AttemptFailure::UnknownMethod);
                }
                let faults = said.map(|it| it.faults).unwrap_or_default();
                let cause = describe_faults(method.name, &faults);
                Err(AttemptFailure::Unusable(format!("status {}, {cause}", other.as_u16())))
            }
        }
    }

    /// The random pause before the next attempt, longer each time.
    fn pause(&self, attempt: u32) -> Duration {
        let mut random = [0; 1];
        self.entropy.fill_random(&mut random);
        Duration::from_millis(u64::from(attempt).saturating_mul(20_u64.saturating_add(u64::from(random[0] / 2))))
    }
}

#[async_trait]
impl CoreTransport for CoreCaller {
    async fn exchange(
        &self,
        method: &'static Method,
        context: &CallContext,
        body: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, BankError> {
        self.send(method, context, body.into()).await
    }
}
