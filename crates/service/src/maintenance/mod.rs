//! Maintenance: what operators announce, begin, end and withdraw, and what every node knows of it. Source: DTN-004 to DTN-007.
//!
//! Requests ask the [`MaintenanceState`] of their node, which holds the notices in memory; a worker reads them again every two seconds.
//! Workers continue during maintenance: accepted orders are executed, and their events are queued for the TPPs.

mod state;
#[cfg(test)]
mod tests;

pub use state::{Downtime, MaintenanceState, PublishedNotice, PublishedNotices, RETRY_AFTER_SECS_MIN};

use jiff::{SignedDuration, Timestamp};
use lombard_domain::audit::{AuditAction, AuditRecord};
use lombard_domain::ids::NoticeId;
use lombard_domain::maintenance::{Announcement, MaintenanceNotice, NoticeContent, NoticeFault, OPEN_NOTICES_MAX};
use lombard_ports::store::{MaintenanceStore, Store, StoreError};
use std::sync::Arc;

/// How long notices are published after they are over. Source: DTN-007.
const PUBLISHED_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);

/// The most notices that are published.
const PUBLISHED_MAX: u32 = 500;

/// An operator's act on notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MaintenanceChange {
    /// Announces a period, or moves the notice with this id to it.
    Announce {
        /// The notice that is moved; `None` for a new one.
        id: Option<NoticeId>,
        /// The period and its texts.
        announcement: Announcement,
    },
    /// Begins announced maintenance now.
    BeginAnnounced {
        /// The notice.
        id: NoticeId,
    },
    /// Begins maintenance now that was not announced.
    BeginUnannounced {
        /// When it is expected to end, if that is known.
        until: Option<Timestamp>,
        /// The texts.
        content: NoticeContent,
    },
    /// Ends maintenance, or another notice, now.
    End {
        /// The notice; `None` for the maintenance that is in force.
        id: Option<NoticeId>,
    },
    /// Withdraws a notice whose period has not begun.
    Withdraw {
        /// The notice.
        id: NoticeId,
    },
}

impl MaintenanceChange {
    /// The act in the audit log.
    pub const fn action(&self) -> AuditAction {
        match self {
            Self::Announce { .. } => AuditAction::MaintenanceAnnounce,
            Self::BeginAnnounced { .. } | Self::BeginUnannounced { .. } => AuditAction::MaintenanceBegin,
            Self::End { .. } => AuditAction::MaintenanceEnd,
            Self::Withdraw { .. } => AuditAction::MaintenanceWithdraw,
        }
    }
}

/// Why an act on notices was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum MaintenanceError {
    /// The act is not allowed.
    #[error(transparent)]
    Refused(#[from] NoticeFault),
    /// There is no such notice.
    #[error("There is no notice with this id. `maintenance list` shows the notices.")]
    Unknown,
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Carries out an operator's act and stores its record, whose target becomes the notice. Returns the notice as it stands then. `new_id` is the
/// id of a new notice, and `now` the time of the wall clock. Acts of several operators are carried out one after the other.
///
/// # Errors
/// [`MaintenanceError`]; nothing is changed then.
pub async fn change_maintenance(
    store: &Store,
    new_id: NoticeId,
    now: Timestamp,
    change: MaintenanceChange,
    record: AuditRecord,
) -> Result<MaintenanceNotice, MaintenanceError> {
    let change = Arc::new(change);
    let written = store.write(move |tx| {
        let open = tx.notices_for_change(now, PUBLISHED_MAX)?;
        let notice = apply(tx, new_id.clone(), now, (*change).clone(), &open)?;
        tx.notice_put(&notice)?;
        tx.audit_append(&AuditRecord { target: notice.id.as_str().to_owned(), ..record.clone() })?;
        Ok::<_, MaintenanceError>(notice)
    });
    written.await
}

fn apply(
    tx: &mut (impl MaintenanceStore + ?Sized),
    new_id: NoticeId,
    now: Timestamp,
    change: MaintenanceChange,
    open: &[MaintenanceNotice],
) -> Result<MaintenanceNotice, MaintenanceError> {
    let is_new = match &change {
        MaintenanceChange::Announce { id, .. } => id.is_none(),
        MaintenanceChange::BeginUnannounced { .. } => true,
        MaintenanceChange::BeginAnnounced { .. }
        | MaintenanceChange::End { .. }
        | MaintenanceChange::Withdraw { .. } => false,
    };
    if is_new && tx.notice(&new_id)?.is_some() {
        // Ids are short so that they can be typed. Storing the notice would replace another one.
        return Err(StoreError::Duplicate("maintenance_notices").into());
    }
    let mut find = |id: &NoticeId| tx.notice(id)?.ok_or(MaintenanceError::Unknown);
    let changed = match change {
        MaintenanceChange::Announce { id: None, announcement } => announcement.give(new_id, now, open),
        MaintenanceChange::Announce { id: Some(id), announcement } => announcement.replace(&find(&id)?, now, open),
        MaintenanceChange::BeginAnnounced { id } => find(&id)?.begin(now, open),
        MaintenanceChange::BeginUnannounced { until, content } => {
            MaintenanceNotice::begin_unannounced(new_id, until, content, now, open)
        }
        MaintenanceChange::End { id: Some(id) } => find(&id)?.end(now),
        MaintenanceChange::End { id: None } => {
            MaintenanceNotice::only_in_force(open, now).cloned().and_then(|notice| notice.end(now))
        }
        MaintenanceChange::Withdraw { id } => find(&id)?.withdraw(now),
    };
    Ok(changed?)
}

/// Reads the notices that are published: those that are not over, and those of the last 90 days.
///
/// # Errors
/// [`StoreError`].
pub async fn list_notices(store: &Store, now: Timestamp) -> Result<Vec<MaintenanceNotice>, StoreError> {
    let since = now.saturating_sub(PUBLISHED_FOR).unwrap_or(Timestamp::MIN);
    store.read(move |tx| tx.notices_over_after(since, PUBLISHED_MAX)).await
}

// The rules bound the open notices well below the number that is read.
const _: () = assert!(OPEN_NOTICES_MAX < PUBLISHED_MAX as usize);
