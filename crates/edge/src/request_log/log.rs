//! The log, shared by all listeners of a process.

use super::inbox::{ArrivedRecord, Inboxes};
use super::owner::RecordOwner;
use super::record::{Record, RequestView};
use super::ring::{FoundRecord, RecordRange, Ring, RingBounds};
use super::settings::RequestLogSettings;
use jiff::Timestamp;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use lombard_ports::clock::Clocks;
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// How long whoever waits for records waits for further ones after the first.
const GATHERED_FOR: Duration = Duration::from_millis(50);

/// The log of requests.
#[derive(Debug)]
pub struct RequestLog {
    settings: RequestLogSettings,
    clocks: Clocks,
    /// Records that are not in the ring yet.
    inboxes: Inboxes,
    ring: Mutex<Ring>,
    /// Notified with each record while somebody waits for one.
    added: Notify,
    waiters: AtomicUsize,
}

/// Somebody who waits for records; counted until it is dropped.
struct CountedWaiter<'l>(&'l RequestLog);

impl<'l> CountedWaiter<'l> {
    fn of(log: &'l RequestLog) -> Self {
        log.waiters.fetch_add(1, Ordering::SeqCst);
        Self(log)
    }
}

impl Drop for CountedWaiter<'_> {
    fn drop(&mut self) {
        self.0.waiters.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Which records are asked for; all conditions hold at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestQuery {
    /// The interaction id of the answer, or the `Id` of the error in its body.
    pub interaction_id: Option<FapiInteractionId>,
    /// The client: what it called, and what was called with its certificate by nobody who is known.
    pub client_id: Option<ClientId>,
    /// The status of the answer.
    pub status: Option<StatusFilter>,
    /// How the path begins.
    pub path_prefix: Option<String>,
    /// Whether only requests are meant that a check refused.
    pub is_refused: bool,
    /// Only records before this number.
    pub before: Option<u64>,
    /// Only records behind this number, the first ones of these.
    pub after: Option<u64>,
    /// Most records.
    pub limit: usize,
}

/// A status or a class of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusFilter {
    /// This status.
    Status(u16),
    /// Every status that begins with this digit.
    Class(u16),
}

impl StatusFilter {
    /// The filter of a text such as `401` or `4xx`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_suffix("xx") {
            Some(class) => class.parse().ok().filter(|class| (1..=5).contains(class)).map(Self::Class),
            None => text.parse().ok().filter(|status| (100..=599).contains(status)).map(Self::Status),
        }
    }

    const fn includes(self, status: u16) -> bool {
        match self {
            Self::Status(it) => it == status,
            Self::Class(class) => class == status / 100,
        }
    }
}

impl RequestQuery {
    fn range(&self) -> RecordRange<'_> {
        RecordRange { client: self.client_id.as_ref(), after: self.after, before: self.before }
    }

    fn is_met(&self, record: &Record<'_>) -> bool {
        self.interaction_id.as_ref().is_none_or(|id| record.has_id(id))
            && self.client_id.as_ref().is_none_or(|client| record.is_of(client))
            && self.status.is_none_or(|filter| filter.includes(record.status))
            && self.path_prefix.as_ref().is_none_or(|prefix| record.target.starts_with(prefix.as_str()))
            && (!self.is_refused || record.refused.is_some())
    }
}

/// A record, and its number, by which it is found again and lists continue.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedRequest {
    /// The number.
    pub number: u64,
    /// The record.
    pub request: RequestView,
}

/// Records that were asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestPage {
    /// The records, the newest first.
    pub requests: Vec<RequestView>,
    /// Behind this number are the records that came later (`after`).
    pub next: u64,
}

/// A record of this owner as it is taken into the ring.
fn arrived<'a>(owner: &'a [u8], record: &Record<'_>, written: &'a [u8]) -> ArrivedRecord<'a> {
    ArrivedRecord { owner, at_micros: record.at_micros, written, beside: record.beside.cloned() }
}

impl RequestLog {
    /// An empty log.
    pub fn new(settings: RequestLogSettings, clocks: Clocks) -> Self {
        let inboxes = Inboxes::new(settings.bytes_max);
        let all = settings.bytes_max.saturating_sub(inboxes.bytes());
        let ring = Mutex::new(Ring::new(RingBounds { all, owner: settings.client_bytes_max }));
        Self { settings, clocks, inboxes, ring, added: Notify::new(), waiters: AtomicUsize::new(0) }
    }

