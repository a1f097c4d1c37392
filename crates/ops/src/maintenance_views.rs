//! Notices of maintenance as the world reads them, and the acts of operators on them. Source: DTN-004 to DTN-007.

use super::reconciliation_views::Instant;
use lombard_domain::ids::NoticeId;
use lombard_domain::maintenance::{
    Announcement, MaintenanceNotice, NOTICE_TEXT_CHARS_MAX, NoticeContent, NoticeFault, NoticeImpact, NoticeKind,
    NoticeStatus, NoticeText, SYSTEM_CHARS_MAX, SYSTEMS_MAX, SystemName,
};
use lombard_service::maintenance::{MaintenanceChange, PublishedNotices};
use serde::{Deserialize, Serialize};

/// The system that a notice names if the operator names none. Source: DTN-007.
const USUAL_SYSTEM: &str = "production";

/// The refusal of texts for maintenance that was announced.
const TEXTS_OF_NOTICE: &str = "The end and the texts of announced maintenance are those of its notice. Give its id alone, or announce it \
    again with its id.";

/// The list of notices, as `/notices.json` has it. Source: DTN-007.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeListView {
    /// The notices, newest period first: those that are not over, and those that were over within the last 90 days.
    pub notices: Vec<NoticeView>,
}

/// A notice. Times are RFC 3339 in UTC, by the wall clock. Source: DTN-007.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeView {
    /// The id.
    pub id: NoticeId,
    /// What the notice is about.
    pub kind: NoticeKindView,
    /// How far it has come.
    pub status: NoticeStatusView,
    /// When it was given, or moved to another period.
    pub given_at: Instant,
    /// When it was confirmed; `None` until then.
    pub confirmed_at: Option<Instant>,
    /// When the period begins.
    pub from: Instant,
    /// When the period is expected to end, if that is known.
    pub until: Option<Instant>,
    /// When it really began.
    pub started_at: Option<Instant>,
    /// When it really ended.
    pub ended_at: Option<Instant>,
    /// What happens.
    pub message: String,
    /// Why it happens.
    pub reason: String,
    /// The systems that are affected.
    pub systems: Vec<String>,
    /// What TPPs should do, if anything.
    pub action: Option<String>,
    /// How much TPPs notice.
    pub impact: NoticeImpactView,
    /// Whether the notice was given later than the guidelines ask.
    pub late: bool,
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKindView {
    /// Announced maintenance.
    Planned,
    /// Maintenance without an announcement.
    Unplanned,
    /// A change of the interface.
    Change,
}

/// How far a notice has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeStatusView {
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

/// How much TPPs notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum NoticeImpactView {
    /// The service is not available.
    #[default]
    BusinessCritical,
    /// The service is interrupted now and then, or there is another way.
    DegradedService,
    /// Nothing but the appearance changes.
    General,
}

/// An operator's act on notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MaintenanceCommand {
    /// Announces a period.
    Announce(AnnounceCommand),
    /// Begins maintenance now.
    Begin(BeginCommand),
    /// Ends maintenance now.
    End(NoticeCommand),
    /// Withdraws a notice.
    Withdraw(NoticeCommand),
}

/// The announcement of a period.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnounceCommand {
    /// The notice that is moved to the period; a new one, if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<NoticeId>,
    /// When the period begins, with an offset.
    pub from: Instant,
    /// When it ends, with an offset. A change may have no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
    /// Whether a change of the interface is announced, which interrupts nothing.
    #[serde(default)]
    pub change: bool,
    /// How much TPPs notice.
    #[serde(default)]
    pub impact: NoticeImpactView,
    /// What happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why it happens; the message, if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The systems that are affected; `production`, if it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<String>,
    /// What TPPs should do, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
}

/// The begin of maintenance: of the announced one with this id, or of one that was not announced.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeginCommand {
    /// The announced maintenance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<NoticeId>,
    /// When maintenance that was not announced is expected to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
    /// What happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why it happens; the message, if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The systems that are affected; `production`, if it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<String>,
    /// What TPPs should do, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
}

/// The notice of an act; absent for the maintenance that is in force.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoticeCommand {
    /// The notice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<NoticeId>,
}

impl NoticeListView {
    /// The published notices.
    pub fn of(published: &PublishedNotices) -> Self {
        Self { notices: published.notices.iter().map(|it| NoticeView::new(&it.notice, it.status)).collect() }
    }
}

