//! Events: what waited is polled, checked and acknowledged; then a poll is held, and the bank wakes it.

use super::access::{GrantedAccess, PERMISSIONS};
use super::checks::{at, text};
use super::run::Tour;
use crate::ops_client;
use http::StatusCode;
use lombard_tpp::{ExpectedSet, HttpCall, HttpExchange, Protocol, SetReport, TppError, Transport};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How often the bank is asked whether it holds our poll.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Polls that may be needed to take away what waited from earlier tours.
const DRAINS_MAX: usize = 100;

/// Who agrees where the TPP has no customer of its own.
const SOMEBODY: &str = "amelia";

/// An event that came with a poll.
pub(super) struct PolledEvent {
    /// Its id.
    pub(super) jti: String,
    /// The last part of its name.
    pub(super) kind: String,
    /// The address of what it is about.
    pub(super) about: String,
}

impl Tour<'_> {
    /// Takes what waits, then waits for a customer to end access at the bank: to a consent made for that, so that the tour
    /// can go on with the other.
    pub(super) async fn events(&mut self, own_token: &str, access: &GrantedAccess) -> Result<(), TppError> {
        self.step("Events: what the bank has to tell us");
        let received = self.take_all(own_token, access).await?;
        self.step("A held poll: a customer ends access at the bank, and we hear of it at once");
        let (consent, received) = self.second_consent(own_token, received).await?;
        let Some(told) = self.woken(own_token, &consent, &received).await? else { return Ok(()) };
        self.check(told.kind == "consent-authorization-revoked", "an end at the bank is told as what it is (SET-034)");
        self.check(told.about.ends_with(&consent), "it is about the consent that was ended (SET-015)");
        let (events, more) = self.polled(json!({"maxEvents": 0, "ack": [told.jti]}), own_token).await?;
        self.check(events.is_empty() && !more, "acknowledged, it is gone for good (EVT-035)");
        Ok(())
    }

    /// A consent that a customer agrees to by the sandbox's controls, and that event taken.
    async fn second_consent(
        &mut self,
        own_token: &str,
        received: Vec<String>,
    ) -> Result<(String, Vec<String>), TppError> {
        let consent = self.tpp.consent_create(own_token, &PERMISSIONS).await?;
        let psu = match &self.tpp.folder.card.headless {
            Some(psu) => psu.to_string(),
            None => SOMEBODY.to_owned(),
        };
        let order = json!({"psu": psu, "decision": "approve"});
        self.control(&format!("/sandbox/consents/{consent}/authorise"), &order).await?;
        let (events, _) = self.polled(json!({"returnImmediately": true, "ack": received}), own_token).await?;
        let agreed = events.iter().any(|event| event.about.ends_with(&consent));
        self.check(agreed, "that a customer agreed is told at once (EVT-062)");
        Ok((consent, events.into_iter().map(|event| event.jti).collect()))
    }

    /// Has the sandbox do something.
    pub(super) async fn control(&self, path: &str, order: &Value) -> Result<Value, TppError> {
        let answer = ops_client::call_operation(&self.tpp.endpoints.ops, path, order).await;
        answer.map_err(|error| TppError::Answer(format!("the sandbox's controls: {error}")))
    }

    /// Polls until nothing waits, each page acknowledged with the poll after it. Returns what is still to be acknowledged.
    async fn take_all(&mut self, own_token: &str, access: &GrantedAccess) -> Result<Vec<String>, TppError> {
        let (mut received, mut count, mut ours) = (Vec::new(), 0_usize, None);
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
        self.fact(&format!("{count} waited; each was verified, and is acknowledged with the poll after it"));
        match ours {
            Some(event) => self.fact(&format!("{} of {}", event.kind, access.consent)),
            None => self.check(false, "that the customer agreed is told (table 2.4)"),
        }
        Ok(received)
    }

    /// Holds a poll, has the access ended at the bank, and tells what came and how soon.
    async fn woken(
        &mut self,
        own_token: &str,
        consent: &str,
        received: &[String],
    ) -> Result<Option<PolledEvent>, TppError> {
        let (ops, tpp) = (self.tpp.endpoints.ops.clone(), self.tpp.clone());
        let (token, order) = (own_token.to_owned(), json!({"ack": received}));
        let held =
            tokio::spawn(async move { tpp.poll(&token, &order).await.map(|exchange| (exchange, Instant::now())) });
        if !is_held(&ops, || held.is_finished()).await? {
            self.check(false, "a poll that finds nothing waits (EVT-071); long polling may be switched off here");
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

    /// Polls; gives the events, every one of them verified, and whether more wait.
    pub(super) async fn polled(&mut self, order: Value, own_token: &str) -> Result<(Vec<PolledEvent>, bool), TppError> {
        let exchange = self.tpp.poll(own_token, &order).await?;
        self.read_poll(exchange).await
    }

    /// The events of an answer, every one of them verified, and whether more wait.
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
    let kind = read.value("events").unwrap_or_default();
    PolledEvent {
        jti: jti.to_owned(),
        kind: kind.rsplit(':').next().unwrap_or(kind).to_owned(),
        about: read.value("sub").unwrap_or_default().to_owned(),
    }
}

/// Whether the bank holds a poll, asked until it does or the poll has ended.
async fn is_held(ops: &str, ended: impl Fn() -> bool) -> Result<bool, TppError> {
    // One that the report does not show: how often we look is nobody's interest.
    let quiet = Transport::new(&[], None, Protocol::Any, None)?;
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        look.tick().await;
        let shown =
            quiet.send(HttpCall::get(format!("{ops}/operations/events"))).await?.expect(StatusCode::OK)?.json()?;
        if shown.get("held").and_then(Value::as_u64).is_some_and(|held| held > 0) {
            return Ok(true);
        }
        if ended() {
            return Ok(false);
        }
    }
}
