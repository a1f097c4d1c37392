//! A blocked database: callers get a retry answer in bounded time, and requests that need no database succeed.

use crate::harness::{Bank, EVERYTHING, Engine, PausableConnection, access, until};
use lombard_tpp::{HttpCall, HttpExchange, Tpp};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// The bounds of these tests, at their least.
const SETTINGS: [(&str, &str); 3] =
    [("database.wait_secs", "1"), ("database.statement_secs", "1"), ("database.lock_secs", "1")];

/// The bounds of a request, in seconds, where it is told to come back in time.
const BOUND_SECS: &str = "4";

/// How long a request may take at most: its bound, the second that is promised beside it, and what this machine needs for many requests
/// that are answered at once. The bounds of waiting, connecting and a statement together would be at least twice as long.
const ANSWERED_WITHIN: Duration = Duration::from_secs(7);

/// Longer than any of them, and all of them together: what takes longer hangs.
const HANGS_AFTER: Duration = Duration::from_secs(60);

/// Calls at a time: many more than the bank has connections to its database.
const CALLERS: usize = 40;

#[tokio::test]
async fn a_silent_database_is_answered_503_and_used_again_when_it_speaks() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut bank = Bank::unstarted(Engine::Postgres).await;
    let (line, url) = PausableConnection::to_database_of(&bank).await;
    let bounds =
        [("database.wait_secs", BOUND_SECS), ("database.statement_secs", BOUND_SECS), ("database.lock_secs", "1")];
    // Some requests wait for a connection first, and then for its answer.
    let few = [("database.connections_max", "8"), ("database.url", url.as_str())];
    bank.restart_with(&[bounds.as_slice(), few.as_slice()].concat()).await;
    let callers = Callers::of(&bank).await;

    line.fall_silent();
    let took = callers.are_all_told_to_come_back(&bank).await;
    assert!(took < ANSWERED_WITHIN, "{took:?}");
    // Now no connection is left that has been established.
    let took = callers.are_all_told_to_come_back(&bank).await;
    assert!(took < ANSWERED_WITHIN, "{took:?}");
    assert_eq!(within(bank.ops_get("/health/database")).await.status, 503);
    assert_eq!(within(bank.ops_get("/readyz")).await.status, 200, "the database is not this node");
    callers.what_needs_no_database_is_answered(&bank).await;

    line.go_on();
    until(async || (bank.ops_get("/health/database").await.status == 200).then_some(())).await;
    until(async || (callers.read().await.status == 200).then_some(())).await;
    bank.stop().await;
}

#[tokio::test]
async fn locked_tables_are_answered_503_and_used_again_when_they_are_let_go() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut bank = Bank::unstarted(Engine::Postgres).await;
    bank.restart_with(&SETTINGS).await;
    let callers = Callers::of(&bank).await;
    let (other, connection) =
        tokio_postgres::connect(bank.database_url().as_str(), tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    let lock = "BEGIN; LOCK TABLE clients, tokens, grants, consents, sessions, customers IN ACCESS EXCLUSIVE MODE";
    other.batch_execute(lock).await.unwrap();

    callers.are_all_told_to_come_back(&bank).await;
    callers.what_needs_no_database_is_answered(&bank).await;

    other.batch_execute("ROLLBACK").await.unwrap();
    until(async || (callers.read().await.status == 200).then_some(())).await;
    drop(other);
    driver.await.unwrap().unwrap();
    bank.stop().await;
}

/// A TPP that reads, a client that asks for tokens, and a customer who looks at a page.
struct Callers {
    tpp: Tpp,
    token: String,
    visitor: Tpp,
}

impl Callers {
    async fn of(bank: &Bank) -> Self {
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let token = access.token().to_owned();
        let visitor = bank.tpp("rival");
        visitor.discovery().await.unwrap();
        Self { tpp: access.tpp, token, visitor }
    }

    async fn read(&self) -> HttpExchange {
        self.tpp.get(&self.token, "aisp/accounts").await.unwrap()
    }

    /// Many at once: the API, OAuth's endpoints and the pages. Returns how long the slowest took.
    async fn are_all_told_to_come_back(&self, bank: &Bank) -> Duration {
        let since = Instant::now();
        let mut calls = JoinSet::new();
        for _ in 0..CALLERS {
            let tpp = self.tpp.clone();
            let token = self.token.clone();
            calls.spawn(async move { within(tpp.get(&token, "aisp/accounts")).await.unwrap() });
        }
        let visitor = self.visitor.clone();
        calls.spawn(async move {
            let form = [("grant_type", "client_credentials"), ("scope", "accounts")];
            within(visitor.request_token(&form)).await.unwrap()
        });
        let client = self.visitor.client_id();
        let query = format!("client_id={client}&response_type=code%20id_token&scope=openid%20accounts&request=a.b.c");
        let visitor = self.visitor.clone();
        let page = format!("{}/authorize?{query}", bank.endpoints().public);
        calls.spawn(async move { within(visitor.send(HttpCall::get(page))).await.unwrap() });
        calls.join_all().await.iter().for_each(assert_503);
        since.elapsed()
    }

    async fn what_needs_no_database_is_answered(&self, bank: &Bank) {
        let public = bank.endpoints().public;
        let ops = bank.endpoints().ops;
        for path in ["/.well-known/openid-configuration", "/jwks", "/", "/portal/developers"] {
            let answer = within(self.visitor.send(HttpCall::get(format!("{public}{path}")))).await.unwrap();
            assert_eq!(answer.status, 200, "{path}");
        }
        for path in ["/healthz", "/readyz", "/metrics"] {
            let answer = within(bank.ops(HttpCall::get(format!("{ops}{path}")))).await;
            assert_eq!(answer.status, 200, "{path}");
        }
    }
}

async fn within<T>(call: impl Future<Output = T>) -> T {
    timeout(HANGS_AFTER, call).await.expect("a call hangs")
}

/// Source: RFC 9110 section 15.6.4, RW-112.
fn assert_503(answer: &HttpExchange) {
    assert_eq!(answer.status, 503, "{}: {}", answer.url, answer.text());
    let after = answer.header("retry-after").and_then(|it| it.parse::<u64>().ok());
    assert!(after.is_some_and(|after| after > 0), "{}: {:?}", answer.url, answer.headers);
}
