//! Compares two servers in alternating rounds: the server's CPU time per request, as the median over pairs of rounds.
//!
//! The load generator and the server share the machine, so requests per second would also measure the load generator. The CPU time per
//! request measures only the server.

use crate::load::Round;
use crate::process::{Process, tree_cpu_secs};
use crate::result::BenchResult;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The cost of a request in one round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// The server's processor time per request in microseconds.
    pub(crate) cpu_micros: f64,
    /// PostgreSQL's processor time per request in microseconds, if PostgreSQL runs on this machine.
    pub(crate) database_micros: Option<f64>,
    /// The number of requests per second.
    pub(crate) rate: f64,
    /// The 50th percentile of the latency in milliseconds; the next field is the 99th percentile.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

/// Runs a round and returns the cost of a request in this process.
pub(crate) async fn cost(process: &Process, round: impl Future<Output = BenchResult<Round>>) -> BenchResult<Cost> {
    cost_beside(&[process], None, round).await
}

/// Runs a round and returns the cost of a request in these processes together, and in PostgreSQL if its first process is given.
pub(crate) async fn cost_beside(
    processes: &[&Process],
    database: Option<u32>,
    round: impl Future<Output = BenchResult<Round>>,
) -> BenchResult<Cost> {
    let used = || -> BenchResult<(f64, Option<f64>)> {
        let mut cpu_secs = 0.0;
        for process in processes {
            cpu_secs += process.usage()?.cpu_secs;
        }
        Ok((cpu_secs, database.map(tree_cpu_secs).transpose()?))
    };
    let before = used()?;
    let round = round.await?;
    let after = used()?;
    let requests = f64::from(u32::try_from(round.requests)?);
    let millis = |quantile: f64| Duration::from_micros(round.latencies.value_at_quantile(quantile)).as_secs_f64() * 1e3;
    let micros = |before: f64, after: f64| (after - before) * 1e6 / requests;
    Ok(Cost {
        cpu_micros: micros(before.0, after.0),
        database_micros: before.1.zip(after.1).map(|(before, after)| micros(before, after)),
        rate: requests / round.duration.as_secs_f64(),
        p50: millis(0.5),
        p99: millis(0.99),
    })
}

/// The measured value and the value with which it is compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sides {
    pub(crate) ours: f64,
    pub(crate) bound: f64,
    pub(crate) unit: String,
    /// PostgreSQL's part, in addition to the server's, in the same unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) database: Option<f64>,
}

/// Pairs of rounds: the baseline and the measured server.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    bound: Vec<Cost>,
    ours: Vec<Cost>,
}

impl Pairs {
    /// Adds a pair of rounds.
    pub(crate) fn add(&mut self, bound: Cost, ours: Cost) {
        self.bound.push(bound);
        self.ours.push(ours);
    }

    /// The server's speed as a share of the baseline's: 1 means equally fast.
    pub(crate) fn speed(&self) -> f64 {
        median(self.ratios().collect())
    }

    /// The server's cost as a multiple of the baseline's: 1 means equal cost.
    pub(crate) fn multiple(&self) -> f64 {
        median(self.ratios().map(f64::recip).collect())
    }

    /// The median processor time of a request on both sides.
    pub(crate) fn sides(&self) -> Sides {
        let cpu_micros = |costs: &[Cost]| median(costs.iter().map(|cost| cost.cpu_micros).collect());
        let unit = "µs CPU a request".to_owned();
        let database = database_micros(&self.ours);
        Sides { ours: cpu_micros(&self.ours), bound: cpu_micros(&self.bound), unit, database }
    }

    fn ratios(&self) -> impl Iterator<Item = f64> {
        self.bound.iter().zip(&self.ours).map(|(bound, ours)| bound.cpu_micros / ours.cpu_micros)
    }

    /// The median latency as a multiple of the baseline's.
    pub(crate) fn latency_multiple(&self) -> f64 {
        median(self.bound.iter().zip(&self.ours).map(|(bound, ours)| ours.p50 / bound.p50).collect())
    }

    /// Prints one line for each side.
    pub(crate) fn print(&self, name: &str, bound: &str, ours: &str) {
        println!("{name}");
        for (side, costs) in [(bound, &self.bound), (ours, &self.ours)] {
            let of = |pick: fn(&Cost) -> f64| median(costs.iter().map(pick).collect());
            let database = database_micros(costs).map(|it| format!("   PostgreSQL {it:.1} µs")).unwrap_or_default();
            println!(
                "  {side:<28} {:>8.1} µs CPU a request {:>9.0}/s   p50 {:>6.2} ms   p99 {:>6.2} ms{database}",
                of(|it| it.cpu_micros),
                of(|it| it.rate),
                of(|it| it.p50),
                of(|it| it.p99),
            );
        }
    }
}

/// The median of PostgreSQL's processor time per request.
fn database_micros(costs: &[Cost]) -> Option<f64> {
    let known: Vec<_> = costs.iter().filter_map(|cost| cost.database_micros).collect();
    (!known.is_empty()).then(|| median(known))
}

/// The median: the middle value of an odd number of values, or the mean of the two middle values of an even number.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let low = values.len().saturating_sub(1) / 2;
    let high = values.len() / 2;
    match (values.get(low), values.get(high)) {
        (Some(low), Some(high)) => f64::midpoint(*low, *high),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_does_not_follow_outliers() {
        assert!((median(vec![9.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median(vec![1.0, 2.0, 3.0, 100.0]) - 2.5).abs() < f64::EPSILON);
    }
}
