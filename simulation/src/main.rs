//! The simulation: payments through the real use-cases, the real bank and a real database, by TPPs, customers and workers
//! that all come at once, over nodes that fail and die at any call of a port. One seed, one course of events.
//!
//! A run is a number of short episodes, each in a world of its own, so that a failing one is short enough to read: its
//! seed plays it again. The tests play the first hundred thousand steps; `cargo xtask simulate --steps N` plays more.

mod actions;
mod audit;
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

/// Plays payments against failing nodes and looks after every step whether all promises are kept.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many steps in all.
    #[arg(long, default_value_t = 100_000)]
    steps: usize,
    /// The seed of the first episode; the others count on from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many steps an episode has.
    #[arg(long, default_value_t = 500)]
    episode: usize,
    /// How many calls of a port in a thousand fail or kill their node.
    #[arg(long, default_value_t = 12)]
    mishaps: usize,
}

fn main() -> ExitCode {
    let Arguments { steps, seed, episode, mishaps } = Arguments::parse();
    let mut sum = EpisodeCounts::default();
    let mut next = seed;
    while sum.steps < steps {
        let length = episode.clamp(1, steps.saturating_sub(sum.steps).max(1));
        match episode::play(next, length, FaultRates { mishaps_per_mille: mishaps, ..FaultRates::CALM }) {
            Ok(tally) => sum.add(tally),
            Err(found) => {
                output::found(&found, episode, mishaps);
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
        self.deaths = self.deaths.saturating_add(more.deaths);
        for (end, count) in more.ends {
            let sum = self.ends.entry(end).or_default();
            *sum = sum.saturating_add(count);
        }
    }
}
