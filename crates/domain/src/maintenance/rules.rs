//! What operators may do with notices: announce, move, begin, end and withdraw. Source: DTN-004 to DTN-006.

use super::{MaintenanceNotice, NoticeContent, NoticeImpact, NoticeKind, NoticeStatus};
use crate::ids::NoticeId;
use jiff::{SignedDuration, Timestamp};

/// The most notices that are not over at a time.
pub const OPEN_NOTICES_MAX: usize = 100;

/// How far ahead a period may be announced, and how long it may be.
const PERIOD_MAX: SignedDuration = SignedDuration::from_hours(2 * 366 * 24);

/// The announcement of a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// Planned maintenance or a change.
    pub is_change: bool,
    /// How much TPPs notice.
    pub impact: NoticeImpact,
    /// When the period begins.
    pub from: Timestamp,
    /// When it ends; a change may have no end.
    pub until: Option<Timestamp>,
    /// The texts.
    pub content: NoticeContent,
}

/// Why an operator's act on a notice is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeFault {
    /// The announced start is not in the future.
    #[error("The period must begin in the future. `maintenance begin` begins maintenance now.")]
    BeginsInPast,
    /// Planned maintenance has no end.
    #[error("Planned maintenance needs the time of its end.")]
    NoEnd,
    /// The end is not after the start.
    #[error("The period must end after it begins.")]
    EndsBeforeBegin,
    /// The begin or the end is too far away.
    #[error("The period must begin within two years, and be shorter than that.")]
    TooFar,
    /// The period overlaps that of another notice.
    #[error("The period overlaps that of notice {0}. Withdraw or move that one, or announce another period.")]
    Overlaps(NoticeId),
    /// There are too many notices.
    #[error("There are {OPEN_NOTICES_MAX} notices that are not over. Withdraw some of them.")]
    TooMany,
    /// The period of the notice has begun.
    #[error("The period of notice {0} has begun. `maintenance end` ends it.")]
    HasBegun(NoticeId),
    /// The notice is over.
    #[error("Notice {0} is over. Announce a new one.")]
    IsOver(NoticeId),
    /// The notice has not begun.
    #[error("The period of notice {0} has not begun. `maintenance withdraw` withdraws it.")]
    NotBegun(NoticeId),
    /// A notice that stops nothing cannot be begun.
    #[error("Notice {0} does not stop the service, so it begins and ends by itself.")]
    StopsNothing(NoticeId),
    /// Maintenance is in force.
    #[error("Maintenance is in force by notice {0}. End it first.")]
    InForce(NoticeId),
    /// No maintenance is in force.
    #[error("No maintenance is in force.")]
    NoneInForce,
    /// Several notices are in force.
    #[error("Several notices are in force: {}. Name the one to end.", names(.0))]
    SeveralInForce(Vec<NoticeId>),
    /// Maintenance without an announcement needs a message.
    #[error("Maintenance that was not announced needs a message.")]
    NoMessage,
}

fn names(ids: &[NoticeId]) -> String {
    ids.iter().map(NoticeId::as_str).collect::<Vec<_>>().join(", ")
}

impl Announcement {
    /// The new notice, given now. `open` holds every notice that is not over. Source: DTN-004.
    ///
    /// # Errors
    /// [`NoticeFault`].
    pub fn give(
        self,
        id: NoticeId,
        now: Timestamp,
        open: &[MaintenanceNotice],
    ) -> Result<MaintenanceNotice, NoticeFault> {
        if open.len() >= OPEN_NOTICES_MAX {
            return Err(NoticeFault::TooMany);
        }
        self.placed(id, now, open)
    }

    /// The notice with another period and other texts, given now. `open` holds every notice that is not over. Source: DTN-005.
    ///
    /// # Errors
    /// [`NoticeFault`].
    pub fn replace(
        self,
        former: &MaintenanceNotice,
        now: Timestamp,
        open: &[MaintenanceNotice],
    ) -> Result<MaintenanceNotice, NoticeFault> {
        former.require_future(now)?;
        self.placed(former.id.clone(), now, open)
    }

    fn placed(
        self,
        id: NoticeId,
        now: Timestamp,
        open: &[MaintenanceNotice],
    ) -> Result<MaintenanceNotice, NoticeFault> {
        let Self { is_change, impact, from, until, content } = self;
        if from <= now {
            return Err(NoticeFault::BeginsInPast);
        }
        if until.is_none() && !is_change {
            return Err(NoticeFault::NoEnd);
        }
        if until.is_some_and(|until| until <= from) {
            return Err(NoticeFault::EndsBeforeBegin);
        }
        let end = until.unwrap_or(from);
        if from.duration_since(now) > PERIOD_MAX || end.duration_since(from) > PERIOD_MAX {
            return Err(NoticeFault::TooFar);
        }
        let kind = if is_change { NoticeKind::Change } else { NoticeKind::Planned };
        let notice = MaintenanceNotice {
            id,
            kind,
            impact,
            given_at: now,
            from,
            until,
            started_at: None,
            ended_at: None,
            withdrawn_at: None,
            content,
        };
        match open.iter().find(|other| notice.overlaps(other, now)) {
            Some(other) => Err(NoticeFault::Overlaps(other.id.clone())),
            None => Ok(notice),
        }
    }
}

