//! What became of the calls during one fault.

use super::load::{EndedCall, Load, Outcome};
use super::plan::Fault;
use super::world::World;
use crate::harness::until;
use std::time::Duration;
use tokio::time::Instant;

/// Calls that are answered before the fault, and again after it.
const ENOUGH: usize = 80;

/// A row of the table.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) calls: usize,
    /// Answered 503 by Lombard, with the time to come again.
    pub(super) unavailable: usize,
    pub(super) unexpected: Vec<String>,
    /// Without an answer.
    pub(super) closed: Vec<String>,
    /// The longest that a call took.
    pub(super) longest: Duration,
    /// From the end of the fault to the last call that failed.
    pub(super) recovered: Duration,
}

impl Row {
    /// Lets a fault happen while calls are made.
    pub(super) async fn measure(world: &mut World, fault: &Fault) -> Self {
        let load = Load::start(&world.tpp, &world.kinds);
        enough(&load).await;
        fault.happen(world).await;
        let mended = Instant::now();
        enough(&load).await;
        Self::of(fault.name(), &load.stop().await, mended)
    }

    fn of(name: String, calls: &[EndedCall], mended: Instant) -> Self {
        let mut row = Self {
            name,
            calls: calls.len(),
            unavailable: 0,
            unexpected: Vec::new(),
            closed: Vec::new(),
            longest: calls.iter().map(|call| call.took).max().unwrap_or_default(),
            recovered: Duration::ZERO,
        };
        for call in calls {
            match &call.outcome {
                Outcome::Done => continue,
                Outcome::Unavailable => row.unavailable += 1,
                Outcome::Unexpected(answer) => row.unexpected.push(answer.clone()),
                Outcome::Closed(reason) => row.closed.push(reason.clone()),
            }
            row.recovered = row.recovered.max(call.ended.saturating_duration_since(mended));
        }
        row
    }

    /// Whether any call failed.
    pub(super) fn has_failed_calls(&self) -> bool {
        self.unavailable + self.unexpected.len() + self.closed.len() > 0
    }

    /// As the page prints it.
    pub(super) fn text(&self) -> String {
        let failed = self.unavailable + self.unexpected.len() + self.closed.len();
        format!(
            "| {} | {} | {failed} | {} | {} | {} | {:.1} s | {:.1} s |",
            self.name,
            self.calls,
            self.unavailable,
            self.unexpected.len(),
            self.closed.len(),
            self.longest.as_secs_f64(),
            self.recovered.as_secs_f64(),
        )
    }
}

/// Waits until further calls have been answered.
async fn enough(load: &Load) {
    let wanted = load.done() + ENOUGH;
    until(async || (load.done() >= wanted).then_some(())).await;
}
