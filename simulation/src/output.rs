//! The one place that prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is where a command-line tool talks")]

use crate::core::CoreCounts;
use crate::episode::{BrokenRun, EpisodeCounts};
use crate::world::CorePlace;

/// How many steps lie between two lines.
const EVERY: usize = 50_000;

/// How far the run has come, every now and then.
pub(crate) fn progress(sum: &EpisodeCounts, of: usize) {
    let now = sum.steps.checked_div(EVERY);
    let before = sum.steps.saturating_sub(1).checked_div(EVERY);
    if now != before {
        println!("    {} of {of} steps", sum.steps);
    }
}

/// A run in which every promise was kept.
pub(crate) fn end(sum: &EpisodeCounts, first: u64, next: u64) {
    let EpisodeCounts { steps, consents, mishaps, crashes, core, ends } = sum;
    for (end, count) in ends {
        println!("    {count:>7} {end}");
    }
    if *core != CoreCounts::default() {
        println!(
            "    {} messages were late or repeated, and the core crashed {} times",
            core.odd_messages, core.crashes
        );
    }
    println!(
        "simulation: {steps} steps, seeds {first} to {}: {consents} consents, {mishaps} calls failed, {crashes} nodes crashed; \
         every promise was kept",
        next.saturating_sub(1)
    );
}

/// A promise was broken.
pub(crate) fn failure(broken: &BrokenRun, episode: usize, mishaps: usize, core: CorePlace) {
    eprintln!("{}", describe_failure(broken, episode, mishaps, core));
}

/// What came before a broken promise, which it is, and the command that repeats its run: episodes of so many steps, in which so many
/// calls of a thousand fail.
pub(crate) fn describe_failure(broken: &BrokenRun, episode: usize, mishaps: usize, core: CorePlace) -> String {
    let BrokenRun { seed, step, what, before } = broken;
    let before: String = before.iter().map(|line| format!("    {line}\n")).collect();
    let core = match core {
        CorePlace::Inside => "",
        CorePlace::Apart => " --core apart",
    };
    format!(
        "{before}error: step {step} of seed {seed}: {what}\n\
         again: cargo xtask simulate --seed {seed} --steps {step} --episode {episode} --mishaps {mishaps}{core}"
    )
}
