//! Counts of requests by TPP, for the busiest TPPs. The number of series is bounded, whoever registers and whatever is sent.

use super::meters::{CLASSES, class_of};
use http::StatusCode;
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The most TPPs with counts of their own.
const LISTED_MAX: usize = 100;
/// The most further TPPs whose recent requests are remembered. With 100 bytes for each they take less than a megabyte.
const UNLISTED_MAX: usize = 4_096;
/// The time after which TPPs that have become busier get counts of their own.
const PERIOD: Duration = Duration::from_secs(60);
/// How many times the requests of the least busy listed TPP another one must have sent to take its place. It prevents that TPPs of equal
/// traffic displace each other.
const BUSIER: u64 = 2;

/// The label for all TPPs without counts of their own.
const OTHER: &str = "other";

type ClassCounts = [u64; CLASSES.len()];

/// The counts of requests by TPP, of the life of the process. Only authenticated clients are counted.
#[derive(Debug)]
pub struct TppRequestCounts(Mutex<Counts>);

#[derive(Debug)]
struct Counts {
    listed: HashMap<ClientId, ListedTpp>,
    /// The requests of this period by TPPs that are not listed.
    unlisted: HashMap<ClientId, u64>,
    /// The requests by TPPs that were not listed then.
    others: ClassCounts,
    period_began: Instant,
}

#[derive(Debug, Default)]
struct ListedTpp {
    counts: ClassCounts,
    /// The requests of this period.
    recent: u64,
}

/// A count of requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TppRequestCount {
    /// The client id, or `other` for all TPPs that are not among the busiest.
    pub client: String,
    /// The class of the status.
    pub status: &'static str,
    /// The number of requests.
    pub requests: u64,
}

impl Default for TppRequestCounts {
    fn default() -> Self {
        let listed = HashMap::new();
        let unlisted = HashMap::new();
        Self(Mutex::new(Counts { listed, unlisted, others: [0; CLASSES.len()], period_began: Instant::now() }))
    }
}

impl TppRequestCounts {
    pub(super) fn count(&self, client: &ClientId, status: StatusCode) {
        self.0.lock().count(client, class_of(status), Instant::now());
    }

    /// All counts above zero, ordered by client and class.
    pub fn counts(&self) -> Vec<TppRequestCount> {
        let counts = self.0.lock();
        let listed = counts.listed.iter().map(|(client, listed)| (client.as_str(), &listed.counts));
        let of_all = listed.chain([(OTHER, &counts.others)]);
        let mut shown: Vec<_> = of_all.flat_map(|(client, counts)| of_classes(client, counts)).collect();
        shown.sort_by(|one, next| (&one.client, one.status).cmp(&(&next.client, next.status)));
        shown
    }
}

fn of_classes(client: &str, counts: &ClassCounts) -> impl Iterator<Item = TppRequestCount> {
    let counted = CLASSES.into_iter().zip(*counts).filter(|(_, requests)| *requests > 0);
    counted.map(|(status, requests)| TppRequestCount { client: client.to_owned(), status, requests })
}

impl Counts {
    fn count(&mut self, client: &ClientId, class: usize, now: Instant) {
        if now.saturating_duration_since(self.period_began) >= PERIOD {
            self.end_period(now);
        }
        if !self.listed.contains_key(client) && self.listed.len() < LISTED_MAX {
            self.listed.insert(client.clone(), ListedTpp::default());
        }
        let counts = match self.listed.get_mut(client) {
            Some(listed) => {
                listed.recent = listed.recent.saturating_add(1);
                &mut listed.counts
            }
            None => {
                if let Some(recent) = self.unlisted.get_mut(client) {
                    *recent = recent.saturating_add(1);
                } else if self.unlisted.len() < UNLISTED_MAX {
                    self.unlisted.insert(client.clone(), 1);
                }
                &mut self.others
            }
        };
        if let Some(count) = counts.get_mut(class) {
            *count = count.saturating_add(1);
        }
    }

    /// Lists TPPs that were much busier than listed ones in the ended period. A TPP that is no longer listed loses its counts, and one that is
    /// listed anew begins at zero, so that no count ever decreases.
    fn end_period(&mut self, now: Instant) {
        let mut busiest: Vec<_> = self.unlisted.drain().collect();
        busiest.sort_by(|(_, one), (_, next)| next.cmp(one));
        let mut idlest: Vec<_> = self.listed.iter().map(|(client, it)| (client.clone(), it.recent)).collect();
        idlest.sort_by_key(|(_, recent)| *recent);
        for ((busy, sent), (idle, recent)) in busiest.into_iter().zip(idlest) {
            if sent <= recent.saturating_mul(BUSIER) {
                break;
            }
            self.listed.remove(&idle);
            self.listed.insert(busy, ListedTpp::default());
        }
        self.listed.values_mut().for_each(|listed| listed.recent = 0);
        self.period_began = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OK: usize = 1;

    fn client(number: usize) -> ClientId {
        ClientId::new(format!("client-{number:05}"))
    }

    fn shown(counts: &TppRequestCounts, name: &str) -> u64 {
        counts.counts().iter().filter(|it| it.client == name).map(|it| it.requests).sum()
    }

    #[test]
    fn the_number_of_series_is_bounded_however_many_tpps_there_are() {
        let counts = TppRequestCounts::default();
        let now = Instant::now();
        for number in 0..10_000 {
            counts.0.lock().count(&client(number), OK, now);
        }
        assert_eq!(counts.counts().len(), LISTED_MAX + 1);
        assert_eq!(shown(&counts, OTHER), 9_900);
        assert_eq!(counts.0.lock().unlisted.len(), UNLISTED_MAX);
        assert_eq!(counts.counts().iter().map(|it| it.requests).sum::<u64>(), 10_000, "no request is lost");
    }

    #[test]
    fn a_busier_tpp_takes_the_place_of_an_idle_one_and_no_count_decreases() {
        let counts = TppRequestCounts::default();
        let begin = Instant::now();
        let count = |number, requests, at| (0..requests).for_each(|_| counts.0.lock().count(&client(number), OK, at));
        (0..LISTED_MAX).for_each(|number| count(number, 3, begin));
        count(200, 50, begin);
        count(201, 6, begin);
        assert_eq!((shown(&counts, "client-00200"), shown(&counts, OTHER)), (0, 56));
        let later = begin + PERIOD;
        count(200, 1, later);
        assert_eq!((shown(&counts, "client-00200"), shown(&counts, OTHER)), (1, 56), "listed from now on");
        count(201, 1, later);
        assert_eq!((shown(&counts, "client-00201"), shown(&counts, OTHER)), (0, 57), "not busy enough");
        assert_eq!(counts.0.lock().listed.len(), LISTED_MAX);
    }
}
