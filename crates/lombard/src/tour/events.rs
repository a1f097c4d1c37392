//! Polls, checks and acknowledges queued events. Then a long poll waits until the bank wakes it.

use super::access::{GrantedAccess, PERMISSIONS};
use super::checks::{at, text};
use super::run::Tour;
use crate::ops_client::{self, OpsClient};
use http::StatusCode;
use lombard_tpp::{ExpectedSet, HttpExchange, SetReport, TppError};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The interval at which the tour checks whether the bank holds its poll.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// The time after which an unanswered poll is considered held.
const HELD_AFTER: Duration = Duration::from_secs(1);
/// The maximum number of polls that empty the queue of earlier tours.
const DRAINS_MAX: usize = 100;

/// The customer who authorises if the TPP is not headless.
const SOMEBODY: &str = "amelia";

/// An event received by a poll.
pub(super) struct PolledEvent {
    /// The event's id.
    pub(super) jti: String,
    /// The last segment of each of its event types.
    pub(super) kinds: Vec<String>,
    /// The URL of the resource.
    pub(super) about: String,
}

impl Tour<'_> {
    /// Polls the queued events, then waits for the revocation of a consent at the bank. The tour creates a second consent for this, so that
    /// it can continue with the first.
    pub(super) async fn events(&mut self, own_token: &str, access: &GrantedAccess) -> Result<(), TppError> {
        self.step("Events: polled, verified and acknowledged");
        let received = self.drain_queue(own_token, access).await?;
        self.step("A long poll: a customer revokes access at the bank, and the event arrives at once");
        let (consent, received) = self.second_consent(own_token, received).await?;
        let Some(told) = self.woken(own_token, &consent, &received).await? else { return Ok(()) };
        let revoked = told.kinds.iter().any(|kind| kind == "consent-authorization-revoked");
        self.check(revoked, "a revocation has its own event type (SET-034)");
        self.check(told.about.ends_with(&consent), "it names the revoked consent (SET-015)");
        let (events, more) = self.polled(json!({"maxEvents": 0, "ack": [told.jti]}), own_token).await?;
        self.check(events.is_empty() && !more, "an acknowledged event is not delivered again (EVT-035)");
        Ok(())
    }

    /// Creates a consent, authorises it through the sandbox's controls, and polls the resulting event.
    async fn second_consent(
        &mut self,
        own_token: &str,
        received: Vec<String>,
    ) -> Result<(String, Vec<String>), TppError> {
        let consent = self.tpp.consent_create(own_token, &PERMISSIONS).await?;
        let psu = match &self.tpp.folder.details.headless {
            Some(psu) => psu.to_string(),
            None => SOMEBODY.to_owned(),
        };
        let order = json!({"psu": psu, "decision": "approve"});
        self.control(&format!("/sandbox/consents/{consent}/authorise"), &order).await?;
        let (events, _) = self.polled(json!({"returnImmediately": true, "ack": received}), own_token).await?;
        let agreed = events.iter().any(|event| event.about.ends_with(&consent));
        self.check(agreed, "the authorisation raises an event at once (EVT-062)");
        Ok((consent, events.into_iter().map(|event| event.jti).collect()))
    }

    /// Calls one of the sandbox's controls.
    pub(super) async fn control(&self, path: &str, order: &Value) -> Result<Value, TppError> {
        let answer = ops_client::call_operation(&self.ops, path, order).await;
        answer.map_err(|error| TppError::Answer(format!("the sandbox's controls: {error}")))
    }

    /// Polls until the queue is empty, acknowledging each page with the next poll. Returns the ids still to be acknowledged.
    async fn drain_queue(&mut self, own_token: &str, access: &GrantedAccess) -> Result<Vec<String>, TppError> {
        let mut received = Vec::new();
        let mut count = 0_usize;
        let mut ours = None;
        for _ in 0..DRAINS_MAX {
            let order = json!({"returnImmediately": true, "ack": received});
            let (events, more) = self.polled(order, own_token).await?;
            count = count.saturating_add(events.len());
            received = events.iter().map(|event| event.jti.clone()).collect();
            ours = events.into_iter().find(|event| event.about.ends_with(&access.consent)).or(ours);
            if !more {
                break;
            }
        }
        self.fact(&format!("{count} queued; each was verified, and is acknowledged with the next poll"));
        match ours {
            Some(event) => self.fact(&format!("{} of {}", event.kinds.join(" and "), access.consent)),
            None => self.check(false, "the authorisation raises an event (table 2.4)"),
        }
        Ok(received)
    }

    /// Holds a poll, revokes the consent at the bank, and reports the event and the delay.
    async fn woken(
        &mut self,
        own_token: &str,
        consent: &str,
        received: &[String],
    ) -> Result<Option<PolledEvent>, TppError> {
        let ops = self.ops.clone();
        let tpp = self.tpp.clone();
        let token = own_token.to_owned();
        let order = json!({"ack": received});
        let held =
            tokio::spawn(
                async move { tpp.poll_events(&token, &order).await.map(|exchange| (exchange, Instant::now())) },
            );
        if !is_held(&ops, || held.is_finished()).await? {
            self.check(false, "a poll without events is held (EVT-071); long polling may be switched off here");
            return Ok(None);
        }
        let began = Instant::now();
        self.control(&format!("/sandbox/consents/{consent}/revoke"), &Value::Null).await?;
        let joined = held.await.map_err(|error| TppError::Answer(format!("the held poll broke off: {error}")))?;
        let (exchange, at) = joined?;
        let (mut events, _) = self.read_poll(exchange).await?;
        self.check(events.len() == 1, "one change at the bank is one event (SET-017)");
        let millis = at.duration_since(began).as_secs_f64() * 1_000.0;
        self.fact(&format!("held, then woken: {millis:.1} ms from the customer's decision to our answer"));
        Ok(events.pop())
    }

    /// Polls and returns the verified events and whether more are available.
    pub(super) async fn polled(&mut self, order: Value, own_token: &str) -> Result<(Vec<PolledEvent>, bool), TppError> {
        let exchange = self.tpp.poll_events(own_token, &order).await?;
        self.read_poll(exchange).await
    }

    /// The verified events of a poll response, and whether more are available.
    async fn read_poll(&mut self, exchange: HttpExchange) -> Result<(Vec<PolledEvent>, bool), TppError> {
        let answer = self.answer(exchange, StatusCode::OK)?;
        let sets = at(&answer, "/sets").as_object().cloned();
        let more = answer.get("moreAvailable").and_then(Value::as_bool);
        self.check(sets.is_some() && more.is_some(), "the answer is sets and moreAvailable (EVT-050)");
        let mut events = Vec::new();
        if let Some(sets) = sets.filter(|sets| !sets.is_empty()) {
            let keys = self.tpp.bank_keys().await?;
            let issuer = self.tpp.discovery().await?.issuer.clone();
            let client = self.tpp.client_id().to_string();
            for jti in sets.keys() {
                let now = self.tpp.now();
                let expected = ExpectedSet { issuer: Some(&issuer), audience: Some(&client), now };
                let read = SetReport::new(text(&Value::Object(sets.clone()), jti), &keys, &expected);
                let read = read.map_err(|error| TppError::Answer(format!("a security event token: {error}")))?;
                self.check(read.value("jti") == Some(jti), "a token is listed by its jti (EVT-053)");
                for (part, fault) in read.faults() {
                    self.check(false, &format!("{part}: {fault}"));
                }
                events.push(describe_event(jti, &read));
            }
        }
        Ok((events, more.unwrap_or_default()))
    }
}

fn describe_event(jti: &str, read: &SetReport) -> PolledEvent {
    let kinds = read.values("events").map(|kind| kind.rsplit(':').next().unwrap_or(kind).to_owned());
    PolledEvent { jti: jti.to_owned(), kinds: kinds.collect(), about: read.value("sub").unwrap_or_default().to_owned() }
}

/// Waits until the bank holds the poll or the poll has ended; returns whether it is held. A node other than the one whose ops listener is
/// asked may hold the poll, so a poll that is unanswered for a while also counts as held.
async fn is_held(ops: &OpsClient, ended: impl Fn() -> bool) -> Result<bool, TppError> {
    let mut look = tokio::time::interval(LOOK_EVERY);
    let asked = Instant::now();
    loop {
        look.tick().await;
        let shown = ops_client::fetch_from_ops(ops, "/operations/events").await;
        let shown = shown.map_err(|error| TppError::Answer(format!("the ops listener: {error}")))?;
        if shown.get("held").and_then(Value::as_u64).is_some_and(|held| held > 0) {
            return Ok(true);
        }
        if ended() {
            return Ok(false);
        }
        if asked.elapsed() > HELD_AFTER {
            return Ok(true);
        }
    }
}
