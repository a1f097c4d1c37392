//! The status of client certificates by OCSP. The server asks a responder when a connection begins, or with the first request for which a
//! proxy forwards a certificate. It caches the response and refreshes it. Source: TLS-006.
//!
//! The server asks only configured responders. A response is used until there is a newer one.

use super::StartError;
use super::ocsp::{OcspAnswer, OcspQuestion, OcspStatus, responders_named_by};
use super::revocation::client;
use super::tpp_addresses::read_bounded;
use crate::config::{Config, RevocationMode};
use crate::output::with_causes;
use async_trait::async_trait;
use http::header::CONTENT_TYPE;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_edge::listener::{ClientTrust, RevocationStatus};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const ANSWERS: &str = "lombard_ocsp_answers_total";

/// The largest response in bytes.
const BYTES_MAX: usize = 64 * 1024;
/// The time limit of a request, from the first byte sent to the last one read.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
/// The maximum number of concurrent requests for new connections, and also of those for refreshes.
const QUESTIONS_MAX: usize = 8;
/// The maximum number of certificates whose status is kept; the least recently used one is dropped first.
const CERTIFICATES_MAX: usize = 4096;
/// The time after which a responder that did not answer is asked again about a certificate.
const ASKED_AGAIN_AFTER: SignedDuration = SignedDuration::from_secs(30);
/// The time for which a response counts after its next update while the responder does not answer. Source: TLS-006.
const OVERDUE_MAX: SignedDuration = SignedDuration::from_hours(24);
/// The time after which an unused certificate is no longer refreshed.
const UNUSED_MAX: SignedDuration = SignedDuration::from_hours(24);

/// The known statuses of the certificates that clients have presented.
#[derive(Debug)]
pub(super) struct OcspStatuses {
    client: reqwest::Client,
    responders: Vec<String>,
    refuses_unknown: bool,
    /// The longest time for which a response is used before its responder is asked again.
    refresh: SignedDuration,
    clocks: Clocks,
    ids: IdGenerator,
    anchors: Mutex<Vec<Vec<u8>>>,
    known: Mutex<HashMap<Digest, KnownStatus>>,
    questions: Semaphore,
}

#[derive(Debug)]
struct KnownStatus {
    chain: Vec<Vec<u8>>,
    answer: Option<OcspAnswer>,
    ask_again_at: Timestamp,
    used_at: Timestamp,
    /// Whether the certificate was refused when open connections were last checked.
    is_refused: bool,
}

/// Why a responder is asked about a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatusUse {
    /// A connection with the certificate begins.
    Connection,
    /// The known status is due for a refresh.
    Refresh,
}

impl OcspStatuses {
    /// Opens the configured responders; `None` if there are none.
    pub(super) fn open(config: &Config, clocks: &Clocks, ids: &IdGenerator) -> Result<Option<Self>, StartError> {
        let tls = &config.tls;
        if tls.revocation == RevocationMode::Off || tls.ocsp_urls.is_empty() {
            return Ok(None);
        }
        let refresh = i64::try_from(tls.revocation_refresh_secs).unwrap_or(i64::MAX);
        Ok(Some(Self {
            client: client(config, ANSWERED_WITHIN)?,
            responders: tls.ocsp_urls.iter().map(|url| url.as_str().to_owned()).collect(),
            refuses_unknown: tls.revocation == RevocationMode::Hard,
            refresh: SignedDuration::from_secs(refresh),
            clocks: clocks.clone(),
            ids: ids.clone(),
            anchors: Mutex::default(),
            known: Mutex::default(),
            questions: Semaphore::new(QUESTIONS_MAX),
        }))
    }

    /// Sets the anchors (DER) among which issuers are searched from now on.
    pub(super) fn set_anchors(&self, anchors: &[Vec<u8>]) {
        *self.anchors.lock() = anchors.to_vec();
    }

    /// Asks again about certificates whose responses are due. If any decision changes, the trust checks all open connections again.
    pub(super) async fn refresh(self: &Arc<Self>, trust: &ClientTrust) {
        let mut questions = JoinSet::new();
        for (certificate, chain) in self.due() {
            let this = Arc::clone(self);
            questions.spawn(async move { this.ask(certificate, &chain, StatusUse::Refresh).await });
        }
        questions.join_all().await;
        if self.note_refusals() {
            trust.invalidate_checks();
        }
    }

    /// Certificates whose responses are due, with their chains. Certificates that are no longer used are dropped.
    fn due(&self) -> Vec<(Digest, Vec<Vec<u8>>)> {
        let now = self.clocks.wall_now();
        let mut known = self.known.lock();
        known.retain(|_, status| now.duration_since(status.used_at) <= UNUSED_MAX);
        let due = known.iter().filter(|(_, status)| status.ask_again_at <= now).take(QUESTIONS_MAX);
        due.map(|(certificate, status)| (*certificate, status.chain.clone())).collect()
    }

    /// Whether the decision about any certificate has changed. The passing of time can also change a decision.
    fn note_refusals(&self) -> bool {
        let now = self.clocks.wall_now();
        let mut is_changed = false;
        for status in self.known.lock().values_mut() {
            let is_refused = self.is_refused(status.answer, now);
            is_changed |= is_refused != status.is_refused;
            status.is_refused = is_refused;
        }
        is_changed
    }

