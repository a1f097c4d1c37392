//! A server and its core, each a process of its own with a proxy between them that loses, delays, repeats and reorders calls, are
//! killed again and again while payments are made: each order is there once on both sides.
//!
//! `LOMBARD_TEST_KILLS` sets how often each engine kills one of the two; `LOMBARD_TEST_SEED` which one, when, and which calls fail.

use super::agreement::{self, ALL_IS_DUE_AFTER};
use crate::harness::{Bank, Engine, FaultPlan, FaultProxy, PayingTpp, ServerProcess, TestCore};
use crate::payments::load::{Load, Log, everything_once, kills, send_again};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::time::Instant;

/// How often each engine kills one of the two, unless the environment says otherwise.
const KILLS: usize = 6;
/// How many calls in a thousand have a fault.
const FAULTS_PER_MILLE: u64 = 60;
/// Most payments between two kills.
const PAYMENTS_MAX: u64 = 12;

fn seed() -> u64 {
    std::env::var("LOMBARD_TEST_SEED").map_or(18, |text| text.parse().expect("LOMBARD_TEST_SEED is a number"))
}

/// How often each side was killed.
#[derive(Debug, Default)]
struct Kills {
    server: usize,
    core: usize,
}

/// Kills one side after another while payments are made, and starts it again.
async fn kill_again_and_again(bank: &Bank, proxy: &FaultProxy, log: &Log, chance: &mut ChaCha20Rng) -> Kills {
    let mut kills_of = Kills::default();
    let mut server = ServerProcess::start(bank).await;
    let mut paying = PayingTpp::robot(bank).await;
    proxy.plan(FaultPlan::PerMille(FAULTS_PER_MILLE));
    let mut load = Load::start(&paying, log);
    while kills_of.server + kills_of.core < kills(KILLS) {
        load.wait_for(1 + usize::try_from(chance.next_u64() % PAYMENTS_MAX).unwrap()).await;
        if chance.next_u64().is_multiple_of(2) {
            bank.kill_core().await;
            bank.run_core_in_real_time().await;
            kills_of.core += 1;
        } else {
            server.process.start_kill().unwrap();
            load.end().await;
            server.process.wait().await.unwrap();
            server = ServerProcess::start(bank).await;
            paying = PayingTpp::robot(bank).await;
            send_again(&paying, log).await;
            load = Load::start(&paying, log);
            kills_of.server += 1;
        }
    }
    load.end().await;
    server.kill().await;
    kills_of
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_041_vrp_040_each_order_is_made_once_on_both_sides_after_any_kill() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted_with(engine, TestCore::Process).await;
        bank.run_core_in_real_time().await;
        let proxy = bank.put_proxy_before_core(seed()).await;
        let log = Log::default();
        let began = Instant::now();
        let mut chance = ChaCha20Rng::seed_from_u64(seed());
        let killed = kill_again_and_again(&bank, &proxy, &log, &mut chance).await;
        let orders = log.len();
        let faults = proxy.counts();
        eprintln!(
            "{engine:?}: {killed:?}, {orders} orders sent in {:?}; calls with faults: {faults:?}",
            began.elapsed()
        );

        // What was killed ran on the machine's clock, and took work with it that is another's in a while.
        proxy.come_to_rest().await;
        bank.clock.advance_to_present();
        bank.clock.advance(ALL_IS_DUE_AFTER);
        bank.restart().await;
        let paying = PayingTpp::robot(&bank).await;
        send_again(&paying, &log).await;
        everything_once(&bank, &paying, &log).await;
        agreement::check(&bank).await;
        bank.stop().await;
    }
}
