//! Deterministic simulation of payments. Concurrent TPPs, customers and workers use the real use-cases, bank and database, on nodes that
//! fail or crash at any port call. A seed determines the whole run.
//!
//! A run consists of short episodes, each with its own world, so that a failing episode is short enough to read. Its seed repeats it. The
//! tests run the first hundred thousand steps; `cargo xtask simulate --steps N` runs more.

mod actions;
mod audit;
mod core;
mod episode;
mod fault_injection;
mod intents;
mod limits;
mod model;
mod output;
mod planted;
mod ports;
mod promise;
mod random;
#[cfg(test)]
mod tests;
mod world;

use clap::Parser;
use episode::EpisodeCounts;
use fault_injection::FaultRates;
use std::process::ExitCode;
use world::CorePlace;

/// Simulates payments on failing nodes and checks all invariants after every step.
#[derive(Debug, Parser)]
struct Arguments {
    /// The total number of steps.
    #[arg(long, default_value_t = 100_000)]
    steps: usize,
    /// The seed of the first episode; the following ones use consecutive seeds.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of steps of an episode.
    #[arg(long, default_value_t = 500)]
    episode: usize,
    /// The number of port calls in a thousand that fail or crash their node.
    #[arg(long, default_value_t = 12)]
    mishaps: usize,
    /// Where the bank is: in the server, or behind the core API with its own database.
    #[arg(long, value_enum, default_value_t = CorePlace::Inside)]
    core: CorePlace,
}

fn main() -> ExitCode {
    let Arguments { steps, seed, episode, mishaps, core } = Arguments::parse();
    let mut sum = EpisodeCounts::default();
    let mut next = seed;
    while sum.steps < steps {
        let length = episode.clamp(1, steps.saturating_sub(sum.steps).max(1));
        let odds = FaultRates { mishaps_per_mille: mishaps, ..FaultRates::CALM };
        match episode::play(next, length, odds, core) {
            Ok(tally) => sum.add(tally),
            Err(found) => {
                output::failure(&found, episode, mishaps, core);
                return ExitCode::FAILURE;
            }
        }
        next = next.saturating_add(1);
        output::progress(&sum, steps);
    }
    output::end(&sum, seed, next);
    ExitCode::SUCCESS
}

impl EpisodeCounts {
    fn add(&mut self, more: Self) {
        self.steps = self.steps.saturating_add(more.steps);
        self.consents = self.consents.saturating_add(more.consents);
        self.mishaps = self.mishaps.saturating_add(more.mishaps);
        self.crashes = self.crashes.saturating_add(more.crashes);
        self.core.odd_messages = self.core.odd_messages.saturating_add(more.core.odd_messages);
        self.core.crashes = self.core.crashes.saturating_add(more.core.crashes);
        for (end, count) in more.ends {
            let sum = self.ends.entry(end).or_default();
            *sum = sum.saturating_add(count);
        }
    }
}
