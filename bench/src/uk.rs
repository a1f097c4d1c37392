//! The average traffic of UK Open Banking, times 1, 5 and 25, against one server that shares its machine with the load generator. The
//! benchmark measures latencies at a fixed rate, and the highest multiple at which they stay within their limit.
//!
//! The traffic is 761 calls per second, including 11 payments, according to Open Banking Limited's counts for all account providers. The
//! shares of the kinds of reads are assumptions. Consents, authorisations and tokens are created before a round and are not measured. The
//! database contains a million consents that no call uses.
//!
//! Each TPP repeats the reads of 50 consents, so their tokens are cached in memory, and so are repeated pages. Half of the reads of
//! transactions request a page that was never requested before.

use crate::database::{Database, Engine};
use crate::figure::{Aim, Figure};
use crate::fill;
use crate::load::{CONNECTIONS, DueRequest, PacedRound, PreparedRequest, Schedule, Target};
use crate::ops::Ops;
use crate::payments;
use crate::process::Lombard;
use crate::reads::UncachedBounds;
use crate::result::BenchResult;
use crate::robot::Robot;
use futures_util::future::try_join_all;
use hdrhistogram::Histogram;
use indicatif::ProgressBar;
use lombard_tpp::TppFolder;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// The number of calls per second of all account providers together.
const CALLS: f64 = 761.0;
/// The number of payments among these calls.
const PAYMENTS: f64 = 11.0;
const MULTIPLES: [f64; 3] = [1.0, 5.0, 25.0];
/// The multiple to which the limit applies.
const TARGET_MULTIPLE: f64 = 5.0;
/// The limit of the 99th percentile of each group of calls, in milliseconds.
const P99_MAX: f64 = 20.0;
/// The number of consents in the database that no call uses.
const CONSENTS: u32 = 1_000_000;
/// The TPPs, each with the customer for whom its authorisation requests are decided.
const TPPS: [(&str, &str); 4] =
    [("robot", "amelia"), ("uk-bashir", "bashir"), ("uk-chloe", "chloe"), ("uk-deepak", "deepak")];
/// The number of consents with a token that each TPP uses for reads.
const TOKENS: usize = 50;
/// The paths that are read, each with its share in per cent.
const READS: [(&str, usize); 6] = [
    ("accounts", 18),
    ("accounts/{id}/balances", 34),
    ("accounts/{id}/transactions", 38),
    ("accounts/{id}", 4),
    ("balances", 3),
    ("transactions", 3),
];
/// The groups whose latencies are measured separately.
const GROUPS: [&str; 2] = ["reads", "payments"];
/// The search for the highest multiple ends when its bounds differ by less than this factor.
const SEARCH_RATIO: f64 = 1.15;
/// The duration of each step of the search.
const STEP: Duration = Duration::from_secs(15);
/// The number of orders that are prepared concurrently.
const PREPARED_AT_ONCE: usize = 16;

pub(crate) async fn run(program: &Path, time: Duration) -> BenchResult<Vec<Figure>> {
    let mut bench = TrafficBench::start(program).await?;
    println!("uk: {CALLS:.0} calls a second, {PAYMENTS:.0} of them payments, {CONSENTS} consents");
    let mut passed = None;
    let mut failed = None;
    let mut target = f64::NAN;
    for multiple in MULTIPLES {
        let p99 = bench.round(multiple, time).await?;
        if multiple <= TARGET_MULTIPLE {
            target = p99;
        }
        match (p99 <= P99_MAX, failed) {
            (true, None) => passed = Some(multiple),
            (true, Some(_)) => {}
            (false, _) => failed = failed.or(Some(multiple)),
        }
    }
    let mut low = passed.unwrap_or(0.0);
    // The load generator has its own limit: if it sends a request late, the delay counts, so the result may be the limit of the generator.
    while let Some(high) = failed.filter(|high| low > 0.0 && high / low > SEARCH_RATIO) {
        let middle = (low * high).sqrt();
        if bench.round(middle, STEP).await? <= P99_MAX {
            low = middle;
        } else {
            failed = Some(middle);
        }
    }
    let highest = if failed.is_none() { ", the highest multiple tried" } else { "" };
    println!("  the 99th percentiles are within {P99_MAX} ms at {low:.1} times the traffic{highest}");
    bench.stop().await?;
    Ok(vec![
        Figure::of_sides("uk/p99", target, P99_MAX, "ms", Aim::AtMost(1.0)),
        Figure::of_ratio("uk/multiple", low, Aim::AtLeast(TARGET_MULTIPLE)),
    ])
}