    pub(super) const fn settings(&self) -> &RequestLogSettings {
        &self.settings
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clocks.wall_now()
    }

    pub(super) fn add(&self, owner: RecordOwner<'_>, record: &Record<'_>) {
        if !self.copy_at_once(&owner, record) && !self.inboxes.push(&owner, record) {
            let mut ring = self.lock_ring();
            // Of the room that was made others may have taken some, and a long record has room in none.
            if !self.inboxes.push(&owner, record) {
                ring.add(arrived(&owner.key(), record, &record.write()));
            }
        }
        // Whoever waits was counted before it looked at the inboxes.
        if self.waiters.load(Ordering::SeqCst) > 0 {
            self.added.notify_waiters();
        }
    }

    /// Adds a record to the ring, if a body is copied with it and nobody has the ring: until it is copied all of the body stays in
    /// memory, and an inbox full of these takes more than fits the processor's cache.
    fn copy_at_once(&self, owner: &RecordOwner<'_>, record: &Record<'_>) -> bool {
        if record.beside.is_none_or(|body| body.copied.is_none()) {
            return false;
        }
        let (key, written) = (owner.key(), record.write());
        let Some(mut ring) = self.ring.try_lock() else { return false };
        self.inboxes.take(|record| ring.add(record));
        ring.add(arrived(&key, record, &written));
        true
    }

    /// The ring, with all records that were made.
    fn lock_ring(&self) -> MutexGuard<'_, Ring> {
        let mut ring = self.ring.lock();
        self.inboxes.take(|record| ring.add(record));
        ring
    }

    /// Drops the records that are too old. They are not shown in any case.
    pub fn drop_expired(&self) {
        let oldest = self.now().checked_sub(self.settings.age_max).unwrap_or(Timestamp::MIN);
        self.lock_ring().drop_before(oldest.as_microsecond());
    }

    /// The records that are asked for.
    pub fn page(&self, query: &RequestQuery) -> RequestPage {
        self.drop_expired();
        let (found, last) = {
            let ring = self.lock_ring();
            (ring.find(&query.range(), query.limit, |record| query.is_met(record)), ring.last())
        };
        // If there may be more, whoever asks goes on behind the last one it was shown.
        let is_cut = query.after.is_some() && found.len() >= query.limit;
        let next = found.first().filter(|_| is_cut).map_or(last, |it| it.number);
        // Masking is done without the lock.
        let view = |found: &FoundRecord| Some(found.record()?.view(query.client_id.as_ref()));
        RequestPage { requests: found.iter().filter_map(view).collect(), next }
    }

    /// The same records with their numbers, the newest first.
    pub fn list_numbered(&self, query: &RequestQuery) -> Vec<NumberedRequest> {
        self.drop_expired();
        let found = self.lock_ring().find(&query.range(), query.limit, |record| query.is_met(record));
        let view = |found: &FoundRecord| Some(found.record()?.view(query.client_id.as_ref()));
        found.iter().filter_map(|it| Some(NumberedRequest { number: it.number, request: view(it)? })).collect()
    }

    /// The record of a client with this number; `None` if there is none, or it is not this client's.
    pub fn find_of_client(&self, client: &ClientId, number: u64) -> Option<RequestView> {
        let query = RequestQuery {
            client_id: Some(client.clone()),
            after: number.checked_sub(1),
            before: number.checked_add(1),
            limit: 1,
            ..RequestQuery::default()
        };
        self.list_numbered(&query).pop().map(|found| found.request)
    }

    /// Whether requests of this client are recorded.
    pub fn records(&self, client: &ClientId) -> bool {
        self.settings.recorded.include(Some(client))
    }

    /// The page of records; if there are none, waits for the first one, at most so long.
    pub async fn wait_for_page(&self, query: &RequestQuery, wait: Duration) -> RequestPage {
        let mut query = query.clone();
        let _counted = CountedWaiter::of(self);
        let waited = timeout(wait, async {
            loop {
                // Registered before it is looked, so that no record is missed.
                let added = self.added.notified();
                let page = self.page(&query);
                if !page.requests.is_empty() {
                    return page;
                }
                query.after = Some(page.next);
                added.await;
                // Of many records that come at once, all are looked at together.
                sleep(GATHERED_FOR).await;
            }
        });
        match waited.await {
            Ok(page) => page,
            Err(_) => self.page(&query),
        }
    }
}