impl NoticeView {
    /// The notice with this status.
    pub fn new(notice: &MaintenanceNotice, status: NoticeStatus) -> Self {
        let NoticeContent { message, reason, systems, action } = &notice.content;
        let has_begun = matches!(status, NoticeStatus::InProgress | NoticeStatus::Ended);
        let was_confirmed = match notice.withdrawn_at {
            Some(withdrawn) => notice.confirmed_at() <= withdrawn,
            None => status != NoticeStatus::Announced,
        };
        Self {
            id: notice.id.clone(),
            kind: match notice.kind {
                NoticeKind::Planned => NoticeKindView::Planned,
                NoticeKind::Unplanned => NoticeKindView::Unplanned,
                NoticeKind::Change => NoticeKindView::Change,
            },
            status: match status {
                NoticeStatus::Announced => NoticeStatusView::Announced,
                NoticeStatus::Confirmed => NoticeStatusView::Confirmed,
                NoticeStatus::InProgress => NoticeStatusView::InProgress,
                NoticeStatus::Ended => NoticeStatusView::Ended,
                NoticeStatus::Withdrawn => NoticeStatusView::Withdrawn,
            },
            given_at: Instant(notice.given_at),
            confirmed_at: was_confirmed.then(|| Instant(notice.confirmed_at())),
            from: Instant(notice.from),
            until: notice.until.map(Instant),
            started_at: has_begun.then(|| Instant(notice.begins_at())),
            ended_at: if status == NoticeStatus::Ended { notice.over_at().map(Instant) } else { None },
            message: message.to_string(),
            reason: reason.as_ref().unwrap_or(message).to_string(),
            systems: systems.iter().map(|system| system.to_string()).collect(),
            action: action.as_ref().map(|action| action.to_string()),
            impact: match notice.impact {
                NoticeImpact::BusinessCritical => NoticeImpactView::BusinessCritical,
                NoticeImpact::DegradedService => NoticeImpactView::DegradedService,
                NoticeImpact::General => NoticeImpactView::General,
            },
            late: notice.is_late(),
        }
    }
}

impl MaintenanceCommand {
    /// The act in the words of the domain.
    ///
    /// # Errors
    /// A sentence for the operator about a missing id or a text that cannot be published.
    pub fn into_change(self) -> Result<MaintenanceChange, String> {
        Ok(match self {
            Self::Announce(AnnounceCommand { id, from, until, change, impact, message, reason, systems, action }) => {
                let announcement = Announcement {
                    is_change: change,
                    impact: match impact {
                        NoticeImpactView::BusinessCritical => NoticeImpact::BusinessCritical,
                        NoticeImpactView::DegradedService => NoticeImpact::DegradedService,
                        NoticeImpactView::General => NoticeImpact::General,
                    },
                    from: from.0,
                    until: until.map(|until| until.0),
                    content: NoticeTexts { message, reason, systems, action }
                        .into_content("A notice needs a message.")?,
                };
                MaintenanceChange::Announce { id, announcement }
            }
            Self::Begin(BeginCommand { id, until, message, reason, systems, action }) => {
                let texts = NoticeTexts { message, reason, systems, action };
                match id {
                    None => {
                        let content = texts.into_content(&NoticeFault::NoMessage.to_string())?;
                        MaintenanceChange::BeginUnannounced { until: until.map(|until| until.0), content }
                    }
                    Some(id) if until.is_none() && texts == NoticeTexts::default() => {
                        MaintenanceChange::BeginAnnounced { id }
                    }
                    Some(_) => return Err(TEXTS_OF_NOTICE.to_owned()),
                }
            }
            Self::End(NoticeCommand { id }) => MaintenanceChange::End { id },
            Self::Withdraw(NoticeCommand { id: Some(id) }) => MaintenanceChange::Withdraw { id },
            Self::Withdraw(NoticeCommand { id: None }) => {
                return Err("Name the notice to withdraw by its id.".to_owned());
            }
        })
    }
}

/// The texts of a notice as an operator gives them.
#[derive(Debug, Default, PartialEq, Eq)]
struct NoticeTexts {
    message: Option<String>,
    reason: Option<String>,
    systems: Vec<String>,
    action: Option<String>,
}

