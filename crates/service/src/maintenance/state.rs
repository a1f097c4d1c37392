//! What a node knows of maintenance: the published notices, in memory, and whether requests are refused now.

use super::list_notices;
use jiff::Timestamp;
use lombard_domain::maintenance::{MaintenanceNotice, NoticeKind, NoticeStatus};
use lombard_ports::store::{Store, StoreError};
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The least `Retry-After` of a refusal in maintenance, in seconds. Source: DTN-006.
pub const RETRY_AFTER_SECS_MIN: i64 = 60;

/// The value of `begins_at_micros` if no maintenance is announced or in force.
const NEVER: i64 = i64::MAX;
/// The value of `begins_at_micros` if an operator has started maintenance.
const BEGUN: i64 = i64::MIN;

/// What a node knows of maintenance. Clones share it.
#[derive(Debug, Clone)]
pub struct MaintenanceState(Arc<StateParts>);

#[derive(Debug)]
struct StateParts {
    published: RwLock<Arc<PublishedNotices>>,
    /// When the first window that is not over begins (wall clock, microseconds since 1970), so that requests outside of windows
    /// read one number.
    begins_at_micros: AtomicI64,
}

/// The published notices with their status.
#[derive(Debug, Default)]
pub struct PublishedNotices {
    /// The notices, newest period first.
    pub notices: Vec<PublishedNotice>,
    /// The number of times that the list has changed in this process. Documents that are made from the list are cached by it.
    pub revision: u64,
}

/// A notice and its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedNotice {
    /// The notice.
    pub notice: MaintenanceNotice,
    /// The status when the list was read.
    pub status: NoticeStatus,
}

/// The maintenance that is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Downtime {
    /// When it is expected to end; `None` if that is not known or has passed.
    pub until: Option<Timestamp>,
    /// The seconds after which a caller may try again; at least [`RETRY_AFTER_SECS_MIN`].
    pub retry_after_secs: i64,
    /// Whether it is within its announced period. Source: MI-044.
    pub is_planned: bool,
}

impl Default for MaintenanceState {
    fn default() -> Self {
        Self(Arc::new(StateParts { published: RwLock::default(), begins_at_micros: AtomicI64::new(NEVER) }))
    }
}

impl MaintenanceState {
    /// Reads the notices from storage.
    ///
    /// # Errors
    /// [`StoreError`]; the node keeps what it knew.
    pub async fn refresh(&self, store: &Store, now: Timestamp) -> Result<(), StoreError> {
        let notices = list_notices(store, now).await?;
        self.adopt(notices, now);
        Ok(())
    }

    fn adopt(&self, notices: Vec<MaintenanceNotice>, now: Timestamp) {
        let next =
            notices.iter().filter(|notice| notice.stops_service() && notice.over_at().is_none()).map(begin_micros);
        let next = next.min().unwrap_or(NEVER);
        let notices: Vec<_> =
            notices.into_iter().map(|notice| PublishedNotice { status: notice.status(now), notice }).collect();
        let mut published = self.0.published.write();
        if published.notices != notices {
            let revision = published.revision.saturating_add(1);
            *published = Arc::new(PublishedNotices { notices, revision });
        }
        self.0.begins_at_micros.store(next, Ordering::Release);
    }

    /// The published notices.
    pub fn published(&self) -> Arc<PublishedNotices> {
        Arc::clone(&self.0.published.read())
    }

    /// The maintenance that is in force at this time; `None` if requests are served. Without open windows this reads one number.
    pub fn in_force(&self, now: Timestamp) -> Option<Downtime> {
        if now.as_microsecond() < self.0.begins_at_micros.load(Ordering::Acquire) {
            return None;
        }
        let published = self.published();
        let in_force = || published.notices.iter().map(|it| &it.notice).filter(|notice| notice.is_in_force(now));
        // The service is back when the last of them ends; one without an expected end leaves that open.
        let ends: Option<Vec<_>> = in_force().map(|notice| notice.until).collect();
        in_force().next()?;
        let until = ends.and_then(|ends| ends.into_iter().max()).filter(|until| *until > now);
        let left = until.map_or(0, |until| until.duration_since(now).as_secs().saturating_add(1));
        let is_planned = in_force().any(|notice| is_within_announced_period(notice, now));
        Some(Downtime { until, retry_after_secs: left.max(RETRY_AFTER_SECS_MIN), is_planned })
    }
}

fn begin_micros(notice: &MaintenanceNotice) -> i64 {
    if notice.started_at.is_some() { BEGUN } else { notice.from.as_microsecond() }
}

fn is_within_announced_period(notice: &MaintenanceNotice, now: Timestamp) -> bool {
    notice.kind == NoticeKind::Planned && notice.from <= now && notice.until.is_some_and(|until| now < until)
}
