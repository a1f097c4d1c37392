//! Random sequences of events, polls, acknowledgements, error reports, aborted polls and restarts: every event is offered to
//! its client until it is acknowledged, and never after. The sequence is derived from the seed.

use super::{Polled, Queue, raise};
use crate::harness::{Bank, Engine};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const SEEDS: [u64; 2] = [1, 20_260_227];
const STEPS: usize = 120;
const CLIENTS: [&str; 3] = ["acme", "rival", "robot"];

/// What a client must be offered, as far as the test knows.
#[derive(Debug, Default)]
struct Model {
    raised: BTreeSet<String>,
    /// Acknowledged in a poll that was answered.
    acknowledged: BTreeSet<String>,
    /// Acknowledged in a poll whose answer never came.
    uncertain: BTreeSet<String>,
    seen: BTreeSet<String>,
}

impl Model {
    /// An answer offers what was raised for this client and is not acknowledged, and nothing else.
    fn check(&mut self, polled: &Polled, seed: u64) {
        for jti in polled.ids() {
            assert!(self.raised.contains(&jti), "seed {seed}: an event of somebody else");
            assert!(!self.acknowledged.contains(&jti), "seed {seed}: an acknowledged event came again");
            self.seen.insert(jti);
        }
    }
}

struct Chance(ChaCha20Rng);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.next_u64() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn some(&mut self, of: &BTreeSet<String>) -> Vec<String> {
        of.iter().filter(|_| self.below(3) == 0).cloned().collect()
    }
}

#[tokio::test]
async fn evt_035_055_058_an_event_is_offered_to_its_client_until_acknowledged() {
    for engine in Engine::at_hand() {
        for seed in SEEDS {
            run(engine, seed).await;
        }
    }
}

async fn run(engine: Engine, seed: u64) {
    // Nothing is parked: a report must never make an event disappear here.
    let settings = [("events.max_events_cap", "7")];
    let mut chance = Chance(ChaCha20Rng::seed_from_u64(seed));
    let mut bank = Bank::unstarted(engine).await;
    bank.restart_with(&settings).await;
    let mut queues = queues(&bank).await;
    let mut models = CLIENTS.map(|_| Model::default());
    for _ in 0..STEPS {
        let who = chance.below(CLIENTS.len());
        let queue = &queues[who];
        let model = &mut models[who];
        match chance.below(10) {
            0..=2 => {
                let count = 1 + chance.below(9);
                for jti in raise(&bank, &queue.tpp, count).await {
                    assert!(model.raised.insert(jti), "EVT-087: no jti is used twice");
                }
            }
            3..=7 => {
                let polled = queue.poll(body(&mut chance, &mut models, who)).await;
                models[who].check(&polled, seed);
            }
            8 => hang_up(queue, model, &mut chance).await,
            _ => {
                bank.stop().await;
                bank.restart_with(&settings).await;
                queues = self::queues(&bank).await;
            }
        }
    }
    for (queue, model) in queues.iter().zip(&mut models) {
        let left: BTreeSet<_> = queue.drain().await.into_iter().collect();
        let due: BTreeSet<_> = model.raised.difference(&model.acknowledged).cloned().collect();
        assert!(left.is_subset(&due), "seed {seed}: nothing acknowledged, nothing of others");
        let must: BTreeSet<_> = due.difference(&model.uncertain).cloned().collect();
        assert!(must.is_subset(&left), "seed {seed}: nothing lost");
        model.seen.extend(left);
        let told: BTreeSet<_> = model.seen.union(&model.acknowledged).cloned().collect();
        let all: BTreeSet<_> = told.union(&model.uncertain).cloned().collect();
        assert_eq!(all, model.raised, "seed {seed}: all that was raised, no more and no less");
        queue.now().await.is(&[], false);
    }
    bank.stop().await;
}

async fn queues(bank: &Bank) -> Vec<Queue> {
    let mut all = Vec::new();
    for name in CLIENTS {
        all.push(Queue::of(bank, name).await);
    }
    all
}

/// A poll that acknowledges and reports some of its own events, and tries those of others.
fn body(chance: &mut Chance, models: &mut [Model; 3], who: usize) -> Value {
    let mut acknowledged = Vec::new();
    if chance.below(2) == 0 {
        acknowledged = chance.some(&models[who].seen);
        models[who].acknowledged.extend(acknowledged.iter().cloned());
    }
    let mut named = acknowledged;
    named.extend(chance.some(&models[(who + 1) % models.len()].raised));
    named.truncate(1_000);
    let report = |jti: String| (jti, json!({"err": "jwtCrypto", "description": "a reason"}));
    let reported: Map<String, Value> = match chance.below(3) {
        0 => chance.some(&models[who].raised).into_iter().map(report).collect(),
        _ => Map::new(),
    };
    json!({"returnImmediately": true, "maxEvents": chance.below(9), "ack": named, "setErrs": reported})
}

/// A poll that acknowledges something, whose caller goes away: nobody knows whether it was taken.
async fn hang_up(queue: &Queue, model: &mut Model, chance: &mut Chance) {
    let acknowledged = chance.some(&model.seen);
    model.uncertain.extend(acknowledged.iter().cloned());
    let apart = queue.apart();
    let body = json!({"ack": acknowledged});
    let call = tokio::spawn(async move { apart.tpp.send(apart.call("v3.1", &body)).await.is_ok() });
    for _ in 0..chance.below(40) {
        tokio::task::yield_now().await;
    }
    call.abort();
    let _gone = call.await;
}
