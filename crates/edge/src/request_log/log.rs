//! The log, shared by all listeners of a process.

use super::owner::RecordOwner;
use super::queues::{RecordBounds, RecordQueues};
use super::record::{Record, RequestView};
use super::settings::RequestLogSettings;
use jiff::Timestamp;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use lombard_ports::clock::Clocks;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
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
    records: Mutex<RecordQueues>,
    /// Notified with each record.
    added: Notify,
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
    /// Whether this record is asked for, if it comes behind the number `after`.
    pub(super) fn is_met(&self, record: &Record) -> bool {
        self.before.is_none_or(|before| record.number < before)
            && self.interaction_id.as_ref().is_none_or(|id| record.has_id(id))
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

impl RequestLog {
    /// An empty log.
    pub fn new(settings: RequestLogSettings, clocks: Clocks) -> Self {
        let bounds = RecordBounds { all: settings.bytes_max, owner: settings.client_bytes_max };
        Self { settings, clocks, records: Mutex::new(RecordQueues::new(bounds)), added: Notify::new() }
    }

    pub(super) const fn settings(&self) -> &RequestLogSettings {
        &self.settings
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clocks.wall_now()
    }

    pub(super) fn add(&self, owner: RecordOwner, record: Record) {
        self.records.lock().add(owner, record);
        self.added.notify_waiters();
    }

    /// Drops the records that are too old. They are not shown in any case.
    pub fn drop_expired(&self) {
        let oldest = self.now().checked_sub(self.settings.age_max).unwrap_or(Timestamp::MIN);
        self.records.lock().drop_before(oldest.as_microsecond());
    }

    /// The records that are asked for, and the number of the newest of all.
    fn find(&self, query: &RequestQuery) -> (Vec<NumberedRequest>, u64) {
        self.drop_expired();
        let (found, last) = {
            let records = self.records.lock();
            (records.find(query), records.last())
        };
        // Masking is done without the lock.
        let view = |record: &Record| record.view(query.client_id.as_ref());
        (found.iter().map(|it| NumberedRequest { number: it.number, request: view(it) }).collect(), last)
    }

    /// The records that are asked for.
    pub fn page(&self, query: &RequestQuery) -> RequestPage {
        let (found, last) = self.find(query);
        // If there may be more, whoever asks goes on behind the last one it was shown.
        let is_cut = query.after.is_some() && found.len() >= query.limit;
        let next = found.first().filter(|_| is_cut).map_or(last, |it| it.number);
        RequestPage { requests: found.into_iter().map(|it| it.request).collect(), next }
    }

    /// The same records with their numbers, the newest first.
    pub fn list_numbered(&self, query: &RequestQuery) -> Vec<NumberedRequest> {
        self.find(query).0
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
