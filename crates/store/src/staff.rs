//! Sessions of the bank's staff at the ops listener.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_domain::grant::Digest;
use lombard_domain::staff::{StaffMember, StaffName, StaffRole, StaffSession};
use lombard_ports::store::{StaffStore, StoreError};

statements! { "staff_sessions" =>
    SESSION_INSERT = both(
        "INSERT INTO staff_sessions (browser, name, role, form_token, idle_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6)");
    SESSION_BY_BROWSER = both("SELECT name, role, form_token, idle_at, ends_at FROM staff_sessions WHERE browser = $1");
    SESSION_EXTEND = both("UPDATE staff_sessions SET idle_at = $1 WHERE browser = $2");
    SESSION_REMOVE = both("DELETE FROM staff_sessions WHERE browser = $1");
}

impl StaffStore for Rows<'_, '_> {
    fn staff_session_insert(&mut self, session: &StaffSession) -> Result<(), StoreError> {
        let parameters = [
            session.browser.into(),
            session.member.name.as_str().into(),
            session.member.role.name().into(),
            session.form_token.into(),
            session.idle_at.into(),
            session.ends_at.into(),
        ];
        self.execute_later(&SESSION_INSERT, &parameters)
    }

    fn staff_session(&mut self, browser: &Digest) -> Result<Option<StaffSession>, StoreError> {
        let browser = *browser;
        self.one(&SESSION_BY_BROWSER, &[browser.into()], |row| {
            Ok(StaffSession {
                browser,
                member: StaffMember {
                    name: row.parsed(|text| StaffName::parse(text).ok_or("it is no name of a staff member"))?,
                    role: row.parsed(|text| StaffRole::parse(text).ok_or("it is no role of a staff member"))?,
                },
                form_token: row.digest()?,
                idle_at: row.instant()?,
                ends_at: row.instant()?,
            })
        })
    }

    fn staff_session_extend(&mut self, browser: &Digest, idle_at: Timestamp) -> Result<(), StoreError> {
        self.execute_later(&SESSION_EXTEND, &[idle_at.into(), (*browser).into()])
    }

    fn staff_session_remove(&mut self, browser: &Digest) -> Result<(), StoreError> {
        self.execute_later(&SESSION_REMOVE, &[(*browser).into()])
    }
}
