//! Calls of a TPP at a bounded rate, and what became of each.

use lombard_tpp::{HttpCall, HttpExchange, Protocol, Tpp, TppError};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// The callers, each with a connection of its own, because a connection that breaks must break for one call alone.
const CALLERS: usize = 40;
/// How often a caller begins a call at most: all together make 80 calls a second.
const CALLS_EVERY: Duration = Duration::from_millis(500);

/// What is called. Callers take the kinds in turn.
#[derive(Debug, Clone)]
pub(crate) enum CallKind {
    /// A read with a token, which must be answered 200.
    Read { token: String, path: String },
    /// A token by client credentials, for this scope.
    Token { scope: &'static str },
    /// A new payment consent, whose answer the bank signs.
    PaymentConsent { own: String, body: Value },
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was answered as it should be.
    Done,
    /// Lombard answered 503 and said when to come again; an answer of payments was signed.
    Unavailable,
    /// Another answer.
    Unexpected(String),
    /// No answer: the connection was closed or could not be made.
    Closed(String),
}

/// A call that has ended.
#[derive(Debug, Clone)]
pub(crate) struct EndedCall {
    pub(crate) ended: Instant,
    pub(crate) took: Duration,
    pub(crate) outcome: Outcome,
}

/// Calls under way.
pub(crate) struct Load {
    over: Arc<AtomicBool>,
    done: Arc<AtomicUsize>,
    callers: JoinSet<Vec<EndedCall>>,
}

impl Load {
    /// Begins to call. Nothing is tried twice.
    pub(crate) fn start(tpp: &Tpp, kinds: &[CallKind]) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let done = Arc::new(AtomicUsize::new(0));
        let mut callers = JoinSet::new();
        for number in 0..CALLERS {
            let caller = Caller {
                tpp: tpp.with_certificate(Some(&tpp.folder.identity), Protocol::Http1).unwrap(),
                kinds: kinds.to_vec(),
                over: Arc::clone(&over),
                done: Arc::clone(&done),
            };
            callers.spawn(caller.call_again_and_again(number));
        }
        Self { over, done, callers }
    }

    /// How many calls have been answered as they should be.
    pub(crate) fn done(&self) -> usize {
        self.done.load(Ordering::SeqCst)
    }

    /// Ends; returns every call.
    pub(crate) async fn stop(self) -> Vec<EndedCall> {
        self.over.store(true, Ordering::SeqCst);
        self.callers.join_all().await.concat()
    }
}

struct Caller {
    tpp: Tpp,
    kinds: Vec<CallKind>,
    over: Arc<AtomicBool>,
    done: Arc<AtomicUsize>,
}

impl Caller {
    async fn call_again_and_again(self, number: usize) -> Vec<EndedCall> {
        let share = CALLS_EVERY * u32::try_from(number).unwrap() / u32::try_from(CALLERS).unwrap();
        tokio::time::sleep(share).await;
        let mut tick = interval(CALLS_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut calls = Vec::new();
        for kind in self.kinds.iter().cycle().skip(number) {
            tick.tick().await;
            if self.over.load(Ordering::SeqCst) {
                break;
            }
            let begun = Instant::now();
            let outcome = self.call(kind).await;
            if outcome == Outcome::Done {
                self.done.fetch_add(1, Ordering::SeqCst);
            }
            calls.push(EndedCall { ended: Instant::now(), took: begun.elapsed(), outcome });
        }
        calls
    }

    async fn call(&self, kind: &CallKind) -> Outcome {
        let tpp = &self.tpp;
        match kind {
            CallKind::Read { token, path } => judge(tpp.get(token, path).await, 200, path.starts_with("pisp")),
            CallKind::Token { scope } => {
                let form = [("grant_type", "client_credentials"), ("scope", scope)];
                judge(tpp.request_token(&form).await, 200, false)
            }
            CallKind::PaymentConsent { own, body } => {
                let key = tpp.new_idempotency_key();
                let call: Result<HttpCall, _> = tpp.payment_call(own, "pisp/domestic-payment-consents", &key, body);
                judge(tpp.send(call.unwrap()).await, 201, true)
            }
        }
    }
}

fn judge(answer: Result<HttpExchange, TppError>, wanted: u16, is_signed: bool) -> Outcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Outcome::Closed(error.to_string()),
    };
    let status = answer.status.as_u16();
    let has = |name: &str| answer.header(name).is_some();
    if is_signed && !has("x-jws-signature") {
        return Outcome::Unexpected(format!("{status} without a signature: {}", answer.text()));
    }
    match status {
        _ if status == wanted => Outcome::Done,
        503 if has("retry-after") && has("x-fapi-interaction-id") => Outcome::Unavailable,
        _ => Outcome::Unexpected(format!("{status} {}: {}", answer.url, answer.text())),
    }
}
