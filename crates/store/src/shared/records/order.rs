//! How an order stands and stood, who has agreed to it, and what its rail says.

use super::{instant, json};
use crate::shared::codes::Word;
use jiff::Timestamp;
use lombard_domain::file::Progress;
use lombard_domain::order::{ApprovalStatus, Approvals, Course, DetailReason, Instrument, RailDetail, Stage, Step};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// One step of a course.
#[derive(Serialize, Deserialize)]
pub(crate) struct StepRecord {
    stage: Word<Stage>,
    /// Only where it is true.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    warehoused: bool,
    at: i64,
}

impl StepRecord {
    /// Every step, the first first.
    pub(crate) fn write(course: &Course) -> String {
        let record =
            |step: Step| Self { stage: Word(step.stage), warehoused: step.warehoused, at: instant::to_micros(step.at) };
        json(&course.steps().map(record).collect::<Vec<_>>())
    }

    pub(crate) fn read(text: &str) -> Result<Course, Source> {
        let records: Vec<Self> = serde_json::from_str(text)?;
        let step =
            |it: Self| Ok::<_, Source>(Step { stage: it.stage.0, warehoused: it.warehoused, at: instant(it.at)? });
        let steps = records.into_iter().map(step).collect::<Result<Vec<_>, _>>()?;
        Course::of_steps(steps).ok_or_else(|| "an order has no step".into())
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
            changed_at: instant(it.changed_at)?,
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

/// What the rail says of a payment.
#[derive(Serialize, Deserialize)]
pub(crate) struct RailDetailRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instrument: Option<Word<Instrument>>,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Word<DetailReason>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

impl RailDetailRecord {
    pub(crate) fn write(detail: &RailDetail) -> String {
        json(&Self::of(detail))
    }

    pub(crate) fn read(text: &str) -> Result<RailDetail, Source> {
        Ok(serde_json::from_str::<Self>(text)?.into_domain())
    }

    pub(super) fn of(it: &RailDetail) -> Self {
        Self {
            instrument: it.instrument.map(Word),
            status: it.status.clone(),
            reason: it.reason.map(Word),
            description: it.description.clone(),
        }
    }

    pub(super) fn into_domain(self) -> RailDetail {
        RailDetail {
            instrument: self.instrument.map(|word| word.0),
            status: self.status,
            reason: self.reason.map(|word| word.0),
            description: self.description,
        }
    }
}
