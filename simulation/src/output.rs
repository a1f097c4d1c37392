//! The only module that prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is where a command-line tool talks")]

use crate::core::CoreCounts;
use crate::episode::{BrokenRun, EpisodeCounts};
use crate::world::CorePlace;

/// The number of steps between two progress lines.
const EVERY: usize = 50_000;

/// Prints the progress of the run at intervals.
pub(crate) fn progress(sum: &EpisodeCounts, of: usize) {
    let now = sum.steps.checked_div(EVERY);
    let before = sum.steps.saturating_sub(1).checked_div(EVERY);
    if now != before {
        println!("    {} of {of} steps", sum.steps);
    }
}

/// Prints the result of a run in which every invariant held.
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

/// Prints a violated invariant.
pub(crate) fn failure(broken: &BrokenRun, episode: usize, mishaps: usize, core: CorePlace) {
    eprintln!("{}", describe_failure(broken, episode, mishaps, core));
}

/// Describes a violated invariant with the steps that led to it, and the command that repeats the run with the same number of steps and the
/// same fault rate.
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
