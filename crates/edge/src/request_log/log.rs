//! The log, shared by all listeners of a process.

use super::owner::RecordOwner;
use super::query::RequestQuery;
use super::queues::{RecordBounds, RecordQueues};
use super::record::{Record, RequestView};
use super::settings::RequestLogSettings;
use jiff::Timestamp;
use lombard_domain::ids::ClientId;
use lombard_ports::clock::Clocks;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// How long a waiting reader collects further records after the first one.
const GATHERED_FOR: Duration = Duration::from_millis(50);

/// The request log.
#[derive(Debug)]
pub struct RequestLog {
    settings: RequestLogSettings,
    clocks: Clocks,
    records: Mutex<RecordQueues>,
    /// Notified with each record.
    added: Notify,
}

/// A record with its number, by which it is found and lists are continued.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedRequest {
    /// The number.
    pub number: u64,
    /// The record.
    pub request: RequestView,
}

/// A page of requested records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestPage {
    /// The records, the newest first.
    pub requests: Vec<RequestView>,
    /// The number after which later records are (`after`).
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

    /// Drops expired records, which are never shown.
    pub fn drop_expired(&self) {
        let oldest = self.now().checked_sub(self.settings.age_max).unwrap_or(Timestamp::MIN);
        self.records.lock().drop_before(oldest.as_microsecond());
    }

    /// Finds the requested records, and the number of the newest record.
    fn find(&self, query: &RequestQuery) -> (Vec<NumberedRequest>, u64) {
        self.drop_expired();
        let (found, last) = {
            let records = self.records.lock();
            (records.find(query), records.last())
        };
        // Records are masked without holding the lock.
        let view = |record: &Record| record.view(query.client_id.as_ref());
        (found.iter().map(|it| NumberedRequest { number: it.number, request: view(it) }).collect(), last)
    }

    /// Returns a page of the requested records.
    pub fn page(&self, query: &RequestQuery) -> RequestPage {
        let (found, last) = self.find(query);
        // If there may be more records, the reader continues after the last one of this page.
        let is_cut = query.after.is_some() && found.len() >= query.limit;
        let next = found.first().filter(|_| is_cut).map_or(last, |it| it.number);
        RequestPage { requests: found.into_iter().map(|it| it.request).collect(), next }
    }

    /// Lists the requested records with their numbers, the newest first.
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

    /// Whether the log records requests of this client.
    pub fn records(&self, client: &ClientId) -> bool {
        self.settings.recorded.include(Some(client))
    }

    /// Returns a page of records; if it is empty, waits for the first record for at most the given time.
    pub async fn wait_for_page(&self, query: &RequestQuery, wait: Duration) -> RequestPage {
        let mut query = query.clone();
        let waited = timeout(wait, async {
            loop {
                // The waiter is registered before the look-up, so that no record is missed.
                let added = self.added.notified();
                let page = self.page(&query);
                if !page.requests.is_empty() {
                    return page;
                }
                query.after = Some(page.next);
                added.await;
                // Many records that arrive together are looked up together.
                sleep(GATHERED_FOR).await;
            }
        });
        match waited.await {
            Ok(page) => page,
            Err(_) => self.page(&query),
        }
    }
}