impl NoticeTexts {
    fn into_content(self, without_message: &str) -> Result<NoticeContent, String> {
        let Self { message, reason, systems, action } = self;
        let text = |name: &str, text: String| {
            let fault = || format!("The {name} must be one line of 1 to {NOTICE_TEXT_CHARS_MAX} characters.");
            NoticeText::parse(&text).ok_or_else(fault)
        };
        if systems.len() > SYSTEMS_MAX {
            return Err(format!("A notice names at most {SYSTEMS_MAX} systems."));
        }
        let system = |name: &String| {
            let fault = || format!("The name of a system must be one line of 1 to {SYSTEM_CHARS_MAX} characters.");
            SystemName::parse(name).ok_or_else(fault)
        };
        let named: Vec<_> = systems.iter().map(system).collect::<Result<_, _>>()?;
        Ok(NoticeContent {
            message: text("message", message.ok_or_else(|| without_message.to_owned())?)?,
            reason: reason.map(|reason| text("reason", reason)).transpose()?,
            systems: if named.is_empty() { SystemName::parse(USUAL_SYSTEM).into_iter().collect() } else { named },
            action: action.map(|action| text("action", action)).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn announce(command: serde_json::Value) -> Result<MaintenanceChange, String> {
        MaintenanceCommand::Announce(serde_json::from_value(command).unwrap()).into_change()
    }

    #[test]
    fn dtn_007_a_notice_has_exactly_these_members() {
        let command = json!({"from": "2026-04-18T22:00:00+01:00", "until": "2026-04-19T01:00:00Z", "message": "Work."});
        let Ok(MaintenanceChange::Announce { id: None, announcement }) = announce(command) else { panic!("announced") };
        let given = "2026-03-02T12:00:00Z".parse().unwrap();
        let notice = announcement.give("n".into(), given, &[]).unwrap();
        let view = |status| serde_json::to_value(NoticeView::new(&notice, status)).unwrap();
        let announced = json!({
            "id": "n", "kind": "planned", "status": "announced", "given_at": "2026-03-02T12:00:00Z", "confirmed_at": null,
            "from": "2026-04-18T21:00:00Z", "until": "2026-04-19T01:00:00Z", "started_at": null, "ended_at": null,
            "message": "Work.", "reason": "Work.", "systems": ["production"], "action": null,
            "impact": "BusinessCritical", "late": false,
        });
        assert_eq!(view(NoticeStatus::Announced), announced);
        let begun = view(NoticeStatus::InProgress);
        assert_eq!(
            (&begun["status"], &begun["confirmed_at"], &begun["started_at"]),
            (&json!("in_progress"), &json!("2026-04-13T21:00:00Z"), &json!("2026-04-18T21:00:00Z"))
        );
    }

    #[test]
    fn dtn_004_what_cannot_be_published_is_refused_with_a_sentence() {
        let with = |member: &str, value: serde_json::Value| {
            let mut command =
                json!({"from": "2026-04-18T21:00:00Z", "until": "2026-04-19T01:00:00Z", "message": "Work."});
            command[member] = value;
            announce(command).map(drop)
        };
        assert_eq!(with("message", json!(null)), Err("A notice needs a message.".to_owned()));
        for (member, value) in [
            ("message", json!("two\nlines")),
            ("reason", json!("r".repeat(NOTICE_TEXT_CHARS_MAX + 1))),
            ("action", json!(" ")),
            ("systems", json!(["s".repeat(SYSTEM_CHARS_MAX + 1)])),
            ("systems", json!(vec!["s"; SYSTEMS_MAX + 1])),
        ] {
            assert!(with(member, value.clone()).is_err(), "{member}: {value}");
        }
        assert_eq!(with("systems", json!(["sandbox", "production"])), Ok(()));
        let without_offset = json!({"from": "2026-04-18T21:00:00", "message": "Work."});
        assert!(serde_json::from_value::<AnnounceCommand>(without_offset).is_err());
    }

    #[test]
    fn dtn_006_announced_maintenance_is_begun_by_its_id_alone() {
        let begin = |command: serde_json::Value| {
            MaintenanceCommand::Begin(serde_json::from_value(command).unwrap()).into_change()
        };
        assert_eq!(begin(json!({"id": "n"})), Ok(MaintenanceChange::BeginAnnounced { id: "n".into() }));
        assert!(begin(json!({"id": "n", "message": "Work."})).is_err());
        assert_eq!(begin(json!({})), Err(NoticeFault::NoMessage.to_string()));
        assert!(begin(json!({"message": "Power failure."})).is_ok());
        let misspelt = json!({"message": "Power failure.", "untill": "2026-04-19T01:00:00Z"});
        assert!(serde_json::from_value::<BeginCommand>(misspelt).is_err());
    }
}
