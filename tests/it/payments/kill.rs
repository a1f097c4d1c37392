//! A bank that is killed repeatedly during payments executes every acknowledged payment exactly once.
//!
//! `LOMBARD_TEST_KILLS` sets how often each engine is killed. The start time is printed and checked against a generous limit
//! only; the benchmark `start` measures it.

use super::load::{Load, Log, everything_once, kills, send_again};
use crate::harness::{Bank, PayingTpp, ServerProcess, unstarted_on_each_engine};
use jiff::SignedDuration;
use std::time::{Duration, Instant};

/// How often each engine is killed, unless the environment says otherwise.
const KILLS: usize = 10;
/// A start that takes longer is a fault even where everything is slow.
const READY_WITHIN: Duration = Duration::from_secs(60);
/// Longer than anything is leased for.
const LEASES_END_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// Starts the bank, lets it be paid with so many times, and kills it. Gives how long the start took.
async fn live_and_die(bank: &Bank, log: &Log, payments: usize) -> Duration {
    let began = Instant::now();
    let mut server = ServerProcess::start(bank).await;
    assert_eq!(bank.ops_get("/readyz").await.status, 200);
    let ready = began.elapsed();
    let paying = PayingTpp::robot(bank).await;
    send_again(&paying, log).await;
    let mut load = Load::start(&paying, log);
    load.wait_for(payments).await;
    server.process.start_kill().unwrap();
    load.end().await;
    server.process.wait().await.unwrap();
    ready
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_041_069_vrp_040_killed_again_and_again_every_payment_is_made_once() {
    for mut bank in unstarted_on_each_engine().await {
        let log = Log::default();
        let mut starts = Vec::new();
        for round in 0..kills(KILLS) {
            // Another moment each time: while some are taken, given to the bank, settled or told of.
            starts.push(live_and_die(&bank, &log, 1 + round * 5 % 23).await);
        }
        starts.sort();
        let median = starts[starts.len() / 2];
        let slowest = starts[starts.len() - 1];
        eprintln!(
            "{} kills, {} orders sent: ready again after {median:?}, at most {slowest:?}",
            kills(KILLS),
            log.len()
        );
        assert!(slowest < READY_WITHIN, "{slowest:?}");

        // The killed ones ran on the machine's clock, and the last one took work with it that is another's in a while.
        bank.clock.advance_to_present();
        bank.clock.advance(LEASES_END_AFTER);
        bank.restart().await;
        let paying = PayingTpp::robot(&bank).await;
        send_again(&paying, &log).await;
        everything_once(&bank, &paying, &log).await;
        bank.stop().await;
    }
}
