//! A core that takes every call and answers none: TPPs are told in time when to come back, and what needs no core is answered.

use super::people::{OF_THE_TEST, TrustingIdentity, bank_of_amelia};
use super::recording_bank::RecordingBank;
use crate::core_api::served_bank::{ServedCore, connect};
use crate::harness::{Bank, Engine, access, until};
use lombard::server::Core;
use lombard_connector::BreakerSettings;
use lombard_tpp::{HttpCall, HttpExchange};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Most calls of the core at a time.
const CALLS_MAX: usize = 3;
/// Callers at once; more than the core is called for, and than failures open the breaker.
const CALLERS: usize = 12;
/// How long calls of the core are not tried after failures.
const OPEN_FOR: Duration = Duration::from_secs(2);
/// An answer that takes longer counts as none.
const HANGS_AFTER: Duration = Duration::from_secs(60);

async fn within<T>(call: impl Future<Output = T>) -> T {
    timeout(HANGS_AFTER, call).await.expect("a call hangs")
}

/// That a TPP is told to come back. Source: RW-112, RFC 9110 section 15.6.4.
fn retry_after(answer: &HttpExchange) -> u64 {
    assert_eq!(answer.status, 503, "{}: {}", answer.url, answer.text());
    answer.header("retry-after").unwrap_or_default().parse().unwrap()
}

#[tokio::test]
async fn tpps_are_told_in_time_and_what_needs_no_core_is_answered() {
    for engine in Engine::at_hand() {
        let core = Arc::new(RecordingBank::new(bank_of_amelia()));
        let served = ServedCore::start(Arc::clone(&core) as _);
        let mut settings = served.settings(&served.authority);
        settings.calls_max = CALLS_MAX;
        settings.breaker = BreakerSettings { failures: 8, open_for: OPEN_FOR };
        let remote = Arc::new(connect(settings));
        let mut bank = Bank::bare(engine).await;
        let brought = Core { bank: remote, identity: Arc::new(TrustingIdentity), scheduler: None, quarantine: None };
        bank.restart_with_core(&OF_THE_TEST, brought).await;
        let access = access(&bank.tpp("robot"), &["ReadAccountsBasic", "ReadBalances"]).await;
        let read = || access.tpp.get(access.token(), "aisp/balances");
        assert_eq!(read().await.unwrap().status, 200);

        core.set_hanging(true);
        let mut reads = JoinSet::new();
        for _ in 0..CALLERS {
            let tpp = access.tpp.clone();
            let token = access.token().to_owned();
            reads.spawn(async move { within(tpp.get(&token, "aisp/balances")).await.unwrap() });
        }
        until(async || (core.hung_calls_max() == CALLS_MAX).then_some(())).await;
        within(access.tpp.client_credentials("accounts")).await.unwrap();
        for path in ["/.well-known/openid-configuration", "/jwks"] {
            let url = format!("{}{path}", bank.endpoints().public);
            assert_eq!(within(access.tpp.send(HttpCall::get(url))).await.unwrap().status, 200, "{path}");
        }
        for answer in reads.join_all().await {
            assert!((1..=OPEN_FOR.as_secs()).contains(&retry_after(&answer)), "{:?}", answer.headers);
        }
        assert_eq!(core.hung_calls_max(), CALLS_MAX, "no more calls hang than may be made at a time");

        // The breaker is open by now, or opens with the next failures: then the core is left alone.
        let alone = async || {
            core.clear();
            retry_after(&within(read()).await.unwrap());
            core.calls_of("list_balances").is_empty().then_some(())
        };
        until(alone).await;
        core.set_hanging(false);
        until(async || (read().await.unwrap().status == 200).then_some(())).await;
        bank.stop().await;
        served.stop().await;
    }
}
