//! Notices of maintenance and of changes.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::document;
use lombard_database::readable::leave_out;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::NoticeId;
use lombard_domain::maintenance::{MaintenanceNotice, NoticeContent, NoticeImpact, NoticeKind, NoticeText, SystemName};
use lombard_ports::store::{MaintenanceStore, StoreError};

macro_rules! columns {
    () => {
        "id, kind, impact, given_at, from_at, until_at, started_at, ended_at, withdrawn_at, message, reason, systems, action"
    };
}

statements! { "maintenance_notices" =>
    BY_ID = both(concat!("SELECT ", columns!(), " FROM maintenance_notices WHERE id = $1"));
    OVER_AFTER = both(concat!("SELECT ", columns!(), " FROM maintenance_notices \
         WHERE over_at IS NULL OR over_at > $1 ORDER BY from_at DESC, id LIMIT $2"));
    WINDOWS = both(concat!("SELECT ", columns!(), " FROM maintenance_notices \
         WHERE begins_at < $1 AND (over_at IS NULL OR over_at > $2) AND stops_service = 1 AND withdrawn_at IS NULL \
         ORDER BY begins_at, id"));
    PUT = both(concat!("INSERT INTO maintenance_notices (", columns!(), ", begins_at, over_at, stops_service) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) \
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, impact = excluded.impact, given_at = excluded.given_at, \
         from_at = excluded.from_at, until_at = excluded.until_at, started_at = excluded.started_at, \
         ended_at = excluded.ended_at, withdrawn_at = excluded.withdrawn_at, message = excluded.message, \
         reason = excluded.reason, systems = excluded.systems, action = excluded.action, \
         begins_at = excluded.begins_at, over_at = excluded.over_at, stops_service = excluded.stops_service"));
    // The row is locked until the transaction ends, so that transactions that change notices wait for each other.
    TURN = both("INSERT INTO settings (name, value) VALUES ('maintenance.turn', '') \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value");
}

impl MaintenanceStore for Rows<'_, '_> {
    fn notices_over_after(&mut self, over_after: Timestamp, limit: u32) -> Result<Vec<MaintenanceNotice>, StoreError> {
        let found = self.all(&OVER_AFTER, &[over_after.into(), i64::from(limit).into()], |row| Ok(read(row)))?;
        Ok(leave_out(found))
    }

    fn notices_for_change(&mut self, over_after: Timestamp, limit: u32) -> Result<Vec<MaintenanceNotice>, StoreError> {
        self.execute(&TURN, &[])?;
        self.notices_over_after(over_after, limit)
    }

    fn notice(&mut self, id: &NoticeId) -> Result<Option<MaintenanceNotice>, StoreError> {
        self.one(&BY_ID, &[id.into()], read)
    }

    fn notice_put(&mut self, notice: &MaintenanceNotice) -> Result<(), StoreError> {
        let NoticeContent { message, reason, systems, action } = &notice.content;
        let systems: Vec<&str> = systems.iter().map(|system| &**system).collect();
        let parameters = [
            (&notice.id).into(),
            notice.kind.code().into(),
            notice.impact.code().into(),
            notice.given_at.into(),
            notice.from.into(),
            optional(notice.until),
            optional(notice.started_at),
            optional(notice.ended_at),
            optional(notice.withdrawn_at),
            (&**message).into(),
            optional(reason.as_deref()),
            document::write(&systems).into(),
            optional(action.as_deref()),
            notice.begins_at().into(),
            optional(notice.over_at()),
            notice.stops_service().into(),
        ];
        self.execute(&PUT, &parameters).map(drop)
    }

    fn maintenance_windows_between(
        &mut self,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<MaintenanceNotice>, StoreError> {
        Ok(leave_out(self.all(&WINDOWS, &[until.into(), from.into()], |row| Ok(read(row)))?))
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<MaintenanceNotice, StoreError> {
    Ok(MaintenanceNotice {
        id: row.id()?,
        kind: row.parsed(NoticeKind::decode)?,
        impact: row.parsed(NoticeImpact::decode)?,
        given_at: row.instant()?,
        from: row.instant()?,
        until: row.instant_or_null()?,
        started_at: row.instant_or_null()?,
        ended_at: row.instant_or_null()?,
        withdrawn_at: row.instant_or_null()?,
        content: NoticeContent {
            message: row.parsed(read_text)?,
            reason: row.parsed_or_null(read_text)?,
            systems: row.parsed(read_systems)?,
            action: row.parsed_or_null(read_text)?,
        },
    })
}

fn read_text(text: &str) -> Result<NoticeText, &'static str> {
    NoticeText::parse(text).ok_or("a text of a notice is longer than it may be, or not one line")
}

fn read_systems(text: &str) -> Result<Vec<SystemName>, Box<dyn std::error::Error + Send + Sync>> {
    let names: Vec<String> = document::read(text)?;
    let fault = || "the name of a system is longer than it may be, or not one line".into();
    names.iter().map(|name| SystemName::parse(name).ok_or_else(fault)).collect()
}