/// A server with its TPPs.
struct TrafficBench {
    lombard: Lombard,
    tpps: Vec<LoadTpp>,
    bounds: UncachedBounds,
    database: Database,
    _data: tempfile::TempDir,
}

/// A TPP with its connections and its reads.
struct LoadTpp {
    robot: Robot,
    target: Target,
    reads: Vec<Arc<PreparedRequest>>,
}

impl LoadTpp {
    async fn open(data: &Path, name: &str, base: &str) -> BenchResult<Self> {
        let robot = Robot::open_named(data, name)?;
        let target = robot.connect_few(base, CONNECTIONS / TPPS.len()).await?;
        let reads = reads_of(&robot).await?;
        Ok(Self { robot, target, reads })
    }
}

impl TrafficBench {
    async fn start(program: &Path) -> BenchResult<Self> {
        let folder = tempfile::tempdir()?;
        let data = folder.path();
        let database = Engine::of_this_run()?.database(data, "uk").await?;
        let store = database.first_start(program, data).await?;
        let card = TppFolder::read_folder(&data.join("tpps/robot"))?.details;
        fill::consents(&store.server, &card.client_id, CONSENTS).await?;
        drop(store);
        database.settle().await?;
        let lombard = database.start(program, data).await?;
        let mut ops = Ops::connect(&lombard.endpoints.ops, data).await?;
        let mut tpps = Vec::new();
        for (number, (name, customer)) in TPPS.into_iter().enumerate() {
            if number > 0 {
                ops.create_tpp(name, customer).await?;
            }
            tpps.push(LoadTpp::open(data, name, &lombard.endpoints.mtls).await?);
        }
        Ok(Self { lombard, tpps, bounds: UncachedBounds::default(), database, _data: folder })
    }

    /// Sends calls for this time. Returns the higher 99th percentile of the groups in milliseconds.
    async fn round(&mut self, multiple: f64, time: Duration) -> BenchResult<f64> {
        let schedules = self.schedules(multiple, time).await?;
        let before = self.lombard.process.usage()?.cpu_secs;
        let began = Instant::now();
        let paced = self
            .tpps
            .iter_mut()
            .zip(schedules)
            .map(|(tpp, requests)| tpp.target.pace(Schedule { began, requests, groups: GROUPS.len() }));
        let mut whole = PacedRound::new(GROUPS.len())?;
        for round in try_join_all(paced).await? {
            whole.add(round)?;
        }
        let secs = began.elapsed().as_secs_f64();
        let used = self.lombard.process.usage()?.cpu_secs - before;
        print_round(multiple, secs, used / secs, &whole)?;
        if whole.errors > 0 {
            return Err(format!("{} of {} calls failed", whole.errors, whole.requests).into());
        }
        Ok(whole.latencies.iter().map(|latencies| millis(latencies, 0.99)).fold(0.0, f64::max))
    }

    /// The calls of each TPP for this time. The first TPP makes all payments, at equal intervals and from one customer's account, so the
    /// figure includes the row locks of that account.
    async fn schedules(&mut self, multiple: f64, time: Duration) -> BenchResult<Vec<Vec<DueRequest>>> {
        let payments = whole((PAYMENTS * multiple * time.as_secs_f64()).max(1.0));
        let calls = whole(CALLS * multiple * time.as_secs_f64());
        let mut orders = self.orders(payments).await?.into_iter();
        let mut schedules: Vec<Vec<DueRequest>> = self.tpps.iter().map(|_| Vec::new()).collect();
        for number in 0..calls {
            let due = Duration::from_secs_f64(f64::from(u32::try_from(number)?) / (CALLS * multiple));
            let order = if number % (calls / payments) == 0 { orders.next() } else { None };
            let tpp = if order.is_some() { 0 } else { number % self.tpps.len() };
            let (caller, schedule) = self.tpps.get(tpp).zip(schedules.get_mut(tpp)).ok_or("no TPP")?;
            let group = usize::from(order.is_some());
            let request = match order {
                Some(order) => order,
                None => {
                    let place = scatter(number / self.tpps.len()) % caller.reads.len();
                    let read = caller.reads.get(place).ok_or("nothing to read")?;
                    let is_page = read.path.path().ends_with("transactions");
                    if is_page && number % 2 == 0 { Arc::new(self.bounds.next(read)?) } else { Arc::clone(read) }
                }
            };
            schedule.push(DueRequest { due, group, request });
        }
        Ok(schedules)
    }