impl MaintenanceNotice {
    /// Maintenance that begins now without an announcement. `open` holds every notice that is not over. Source: DTN-006.
    ///
    /// # Errors
    /// [`NoticeFault`].
    pub fn begin_unannounced(
        id: NoticeId,
        until: Option<Timestamp>,
        content: NoticeContent,
        now: Timestamp,
        open: &[Self],
    ) -> Result<Self, NoticeFault> {
        require_none_in_force(open, now)?;
        if until.is_some_and(|until| until <= now) {
            return Err(NoticeFault::EndsBeforeBegin);
        }
        if until.is_some_and(|until| until.duration_since(now) > PERIOD_MAX) {
            return Err(NoticeFault::TooFar);
        }
        Ok(Self {
            id,
            kind: NoticeKind::Unplanned,
            impact: NoticeImpact::BusinessCritical,
            given_at: now,
            from: now,
            until,
            started_at: Some(now),
            ended_at: None,
            withdrawn_at: None,
            content,
        })
    }

    /// The announced maintenance, begun now. `open` holds every notice that is not over. Source: DTN-006.
    ///
    /// # Errors
    /// [`NoticeFault`].
    pub fn begin(self, now: Timestamp, open: &[Self]) -> Result<Self, NoticeFault> {
        if !self.stops_service() {
            return Err(NoticeFault::StopsNothing(self.id));
        }
        self.require_future(now)?;
        require_none_in_force(open, now)?;
        Ok(Self { started_at: Some(now), ..self })
    }

    /// The notice, ended now. Source: DTN-006.
    ///
    /// # Errors
    /// [`NoticeFault`].
    pub fn end(self, now: Timestamp) -> Result<Self, NoticeFault> {
        match self.status(now) {
            // A clock may be behind that of the node that began the maintenance.
            NoticeStatus::InProgress => Ok(Self { ended_at: Some(now.max(self.begins_at())), ..self }),
            NoticeStatus::Announced | NoticeStatus::Confirmed => Err(NoticeFault::NotBegun(self.id)),
            NoticeStatus::Ended | NoticeStatus::Withdrawn => Err(NoticeFault::IsOver(self.id)),
        }
    }

    /// The notice, withdrawn now. Source: DTN-005.
    ///
    /// # Errors
    /// [`NoticeFault`].
    pub fn withdraw(self, now: Timestamp) -> Result<Self, NoticeFault> {
        self.require_future(now)?;
        Ok(Self { withdrawn_at: Some(now), ..self })
    }

    fn require_future(&self, now: Timestamp) -> Result<(), NoticeFault> {
        match self.status(now) {
            NoticeStatus::Announced | NoticeStatus::Confirmed => Ok(()),
            NoticeStatus::InProgress => Err(NoticeFault::HasBegun(self.id.clone())),
            NoticeStatus::Ended | NoticeStatus::Withdrawn => Err(NoticeFault::IsOver(self.id.clone())),
        }
    }

    /// Whether both stop the service and have an instant in common. Maintenance that is past its announced end lasts until now at least.
    fn overlaps(&self, other: &Self, now: Timestamp) -> bool {
        let are_two = self.id != other.id && self.stops_service() && other.stops_service();
        let end = |it: &Self| it.over_at().or(it.until).unwrap_or(it.from).max(now);
        let is_over = matches!(other.status(now), NoticeStatus::Ended | NoticeStatus::Withdrawn);
        are_two && !is_over && self.begins_at() < end(other) && other.begins_at() < end(self)
    }
}

impl MaintenanceNotice {
    /// The one notice of these that is in force. Source: DTN-006.
    ///
    /// # Errors
    /// [`NoticeFault`] if none is in force, or several are.
    pub fn only_in_force(open: &[Self], now: Timestamp) -> Result<&Self, NoticeFault> {
        let in_force: Vec<_> = open.iter().filter(|notice| notice.is_in_force(now)).collect();
        match in_force.as_slice() {
            [] => Err(NoticeFault::NoneInForce),
            [only] => Ok(only),
            several => Err(NoticeFault::SeveralInForce(several.iter().map(|notice| notice.id.clone()).collect())),
        }
    }
}

fn require_none_in_force(open: &[MaintenanceNotice], now: Timestamp) -> Result<(), NoticeFault> {
    match open.iter().find(|notice| notice.is_in_force(now)) {
        Some(notice) => Err(NoticeFault::InForce(notice.id.clone())),
        None => Ok(()),
    }
}
