//! How an order stands and stood, who has agreed to it, and what its rail says.

use jiff::Timestamp;
use lombard_database::records::{json, read_instant};
use lombard_domain::code::Word;
use lombard_domain::file::Progress;
use lombard_domain::instant;
use lombard_domain::order::{ApprovalStatus, Approvals, Stage, StatusHistory, Step};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// One step of a course.
#[derive(Serialize, Deserialize)]
pub(crate) struct StatusChangeRecord {
    stage: Word<Stage>,
    /// Only where it is true.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    warehoused: bool,
    at: i64,
}

impl StatusChangeRecord {
    /// Every step, the first first.
    pub(crate) fn write(course: &StatusHistory) -> String {
        let record =
            |step: Step| Self { stage: Word(step.stage), warehoused: step.warehoused, at: instant::to_micros(step.at) };
        json(&course.steps().map(record).collect::<Vec<_>>())
    }

    pub(crate) fn read(text: &str) -> Result<StatusHistory, Source> {
        let records: Vec<Self> = serde_json::from_str(text)?;
        let step =
            |it: Self| Ok::<_, Source>(Step { stage: it.stage.0, warehoused: it.warehoused, at: read_instant(it.at)? });
        let steps = records.into_iter().map(step).collect::<Result<Vec<_>, _>>()?;
        StatusHistory::from_changes(steps).ok_or_else(|| "an order has no step".into())
    }
}

/// Who has agreed, beside the columns that say how the agreement stands and until when it may be given.
#[derive(Serialize, Deserialize)]
pub(crate) struct ApprovalsRecord {
    required: u16,
    received: Vec<String>,
    changed_at: i64,
}

impl ApprovalsRecord {
    pub(crate) fn write(it: &Approvals) -> String {
        json(&Self {
            required: it.required,
            received: it.received.iter().map(ToString::to_string).collect(),
            changed_at: instant::to_micros(it.changed_at),
        })
    }

    pub(crate) fn read(text: &str, status: ApprovalStatus, expires_at: Option<Timestamp>) -> Result<Approvals, Source> {
        let it: Self = serde_json::from_str(text)?;
        Ok(Approvals {
            status,
            required: it.required,
            received: it.received.into_iter().map(Into::into).collect(),
            changed_at: read_instant(it.changed_at)?,
            expires_at,
        })
    }
}

/// How far the payments of a file have come.
#[derive(Serialize, Deserialize)]
pub(crate) struct ProgressRecord {
    count: u32,
    given: u32,
    decided: u32,
    rejected: u32,
}

impl ProgressRecord {
    pub(crate) fn write(it: Progress) -> String {
        let Progress { count, given, decided, rejected } = it;
        json(&Self { count, given, decided, rejected })
    }

    pub(crate) fn read(text: &str) -> Result<Progress, Source> {
        let Self { count, given, decided, rejected } = serde_json::from_str(text)?;
        Ok(Progress { count, given, decided, rejected })
    }
}