    /// Prepares orders with authorised consents.
    async fn orders(&self, count: usize) -> BenchResult<Vec<Arc<PreparedRequest>>> {
        let tpp = &self.tpps.first().ok_or("no TPP")?.robot.tpp;
        let own = tpp.client_credentials("payments").await?.access_token;
        let progress = ProgressBar::new(u64::try_from(count)?).with_message("consents");
        let mut running = JoinSet::new();
        for worker in 0..PREPARED_AT_ONCE {
            let tpp = tpp.clone();
            let own = own.clone();
            let progress = progress.clone();
            running.spawn(async move {
                let mut orders = Vec::new();
                for _ in (worker..count).step_by(PREPARED_AT_ONCE) {
                    orders.push(Arc::new(payments::shot(&tpp, &own, payments::PAID).await?));
                    progress.inc(1);
                }
                BenchResult::Ok(orders)
            });
        }
        let orders: Vec<Vec<_>> = running.join_all().await.into_iter().collect::<BenchResult<_>>()?;
        progress.finish_and_clear();
        Ok(orders.into_iter().flatten().collect())
    }

    async fn stop(self) -> BenchResult<()> {
        self.lombard.process.stop().await?;
        self.database.drop_database().await
    }
}

/// Prepares the reads of one TPP: for each of its tokens, as many reads of each kind as the shares require.
async fn reads_of(robot: &Robot) -> BenchResult<Vec<Arc<PreparedRequest>>> {
    let mut reads = Vec::new();
    for _ in 0..TOKENS {
        let token = robot.token().await?;
        let answer = robot.tpp.get(&token, "aisp/accounts").await?.json()?;
        let account = answer.pointer("/Data/Account/0/AccountId").and_then(|id| id.as_str()).ok_or("no account")?;
        for (path, share) in READS {
            let url = robot.tpp.resource_url(&format!("aisp/{}", path.replace("{id}", account)));
            reads.extend(std::iter::repeat_n(Arc::new(PreparedRequest::get(&url, &token)?), share));
        }
    }
    Ok(reads)
}

/// Rounds a number of calls to a whole number.
fn whole(calls: f64) -> usize {
    usize::try_from(Duration::from_secs_f64(calls.max(0.0)).as_secs()).unwrap_or(usize::MAX)
}

/// Scatters consecutive numbers, so that consecutive reads use different tokens and paths (Knuth's multiplicative hash).
fn scatter(number: usize) -> usize {
    number.wrapping_mul(2_654_435_761)
}

fn millis(latencies: &Histogram<u64>, quantile: f64) -> f64 {
    Duration::from_micros(latencies.value_at_quantile(quantile)).as_secs_f64() * 1e3
}

fn print_round(multiple: f64, secs: f64, cpu: f64, round: &PacedRound) -> BenchResult<()> {
    let rate = f64::from(u32::try_from(round.requests)?) / secs;
    println!(
        "  x {multiple:<5.1} {rate:>8.0} calls/s   server {cpu:.2} CPUs   errors {}   not sent {}",
        round.errors, round.unsent
    );
    let all = [("all", round.all()?)];
    for (group, latencies) in all.into_iter().chain(GROUPS.into_iter().zip(round.latencies.iter().cloned())) {
        let [p50, p99, p999] = [0.5, 0.99, 0.999].map(|quantile| millis(&latencies, quantile));
        println!(
            "    {group:<9} {:>8}   p50 {p50:>7.2} ms   p99 {p99:>7.2} ms   p99.9 {p999:>7.2} ms",
            latencies.len()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_reads_are_percentages() {
        assert_eq!(READS.iter().map(|(_, share)| share).sum::<usize>(), 100);
        assert_eq!(whole(PAYMENTS * 5.0 * 60.0), 3_300);
    }
}