    /// Asks a responder about a certificate and keeps the response.
    async fn ask(&self, certificate: Digest, chain: &[Vec<u8>], reason: StatusUse) {
        let asked = self.answer(chain).await;
        let outcome = match &asked {
            Ok(answer) => match answer.status {
                OcspStatus::Good => "good",
                OcspStatus::Revoked => "revoked",
                OcspStatus::Unknown => "unknown",
            },
            Err(reason) => {
                tracing::warn!(reason, "the status of a client certificate was not learnt");
                "failed"
            }
        };
        metrics::counter!(ANSWERS, "outcome" => outcome).increment(1);
        self.keep(certificate, chain, asked.ok(), reason);
    }

    async fn answer(&self, chain: &[Vec<u8>]) -> Result<OcspAnswer, String> {
        let named = chain.first().map(|leaf| responders_named_by(leaf)).unwrap_or_default();
        let responder = if named.is_empty() {
            self.responders.first()
        } else {
            self.responders.iter().find(|responder| named.contains(responder))
        };
        let responder = responder.ok_or("the certificate names a responder that is not in tls.ocsp_urls")?;
        let anchors = self.anchors.lock().clone();
        let question = OcspQuestion::new(chain, &anchors, self.ids.random_secret().as_slice())?;
        let request = self.client.post(responder).header(CONTENT_TYPE, "application/ocsp-request");
        let response = request.body(question.der.clone()).send().await.map_err(|error| with_causes(&error))?;
        if response.status() != http::StatusCode::OK {
            return Err(format!("the responder answers {}", response.status()));
        }
        let bytes = read_bounded(response, BYTES_MAX).await.map_err(|error| with_causes(&*error))?;
        question.read_answer(&bytes, self.clocks.wall_now())
    }

    fn keep(&self, certificate: Digest, chain: &[Vec<u8>], answer: Option<OcspAnswer>, reason: StatusUse) {
        let now = self.clocks.wall_now();
        let mut known = self.known.lock();
        let before = known.remove(&certificate);
        // A replayed response is older than the known one and is ignored.
        let former = before.as_ref().and_then(|it| it.answer);
        let is_newer = |new: &OcspAnswer| former.is_none_or(|former| former.issued_at <= new.issued_at);
        let (answer, ask_again_at) = match answer.filter(is_newer) {
            Some(new) => {
                let refresh = now.saturating_add(self.refresh).unwrap_or(Timestamp::MAX);
                (Some(new), new.next_update.map_or(refresh, |next| next.min(refresh)))
            }
            None => (former, now.saturating_add(ASKED_AGAIN_AFTER).unwrap_or(Timestamp::MAX)),
        };
        // Open connections were checked with the former status; a new certificate has no open connections.
        let is_refused = before.as_ref().map_or_else(|| self.is_refused(answer, now), |it| it.is_refused);
        let used_at = match (reason, before) {
            (StatusUse::Refresh, Some(before)) => before.used_at,
            (StatusUse::Refresh, None) | (StatusUse::Connection, _) => now,
        };
        if known.len() >= CERTIFICATES_MAX
            && let Some(oldest) = known.iter().min_by_key(|(_, it)| it.used_at).map(|(oldest, _)| *oldest)
        {
            known.remove(&oldest);
        }
        known.insert(certificate, KnownStatus { chain: chain.to_vec(), answer, ask_again_at, used_at, is_refused });
    }

    /// Whether a certificate with this last response is refused at this time.
    fn is_refused(&self, answer: Option<OcspAnswer>, now: Timestamp) -> bool {
        let is_overdue = |answer: &OcspAnswer| {
            let end = answer.next_update.unwrap_or(answer.issued_at);
            now.duration_since(end) > OVERDUE_MAX
        };
        match answer.filter(|answer| answer.status == OcspStatus::Revoked || !is_overdue(answer)).map(|it| it.status) {
            Some(OcspStatus::Good) => false,
            Some(OcspStatus::Revoked) => true,
            Some(OcspStatus::Unknown) | None => self.refuses_unknown,
        }
    }

    /// Whether the known status is current. The certificate is marked as used.
    fn is_current(&self, certificate: Digest) -> bool {
        let now = self.clocks.wall_now();
        let mut known = self.known.lock();
        let Some(status) = known.get_mut(&certificate) else { return false };
        status.used_at = now;
        now < status.ask_again_at
    }
}

#[async_trait]
impl RevocationStatus for OcspStatuses {
    async fn learn_status(&self, certificate: Digest, chain: &[Vec<u8>]) {
        if self.is_current(certificate) {
            return;
        }
        let Ok(_turn) = self.questions.acquire().await else { return };
        // Another connection with this certificate may have asked meanwhile.
        if !self.is_current(certificate) {
            self.ask(certificate, chain, StatusUse::Connection).await;
        }
    }

    fn is_known(&self, certificate: Digest) -> bool {
        let mut known = self.known.lock();
        let status = known.get_mut(&certificate);
        status.map(|status| status.used_at = self.clocks.wall_now()).is_some()
    }

    fn refuses(&self, certificate: Digest) -> bool {
        let answer = self.known.lock().get(&certificate).and_then(|status| status.answer);
        self.is_refused(answer, self.clocks.wall_now())
    }
}
