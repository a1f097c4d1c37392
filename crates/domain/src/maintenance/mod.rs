//! Notices of maintenance and of changes: what is announced, what is in force, and which downtime counts as planned. Source: DTN-004 to
//! DTN-007, MI-044.
//!
//! A notice stores what operators did and when. Its status follows from that and the time, so that every node finds the same status without
//! a job that writes it. All times are those of the wall clock, because the world reads them beside its own clocks.

mod codes;
mod rules;
#[cfg(test)]
mod tests;
mod texts;

pub use rules::{Announcement, NoticeFault, OPEN_NOTICES_MAX};
pub use texts::{NOTICE_TEXT_CHARS_MAX, NoticeText, SYSTEM_CHARS_MAX, SYSTEMS_MAX, SystemName};

use crate::calendar::{london_clock, london_time_of, working_days_before};
use crate::ids::NoticeId;
use jiff::{Timestamp, ToSpan};

/// The number of working days before its begin from which a notice is confirmed. Source: DTN-001, DTN-005.
const CONFIRMED_WORKING_DAYS: usize = 5;

/// The number of months before its begin until which planned downtime is announced in time. Source: DTN-001.
const DOWNTIME_NOTICE_MONTHS: i32 = 1;

/// The number of months before it until which a change is announced in time. Source: DTN-003.
const CHANGE_NOTICE_MONTHS: i32 = 3;

/// What a notice is about. Source: DTN-007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoticeKind {
    /// Maintenance that was announced before it began.
    Planned,
    /// Maintenance that began without an announcement.
    Unplanned,
    /// A change of the interface, which interrupts nothing. Source: DTN-003.
    Change,
}

/// How much TPPs notice. Source: DTN-007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoticeImpact {
    /// The service is not available.
    BusinessCritical,
    /// The service is interrupted now and then, or there is another way.
    DegradedService,
    /// Nothing but the appearance changes.
    General,
}

/// How far a notice has come. Source: DTN-005, DTN-007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoticeStatus {
    /// The period lies in the future.
    Announced,
    /// The period begins within five working days.
    Confirmed,
    /// The period has begun.
    InProgress,
    /// The period is over.
    Ended,
    /// The notice was withdrawn before its period began.
    Withdrawn,
}

/// A notice of maintenance or of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaintenanceNotice {
    /// The id.
    pub id: NoticeId,
    /// What the notice is about.
    pub kind: NoticeKind,
    /// How much TPPs notice.
    pub impact: NoticeImpact,
    /// When the notice was given, or moved to another period.
    pub given_at: Timestamp,
    /// When the period begins.
    pub from: Timestamp,
    /// When the period is expected to end; `None` if that is not known. Planned maintenance always has an end.
    pub until: Option<Timestamp>,
    /// When an operator began the maintenance; `None` if it begins by itself at `from`.
    pub started_at: Option<Timestamp>,
    /// When an operator ended it.
    pub ended_at: Option<Timestamp>,
    /// When an operator withdrew the notice.
    pub withdrawn_at: Option<Timestamp>,
    /// The texts.
    pub content: NoticeContent,
}

/// The texts of a notice. Source: DTN-007.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeContent {
    /// What happens.
    pub message: NoticeText,
    /// Why it happens; `None` if the message says it.
    pub reason: Option<NoticeText>,
    /// The systems that are affected.
    pub systems: Vec<SystemName>,
    /// What TPPs should do; `None` if nothing.
    pub action: Option<NoticeText>,
}

/// A part of a maintenance window, for statistics. Source: MI-044.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DowntimeSpan {
    /// The first instant (wall clock).
    pub from: Timestamp,
    /// The first instant after it (wall clock).
    pub until: Timestamp,
    /// Whether it was announced before it began.
    pub is_planned: bool,
}

impl MaintenanceNotice {
    /// Whether requests are refused while the notice is in progress. Notices of less impact, and of changes, only inform.
    pub fn stops_service(&self) -> bool {
        match self.kind {
            NoticeKind::Planned | NoticeKind::Unplanned => self.impact == NoticeImpact::BusinessCritical,
            NoticeKind::Change => false,
        }
    }

    /// When the period begins or began.
    pub fn begins_at(&self) -> Timestamp {
        self.started_at.unwrap_or(self.from)
    }

    /// When the notice is over, as far as that is known. Maintenance that stops the service lasts until an operator ends it, even if its
    /// announced end has passed. Source: DTN-006.
    pub fn over_at(&self) -> Option<Timestamp> {
        let by_itself = || (!self.stops_service()).then(|| self.until.unwrap_or(self.from));
        self.withdrawn_at.or(self.ended_at).or_else(by_itself)
    }

    /// The status at this time. What an operator has begun or ended is begun and ended also on a node whose clock is behind.
    pub fn status(&self, now: Timestamp) -> NoticeStatus {
        if self.withdrawn_at.is_some() {
            NoticeStatus::Withdrawn
        } else if self.ended_at.is_some() || self.over_at().is_some_and(|over| over <= now) {
            NoticeStatus::Ended
        } else if self.started_at.is_some() || self.from <= now {
            NoticeStatus::InProgress
        } else if self.confirmed_at() <= now {
            NoticeStatus::Confirmed
        } else {
            NoticeStatus::Announced
        }
    }

    /// Whether requests are refused at this time because of the notice.
    pub fn is_in_force(&self, now: Timestamp) -> bool {
        self.stops_service() && self.status(now) == NoticeStatus::InProgress
    }

    /// When the notice becomes confirmed: five working days before its begin, or when it is given, if that is later. Source: DTN-005.
    pub fn confirmed_at(&self) -> Timestamp {
        match self.kind {
            NoticeKind::Unplanned => self.given_at,
            NoticeKind::Planned | NoticeKind::Change => self.given_at.max(confirmation_of(self.from)),
        }
    }

    /// Whether the notice was given later than the guidelines ask: one month before downtime, three months before a change.
    /// Source: DTN-004.
    pub fn is_late(&self) -> bool {
        let months = match self.kind {
            NoticeKind::Unplanned => return false,
            NoticeKind::Planned => DOWNTIME_NOTICE_MONTHS,
            NoticeKind::Change => CHANGE_NOTICE_MONTHS,
        };
        let latest = london_clock(self.from).date().saturating_sub(months.months());
        self.given_at > london_time_of(latest, self.from)
    }

    /// The downtime of this window up to now, each part planned or not. The time before an announced start and after an announced end is
    /// unplanned. Source: MI-044, DTN-006.
    pub fn downtime(&self, now: Timestamp) -> Vec<DowntimeSpan> {
        if !self.stops_service() || self.withdrawn_at.is_some() {
            return Vec::new();
        }
        let begin = self.begins_at();
        let end = self.ended_at.unwrap_or(now);
        let (planned_from, planned_until) = match (self.kind, self.until) {
            (NoticeKind::Planned, Some(until)) => (self.from.clamp(begin, end.max(begin)), until.min(end)),
            _ => (end, end),
        };
        let planned_until = planned_until.max(planned_from);
        let parts = [(begin, planned_from, false), (planned_from, planned_until, true), (planned_until, end, false)];
        let spans = parts.into_iter().filter(|(from, until, _)| from < until);
        spans.map(|(from, until, is_planned)| DowntimeSpan { from, until, is_planned }).collect()
    }
}

/// Five working days before a period begins, at the same time of day in London. Source: DTN-005.
fn confirmation_of(from: Timestamp) -> Timestamp {
    let day = working_days_before(london_clock(from).date(), CONFIRMED_WORKING_DAYS);
    london_time_of(day, from)
}
