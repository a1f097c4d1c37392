//! Event polling by a TPP. Source: EVT-*, SET-*.

mod causes;
mod exchanges;
mod expiry;
mod keys;
mod kill;
mod limits;
mod long_poll;
mod nodes;
mod operations;
mod random;
mod refusals;
mod tokens;
mod txn;

use crate::harness::{Bank, ExchangeExt, ValueExt, until};
use lombard_jose::{CompactJws, KeySet};
use lombard_tpp::{HttpCall, HttpExchange, Protocol, Tpp};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Members of a token's header that a TPP must understand. Source: SET-002.
const CRITICAL: [&str; 3] =
    ["http://openbanking.org.uk/iat", "http://openbanking.org.uk/iss", "http://openbanking.org.uk/tan"];

/// A TPP with its token, at its queue.
#[derive(Debug, Clone)]
struct Queue {
    tpp: Tpp,
    token: String,
}

/// What a poll was answered.
#[derive(Debug)]
struct Polled {
    /// Tokens by jti.
    sets: BTreeMap<String, String>,
    more: bool,
}

impl Queue {
    async fn of(bank: &Bank, tpp: &str) -> Self {
        Self::with(&bank.tpp(tpp)).await
    }

    async fn with(tpp: &Tpp) -> Self {
        let token = tpp.client_credentials("accounts").await.unwrap().access_token;
        Self { tpp: tpp.clone(), token }
    }

    /// The same on a connection of its own, which a dropped call takes with it.
    fn apart(&self) -> Self {
        let identity = self.tpp.folder.identity.clone();
        Self { tpp: self.tpp.with_certificate(Some(&identity), Protocol::Http1).unwrap(), ..self.clone() }
    }

    fn call(&self, version: &str, body: &Value) -> HttpCall {
        let url = format!("{}/{version}/events", self.tpp.endpoints.resource_base);
        HttpCall::post(url).with_bearer(&self.token).with_json(body)
    }

    async fn send(&self, body: &Value) -> HttpExchange {
        self.tpp.send(self.call("v3.1", body)).await.unwrap()
    }

    /// A poll that is answered well.
    async fn poll(&self, body: Value) -> Polled {
        Polled::read(&self.send(&body).await)
    }

    /// A poll that does not wait.
    async fn now(&self) -> Polled {
        self.poll(json!({"returnImmediately": true})).await
    }

    /// Everything, each event acknowledged with the poll after it came.
    async fn drain(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut received = Vec::new();
        loop {
            let polled = self.poll(json!({"returnImmediately": true, "ack": received})).await;
            received = polled.ids();
            all.extend(received.clone());
            if received.is_empty() {
                assert!(!polled.more, "EVT-052");
                return all;
            }
        }
    }
}

impl Polled {
    fn read(exchange: &HttpExchange) -> Self {
        let body = exchange.ok(200);
        assert_eq!(exchange.head("content-type"), "application/json; charset=utf-8", "EVT-013");
        assert_eq!(exchange.head("cache-control"), "no-store", "EVT-013");
        let members: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members.len(), 2, "EVT-050: {members:?}");
        let sets = body["sets"].as_object().unwrap();
        let sets: BTreeMap<String, String> =
            sets.iter().map(|(jti, token)| (jti.clone(), token.as_str().unwrap().to_owned())).collect();
        for (jti, token) in &sets {
            assert_eq!(claims(token).text("jti"), jti, "EVT-053");
        }
        Self { sets, more: body["moreAvailable"].as_bool().unwrap() }
    }

    fn ids(&self) -> Vec<String> {
        self.sets.keys().cloned().collect()
    }

    /// Exactly these, in no order, and whether more wait.
    fn is(&self, expected: &[&String], more: bool) {
        let mut expected: Vec<_> = expected.iter().map(|jti| (*jti).clone()).collect();
        expected.sort();
        assert_eq!((self.ids(), self.more), (expected, more));
    }
}

/// The claims of a token, unchecked.
fn claims(token: &str) -> Value {
    CompactJws::parse(token).unwrap().claims().unwrap()
}

/// The claims of a token whose signature holds under these keys.
fn checked(token: &str, keys: &KeySet) -> Value {
    let token = CompactJws::parse(token).unwrap();
    token.verify_understanding(keys, &CRITICAL).unwrap();
    token.claims().unwrap()
}

/// Events for this TPP, made to order; their ids, oldest first.
async fn raise(bank: &Bank, tpp: &Tpp, count: usize) -> Vec<String> {
    let order = json!({"client_id": tpp.client_id(), "count": count});
    let (status, answer) = bank.ops_post("/sandbox/events", &order).await;
    assert_eq!(status, 200, "{answer}");
    answer.list("/jtis").iter().map(|jti| jti.as_str().unwrap().to_owned()).collect()
}

/// Returns once the node holds so many polls.
async fn until_held(bank: &Bank, count: u64) {
    until(async || (bank.ops_get("/operations/events").await.ok(200)["held"] == count).then_some(())).await;
}
