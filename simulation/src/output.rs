//! The one place that prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is where a command-line tool talks")]

use crate::core::CoreCounts;
use crate::episode::{BrokenRun, EpisodeCounts};
use crate::world::CorePlace;

/// How many steps lie between two lines.
const EVERY: usize = 50_000;

/// How far the run has come, every now and then.
pub(crate) fn progress(sum: &EpisodeCounts, of: usize) {
    let (now, before) = (sum.steps.checked_div(EVERY), sum.steps.saturating_sub(1).checked_div(EVERY));
    if now != before {
        println!("    {} of {of} steps", sum.steps);
    }
}

/// A run in which every promise was kept.
pub(crate) fn end(sum: &EpisodeCounts, first: u64, next: u64) {
    let EpisodeCounts { steps, consents, mishaps, deaths, core, ends } = sum;
    for (end, count) in ends {
        println!("    {count:>7} {end}");
    }
    if *core != CoreCounts::default() {
        println!("    {} messages were late or repeated, and the core died {} times", core.odd_messages, core.deaths);
    }
    println!(
        "simulation: {steps} steps, seeds {first} to {}: {consents} consents, {mishaps} calls failed, {deaths} nodes died; \
         every promise was kept",
        next.saturating_sub(1)
    );
}

/// A promise was broken.
pub(crate) fn found(found: &BrokenRun, episode: usize, mishaps: usize, core: CorePlace) {
    for line in &found.before {
        eprintln!("    {line}");
    }
    eprintln!("error: step {} of seed {}: {}", found.step, found.seed, found.what);
    let core = match core {
        CorePlace::Inside => "",
        CorePlace::Apart => " --core apart",
    };
    eprintln!(
        "again: cargo xtask simulate --seed {} --steps {} --episode {episode} --mishaps {mishaps}{core}",
        found.seed, found.step
    );
}
